import { median } from "@ratewise/core";
import { summariseSelection } from "../selection/summary.ts";
import { cellText, middle } from "./cell-median.ts";
import { published, publishedBest, sizes } from "./published.ts";
import { allCells } from "./report-tables.ts";
import {
  rankRows,
  type ShownMethod,
  type SimulationRows,
  searchRows,
  shownMethods,
} from "./simulation-rows.ts";

/** What came out, in sentences. */
export function answerText(rows: SimulationRows): string[] {
  return [...areasText(rows), ...variantsText(rows), ...mimicsText(rows), ...selectionText(rows)];
}

function areasText(rows: SimulationRows): string[] {
  const cells = allCells.filter((cell) => middle(rows, shownMethods.standard, cell) !== null);
  if (cells.length === 0) return [];
  const parts = cells.map((cell) => {
    const at = sizes.indexOf(cell.rows as (typeof sizes)[number]);
    const ours = middle(rows, shownMethods.standard, cell)!.toFixed(2);
    const rate = middle(rows, shownMethods.rate, cell);
    return `${cellText(cell)} rows: RATE ${rate === null ? "not run" : rate.toFixed(2)} (paper ${published[cell.task].rate[at].toFixed(2)}), direct importance of the recipe standard ${ours} (the paper's best ${publishedBest(cell.task, at).toFixed(2)})`;
  });
  return [`Median areas under the ROC curve, ${parts.join("; ")}.`];
}

function variantsText(rows: SimulationRows): string[] {
  const own = allCells.flatMap((cell) => rankRows(rows, cell, "paper"));
  if (own.length === 0) return [];
  const least = Math.min(...own.map(({ meanTerm }) => meanTerm));
  const same = Math.min(...own.map(({ agreement }) => agreement.wholeDivergence));
  const gap = (name: "mutual information" | "published" | "pseudo-inverse" | "nugget" | "r-2020") =>
    median(own.map(({ areas }) => areas[name] - areas.noise));
  const signed = (value: number): string =>
    `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(3)}`;
  return [
    `The trace term is negligible here: the mean term is at least ${(100 * least).toFixed(1)}% of the divergence in each of ${own.length} data sets, and rankings with and without it agree to Spearman ${same.toFixed(3)} at the least.`,
    `Mutual information is no ranking of effects: it asks how a variable's effect depends on the others', not how large it is, and its area is ${signed(gap("mutual information"))} of that of RATE (median over data sets). The other variants differ little: nugget ${signed(gap("nugget"))}, pseudo-inverse ${signed(gap("pseudo-inverse"))}, r-2020 ${signed(gap("r-2020"))}, published ${signed(gap("published"))}.`,
  ];
}

function mimicsText(rows: SimulationRows): string[] {
  // Of one data set there is no median.
  const cells = allCells.filter((cell) => rankRows(rows, cell, "paper").length > 1);
  if (cells.length === 0) return [];
  const parts = cells.map((cell) => {
    const own = rankRows(rows, cell, "paper");
    const heldOut = (method: "boosting" | "forest"): string =>
      median(own.map((row) => row.heldOut![method])).toFixed(2);
    const area = (method: ShownMethod): string => middle(rows, method, cell)!.toFixed(2);
    return `${cellText(cell)} rows: GBM ${area(shownMethods.boosting)} (R² of the network's predictions ${heldOut("boosting")}), RF ${area(shownMethods.forest)} (${heldOut("forest")})`;
  });
  const searches = allCells.flatMap((cell) => searchRows(rows, cell));
  const searched =
    searches.length > 0
      ? ` A search takes ${(median(searches.map(({ seconds }) => seconds.boosting + seconds.forest)) / 60).toFixed(1)} minutes of one core, both mimics together.`
      : "";
  const forests = cells
    .filter(({ task }) => task === "regression")
    .map((cell) => middle(rows, shownMethods.forest, cell)!);
  const grows =
    forests.length > 1 && forests.at(-1)! >= forests[0]
      ? " The paper's forest finds less as rows grow (0.78 with 3,000, 0.61 with 100,000); as far as it was run, this one finds more."
      : "";
  return [`Mimics without a search, ${parts.join("; ")}.${grows}${searched}`];
}

function selectionText({ selection }: SimulationRows): string[] {
  const found = summariseSelection(selection).filter(({ ranking }) =>
    ["one covariance", "ensemble meanSquared"].includes(ranking),
  );
  if (found.length === 0) return [];
  const over = found.filter(({ fdp, halfWidth }) => fdp - halfWidth > 0.1);
  return [
    `Knockoffs at a false discovery rate of 0.1 come out between ${Math.min(...found.map(({ fdp }) => fdp)).toFixed(2)} and ${Math.max(...found.map(({ fdp }) => fdp)).toFixed(2)} in the ${found.length} rankings and cells recorded so far${over.length > 0 ? `, ${over.length} of them above it beyond their intervals` : ", none above it beyond its interval"}.`,
  ];
}

/** Cells without 25 data sets, part by part. */
export function missingText(rows: SimulationRows): string[] {
  const parts = (
    [
      ["variants and mimics", shownMethods.boosting],
      ["curves and direct importance of the recipe standard", shownMethods.standard],
      ["searched mimics", shownMethods.boostingSearched],
    ] as const
  ).flatMap(([what, method]) => {
    const missing = allCells.filter((cell) => method.areas(rows, cell).size < 25);
    return missing.length > 0
      ? [
          `${what} (${missing.map((cell) => `${cellText(cell)}: ${method.areas(rows, cell).size} of 25`).join("; ")})`,
        ]
      : [];
  });
  return parts.length > 0 ? [`Not run in full yet: ${parts.join(", ")}.`] : [];
}
