import { median } from "@ratewise/core/evaluate";
import { summariseSelection } from "../selection/summary.ts";
import { middle } from "./cell-median.ts";
import { areaRange, ofCells, signedRange } from "./cell-words.ts";
import { mimicsBesideRate, mimicsText } from "./mimics-text.ts";
import { missingText } from "./missing-text.ts";
import { PRINTED_ROUNDING, placeOf, published, publishedBest } from "./published.ts";
import type { RateRanking } from "./rate-rankings.ts";
import { allCells, ENOUGH_SETS } from "./report-tables.ts";
import {
  rankRows,
  type ShownMethod,
  type SimulationRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";

/** Of which run the page is. */
export interface SimulationKind {
  readonly quick: boolean;
  /** Responses were permuted. */
  readonly permuted: boolean;
}

/** What came out, in sentences; the numbers of every cell stand in the tables. */
export function answerText(rows: SimulationRows, { quick, permuted }: SimulationKind): string[] {
  if (permuted) return [...controlText(rows), ...traceText(rows)];
  return [
    ...fewText(rows),
    ...areasText(rows),
    ...mimicsBesideRate(rows),
    ...traceText(rows),
    ...variantsText(rows),
    ...mimicsText(rows),
    ...selectionText(rows),
    ...(quick ? [] : missingText(rows)),
  ];
}

/** Standard deviation by chance of the area of 30 among 100: √((30 + 70 + 1)/(12·30·70)). */
const CHANCE = Math.sqrt(101 / (12 * 30 * 70));

/** Permuted responses know nothing of the causal variables: an area is 0.5 but for chance. */
function controlText(rows: SimulationRows): string[] {
  const areas = Object.values(shownMethods).flatMap((method) =>
    allCells.flatMap((cell) => [...method.areas(rows, cell).values()]),
  );
  if (areas.length === 0) return [];
  const far = Math.max(...areas.map((area) => Math.abs(area - 0.5)));
  return [
    `This is a control: responses were permuted, so nothing should be found, and an area should be 0.5 with a standard deviation of ${CHANCE.toFixed(3)} by chance. The ${areas.length} areas, of every ranking in every data set, are ${areaRange(areas)}: ${far <= 4 * CHANCE ? "nothing was found" : "more than chance gives, so something is wrong"}.`,
  ];
}

/** Where medians are of so few that nothing can be said of chance. */
function fewText(rows: SimulationRows): string[] {
  const sets = allCells.flatMap((cell) => {
    const { size } = shownMethods.rate.areas(rows, cell);
    return size > 0 ? [size] : [];
  });
  const most = Math.max(...sets);
  return sets.length > 0 && most < ENOUGH_SETS
    ? [
        `With ${most} data ${most === 1 ? "set" : "sets"} a cell there are no intervals, and what is better or worse below may be so by chance.`,
      ]
    : [];
}

interface Beside {
  readonly text: string;
  readonly cells: number;
  /** Cells whose median is above, and below, what was rounded to the paper's. */
  readonly above: number;
  readonly below: number;
}

/** "0.73 to 0.97" of a method over the cells that it was run in, beside the paper's. */
function beside(
  rows: SimulationRows,
  method: ShownMethod,
  paper: (cell: TableCell) => number,
): Beside | null {
  // Of one data set there is no median.
  const cells = allCells.filter((cell) => method.areas(rows, cell).size > 1);
  if (cells.length === 0) return null;
  const ours = cells.map((cell) => middle(rows, method, cell)!);
  const theirs = cells.map(paper);
  return {
    text: `${areaRange(ours)} (the paper ${areaRange(theirs)})`,
    cells: cells.length,
    above: ours.filter((area, k) => area > theirs[k] + PRINTED_ROUNDING).length,
    below: ours.filter((area, k) => area < theirs[k] - PRINTED_ROUNDING).length,
  };
}

/** "better than the paper's in 7 of 8 cells, as good in 1". */
function compared({ cells, above, below }: Beside, whom: string): string {
  const rest = cells - above - below;
  return [
    `better than ${whom} in ${ofCells(above, cells)}`,
    ...(rest > 0 ? [`as good in ${rest}`] : []),
    ...(below > 0 ? [`worse in ${below}`] : []),
  ].join(", ");
}

const inMost = ({ above, cells }: Beside): boolean => above > cells / 2;

function areasText(rows: SimulationRows): string[] {
  const best = (cell: TableCell): number => publishedBest(cell.task, placeOf(cell));
  const rate = beside(rows, shownMethods.rate, (cell) => published[cell.task].rate[placeOf(cell)]);
  const direct = beside(rows, shownMethods.standard, best);
  const recipe = beside(rows, shownMethods.standardRate, best);
  const ranking = beside(rows, shownMethods.gradient, best);
  return [
    ...(rate
      ? [
          `RATE with the paper's recipe finds the causal variables ${compared(rate, "the paper's RATE")}: median areas under the ROC curve are ${rate.text}.`,
        ]
      : []),
    ...(direct
      ? [
          `Direct importance, by gradients of a network of the recipe standard, is ${compared(direct, "the best of the paper's methods")}: ${direct.text}.${recipe && ranking ? ` ${partsText(direct, recipe, ranking)}` : ""}`,
        ]
      : []),
  ];
}

/** What the recipe and what the ranking has to do with it; a part is had by what does it alone in most cells. */
function partsText(direct: Beside, recipe: Beside, ranking: Beside): string {
  const lead = !inMost(direct)
    ? "Recipe and ranking apart"
    : inMost(recipe) && inMost(ranking)
      ? "Recipe and ranking both have a part in it"
      : inMost(recipe)
        ? "The recipe has the larger part in it"
        : inMost(ranking)
          ? "The ranking has the larger part in it"
          : "Neither recipe nor ranking does it alone";
  return `${lead}: RATE of the recipe standard is ${compared(recipe, "the paper's best")}; gradients of the paper's own recipe are ${compared(ranking, "the paper's best")}.`;
}

/** Data sets ranked by all variants, cell by cell. */
const rankedCells = (rows: SimulationRows) =>
  allCells.map((cell) => rankRows(rows, cell, "paper")).filter((own) => own.length > 0);

/** How much of the divergence the mean term has to have, and how alike rankings have to be, for the trace to be called negligible. */
const NEGLIGIBLE = 0.99;
const SMALL = 0.9;
const ALIKE = 0.95;

function traceText(rows: SimulationRows): string[] {
  const all = rankedCells(rows).flat();
  if (all.length === 0) return [];
  const least = Math.min(...all.map(({ meanTerm }) => meanTerm));
  const same = Math.min(...all.map(({ agreement }) => agreement.wholeDivergence));
  const verdict =
    least >= NEGLIGIBLE && same >= ALIKE
      ? "negligible"
      : least >= SMALL
        ? "small, not negligible"
        : "not negligible";
  const alike = same >= ALIKE ? "both rank alike" : "they rank differently in some";
  return [
    `The trace term is ${verdict}: the mean term has at least ${(100 * least).toFixed(1)}% of the divergence in each of ${all.length} data sets, and with or without the trace ${alike} (Spearman ${same.toFixed(3).replace("-", "−")} at the least).`,
  ];
}

function variantsText(rows: SimulationRows): string[] {
  const cells = rankedCells(rows);
  if (cells.length === 0) return [];
  const gaps = (name: RateRanking): number[] =>
    cells.map(
      (own) =>
        median(own.map(({ areas }) => areas[name])) - median(own.map(({ areas }) => areas.noise)),
    );
  const variants = (["nugget", "pseudo-inverse", "r-2020", "published"] as const).map(
    (name) => `${name} ${signedRange(gaps(name))}`,
  );
  const information = gaps("mutual information");
  return [
    `The other variants of RATE beside the default, by the median area of a cell: ${variants.join(", ")}.`,
    `Mutual information asks how an effect depends on the others, not how large it is: its median area is ${signedRange(information)} from that of RATE${information.every((gap) => gap < 0) ? ", so it is no ranking of effects" : ""}.`,
  ];
}

function selectionText({ selection }: SimulationRows): string[] {
  const found = summariseSelection(selection).filter(({ ranking }) =>
    ["one covariance", "ensemble meanSquared"].includes(ranking),
  );
  if (found.length === 0) return [];
  const over = found.filter(({ fdp, halfWidth }) => fdp - halfWidth > 0.1);
  return [
    `Knockoffs that promise a false discovery rate of 0.1 have between ${Math.min(...found.map(({ fdp }) => fdp)).toFixed(2)} and ${Math.max(...found.map(({ fdp }) => fdp)).toFixed(2)} in the ${found.length} rankings and cells recorded, ${over.length > 0 ? over.length : "none"} of them shown to be above it; an excess would have to be about ${median(found.map(({ halfWidth }) => halfWidth)).toFixed(3)} (half a 95% interval, in the median) to be shown.`,
  ];
}
