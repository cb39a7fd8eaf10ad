import { median } from "@ratewise/core/evaluate";
import { middle } from "./cell-median.ts";
import { areaRange, ofCells, signed, signedRange } from "./cell-words.ts";
import { type MimicMethod, mimicMethods } from "./mimic-rankings.ts";
import { placeOf, published } from "./published.ts";
import { allCells } from "./report-tables.ts";
import {
  rankRows,
  type SimulationRows,
  searchedRows,
  searchRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";

/** Mimics of the same networks: fair beside RATE, unlike the numbers of the paper's. */
export function mimicsBesideRate(rows: SimulationRows): string[] {
  const found = allCells.flatMap((cell) => {
    const own = rankRows(rows, cell, "paper").filter(({ areas }) => areas.boosting !== undefined);
    if (own.length < 2) return [];
    const of = (pick: (row: (typeof own)[number]) => number): number => median(own.map(pick));
    const { rate, boosting } = published[cell.task];
    return [
      {
        gap: of(({ areas }) => areas.boosting!) - of(({ areas }) => areas.noise),
        printed: boosting[placeOf(cell)] - rate[placeOf(cell)],
        faster: of(({ seconds }) => seconds.rate) < of(({ seconds }) => seconds.boosting),
      },
    ];
  });
  if (found.length === 0) return [];
  const count = (of: (row: (typeof found)[number]) => boolean): number => found.filter(of).length;
  const above = count(({ gap }) => gap > 0);
  const equal = count(({ printed }) => printed === 0);
  const paper = `in the paper in ${count(({ printed }) => printed > 0)} of ${found.length}${equal > 0 ? `, equal in ${equal}` : ""}`;
  const merits = [
    ...(found.every(({ faster }) => faster) ? ["its speed"] : []),
    "what it says of uncertainty",
  ];
  return [
    `On the same networks the boosting mimic ranks better than RATE in ${ofCells(above, found.length)} (${paper}), by ${signedRange(found.map(({ gap }) => gap))} in the median area${above > found.length / 2 ? `: what RATE has over it is ${merits.join(", and ")}` : ""}.`,
  ];
}

const NAMES: Readonly<Record<MimicMethod, string>> = { boosting: "boosting", forest: "forests" };

/** Mimics beside the paper's, and what a search makes of them. */
export function mimicsText(rows: SimulationRows): string[] {
  const texts = mimicMethods.flatMap((method) => {
    const cells = allCells.filter((cell) => shownMethods[method].areas(rows, cell).size > 1);
    if (cells.length === 0) return [];
    const ours = cells.map((cell) => middle(rows, shownMethods[method], cell)!);
    const theirs = cells.map((cell) => published[cell.task][method][placeOf(cell)]);
    return [`${NAMES[method]} ${areaRange(ours)} (the paper, with one, ${areaRange(theirs)})`];
  });
  if (texts.length === 0) return [];
  const forests = allCells
    .filter((cell) => cell.task === "regression")
    .flatMap((cell) => middle(rows, shownMethods.forest, cell) ?? []);
  const grows =
    forests.length > 1 && forests.at(-1)! >= forests[0]
      ? " In regression the paper's forest finds less as rows grow (0.78 with 3,000, 0.61 with 100,000); this one finds more."
      : "";
  return [
    `Mimics without a search, by the median area of a cell: ${texts.join(", ")}.${grows}`,
    ...searchText(rows),
    ...ownSearchText(rows),
  ];
}

interface Change {
  /** Medians with the settings that a search chose less those without, over the same data sets. */
  readonly area: number;
  /** Of the network's predictions on test rows. */
  readonly fit: number;
}

function changeIn(rows: SimulationRows, cell: TableCell, method: MimicMethod): Change[] {
  const plain = new Map(rankRows(rows, cell, "paper").map((row) => [row.seed, row]));
  const pairs = searchedRows(rows, cell).flatMap((after) => {
    const before = plain.get(after.seed);
    return before?.heldOut ? [{ after, before, heldOut: before.heldOut }] : [];
  });
  if (pairs.length < 2) return [];
  const gap = (after: readonly number[], before: readonly number[]): number =>
    median(after) - median(before);
  return [
    {
      area: gap(
        pairs.map(({ after }) => after.areas[method]),
        pairs.map(({ before }) => before.areas[method]!),
      ),
      fit: gap(
        pairs.map(({ after }) => after.heldOut[method]),
        pairs.map(({ heldOut }) => heldOut[method]),
      ),
    },
  ];
}

/** What a search does to mimics, in the very cells and data sets that have both. */
function searchText(rows: SimulationRows): string[] {
  const found = mimicMethods.map((method) => ({
    method,
    changes: allCells.flatMap((cell) => changeIn(rows, cell, method)),
  }));
  const cells = found[0].changes.length;
  if (cells === 0) return [];
  const told = found.map(
    ({ method, changes }) =>
      `of ${NAMES[method]} by ${signedRange(changes.map(({ area }) => area))} (R² by ${signedRange(changes.map(({ fit }) => fit))})`,
  );
  // A verdict only where every cell has it.
  const worse = found
    .filter(({ changes }) => changes.every(({ area, fit }) => fit > 0 && area < 0))
    .map(({ method }) => NAMES[method]);
  const verdict =
    worse.length > 0
      ? ` So a search made ${worse.join(" and ")} repeat the network better and rank worse.`
      : "";
  return [
    `In the ${cells === 1 ? "cell" : `${cells} cells`} searched, a search changes the median area ${told.join(" and ")}, R² being that of the network's predictions on test rows.${verdict}`,
  ];
}

/** Whether it matters that the repeats of a cell share a search. */
function ownSearchText(rows: SimulationRows): string[] {
  const gaps = allCells.flatMap((cell) => {
    const shared = new Map(searchedRows(rows, cell).map(({ seed, areas }) => [seed, areas]));
    return searchRows(rows, cell)
      .filter((row) => row.rows === cell.rows)
      .flatMap(({ seed, areas }) => {
        const other = shared.get(seed);
        return other ? [mimicMethods.map((method) => areas[method] - other[method])] : [];
      });
  });
  if (gaps.length === 0) return [];
  const [boosting, forest] = mimicMethods.map((_, m) => {
    const own = gaps.map((gap) => gap[m]);
    const mean = own.reduce((sum, gap) => sum + gap, 0) / own.length;
    const most = Math.max(...own.map(Math.abs));
    return `${signed(mean)} on average and ${most.toFixed(3)} at most`;
  });
  return [
    `A search of its own in each of ${gaps.length} data sets changes their areas from those with the settings that all repeats share by ${boosting} for boosting, ${forest} for forests.`,
  ];
}
