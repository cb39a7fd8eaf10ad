import { median } from "@ratewise/core/evaluate";
import { groupBy } from "../group-by.ts";
import { mean } from "../mean-with-error.ts";
import { cellName } from "../simulation/summary.ts";
import { atLeast, atMost, type Finding, finding, type StudyTable } from "../study/study.ts";
import { type KnockoffResult, type Measure, measures } from "./knockoff-cell.ts";
import type { NullResult } from "./null-cell.ts";
import type { SelectionResult } from "./task.ts";

/** Mean false discovery proportion and power of one ranking in one cell. */
export interface SelectionSummary {
  readonly cell: string;
  readonly ranking: string;
  readonly seeds: number;
  readonly fdp: number;
  /** Half the width of the 95% interval of the mean. */
  readonly halfWidth: number;
  readonly power: number;
  /** The power asked for; null where none is. */
  readonly bar: number | null;
}

const SIZES = [3000, 10_000, 30_000, 100_000];
/** Power asked for at q = 0.1, by size; null where none is. */
const BARS: Readonly<Record<string, readonly (number | null)[]>> = {
  "regression one covariance": [0.38, 0.65, 0.84, 0.88],
  "classification one covariance": [null, 0.47, 0.7, 0.8],
  "regression ensemble meanSquared": [0.44, 0.71, 0.9, 0.94],
  "classification ensemble meanSquared": [null, 0.53, 0.75, 0.9],
};
const CORRELATED: Readonly<Record<string, number>> = { autoregressive: 0.8, blocks: 0.4 };

const cellOf = (row: KnockoffResult): string =>
  `${cellName(row)}${row.method === "equicorrelated" ? " equicorrelated" : ""}`;

function barOf(row: KnockoffResult, who: "one" | "ensemble", measure: Measure): number | null {
  const { link, recipe, correlation, rows } = row;
  if (recipe !== "paper") return null;
  if (correlation.kind !== "independent")
    return who === "ensemble" && measure === "meanSquared" && rows === 30_000
      ? CORRELATED[correlation.kind]
      : null;
  const task = link === "identity" ? "regression" : "classification";
  return BARS[`${task} ${who} ${measure}`]?.[SIZES.indexOf(rows)] ?? null;
}

const KINDS: readonly KnockoffResult["correlation"]["kind"][] = [
  "independent",
  "autoregressive",
  "blocks",
];

/** Cells by link, rows, recipe and kind of columns: a journal has them as they were run. */
function inOrder(a: KnockoffResult, b: KnockoffResult): number {
  const place = ({ link, rows, recipe, correlation, method }: KnockoffResult): number[] => [
    link === "identity" ? 0 : 1,
    rows,
    recipe === "paper" ? 0 : 1,
    KINDS.indexOf(correlation.kind),
    method === "equicorrelated" ? 1 : 0,
  ];
  const [one, other] = [place(a), place(b)];
  const at = one.findIndex((value, k) => value !== other[k]);
  return at < 0 ? 0 : one[at] - other[at];
}

/** One summary a cell and ranking, by link, rows and recipe. */
export function summariseSelection(results: readonly SelectionResult[]): SelectionSummary[] {
  const cells = groupBy(
    results.filter((row) => row.study === "knockoffs"),
    cellOf,
  );
  const ordered = [...cells].sort(([, [a]], [, [b]]) => inOrder(a, b));
  return ordered.flatMap(([cell, rows]) =>
    (["one", "ensemble"] as const).flatMap((who) =>
      measures.map((measure) => {
        const fdps = rows.map((row) => row[who][measure].fdp);
        const fdp = mean(fdps);
        const spread = mean(fdps.map((value) => (value - fdp) ** 2));
        return {
          cell,
          ranking: `${who} ${measure}`,
          seeds: rows.length,
          fdp,
          halfWidth: rows.length > 1 ? 1.96 * Math.sqrt(spread / (rows.length - 1)) : Number.NaN,
          power: mean(rows.map((row) => row[who][measure].power)),
          bar: barOf(rows[0], who, measure),
        };
      }),
    ),
  );
}

/** The rankings that something is asked of. */
export const ASKED: readonly string[] = ["one covariance", "ensemble meanSquared"];

/**
 * Of the rankings that something is asked of: the mean over cells, cells shown to be above the rate, and power.
 *
 * @internal
 */
export function selectionFindings(summaries: readonly SelectionSummary[], fdr = 0.1): Finding[] {
  const asked = summaries.filter(({ ranking }) => ASKED.includes(ranking));
  const over = asked.filter(({ fdp, halfWidth }) => fdp - halfWidth > fdr).length;
  const barred = summaries.filter(({ bar }) => bar !== null);
  const reached = barred.filter(({ power, bar }) => power >= bar!).length;
  const rate = mean(asked.map(({ fdp }) => fdp));
  const widths = asked.map(({ halfWidth }) => halfWidth);
  return [
    finding("mean false discovery proportion over cells", null, rate, atMost(1.05 * fdr)),
    finding(
      `power reaches what was asked: cells and rankings, of ${barred.length}`,
      null,
      reached,
      atLeast(barred.length),
    ),
    finding(`rate shown to be above ${fdr}: cells and rankings, of ${asked.length}`, null, over),
    finding("half a 95% interval of a rate, median over cells", null, median(widths)),
  ];
}

/** The summaries as a table. */
export function selectionTable(summaries: readonly SelectionSummary[], fdr = 0.1): StudyTable {
  return {
    title: "Knockoffs, cell by cell",
    columns: [
      ...["cell", "ranking", "seeds", "FDP ± half its 95% interval"],
      ...[`not shown to be above ${fdr}`, "power", "power asked", "reached"],
    ],
    rows: summaries.map(({ cell, ranking, seeds, fdp, halfWidth, power, bar }) => [
      ...[cell, ranking, seeds, `${fdp.toFixed(3)} ± ${halfWidth.toFixed(3)}`],
      ...[fdp - halfWidth > fdr ? "no" : "yes", power.toFixed(3), bar ?? ""],
      bar === null ? "" : power >= bar ? "yes" : "no",
    ]),
  };
}

/** What pure noise and rank intervals came to, beside what is asked. */
export function nullTable(results: readonly SelectionResult[]): StudyTable {
  const of = (study: NullResult["study"]): NullResult[] =>
    results.filter((row): row is NullResult => row.study === study);
  const noise = of("noise");
  const uniform = of("uniform");
  const shapes = groupBy(
    of("coverage"),
    ({ rows, variables }) => `${rows.toLocaleString("en")} × ${variables}`,
  );
  const quiet = (way: "knockoffs" | "output" | "refits", least: number): string[] => [
    `pure noise, ${way}: nothing selected`,
    `${noise.filter(({ selected }) => selected![way] === 0).length} of ${noise.length}`,
    `at least ${least}%`,
  ];
  const distance = (way: "output" | "refits"): string[] => [
    `p-values of pure noise, ${way}: √n·distance from uniform`,
    `${distanceFromUniform(uniform.map(({ pValues }) => pValues![way])).toFixed(3)} (${uniform.length} data sets)`,
    "below 1.95, level 0.001",
  ];
  return {
    title: "Pure noise and rank intervals",
    columns: ["what", "came to", "asked"],
    rows: [
      ...(noise.length > 0
        ? [quiet("knockoffs", 98), quiet("output", 85), quiet("refits", 85)]
        : []),
      ...(uniform.length > 0 ? [distance("output"), distance("refits")] : []),
      ...[...shapes].map(([shape, trials]) => [
        `90% rank intervals cover the rank in all rows, ${shape}`,
        `${mean(trials.map(({ covered }) => covered!)).toFixed(3)} (${trials.length} trials)`,
        "0.85 to 0.95",
      ]),
    ],
  };
}

/** Kolmogorov and Smirnov's distance from the uniform distribution, times √n. */
export function distanceFromUniform(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  return (
    Math.sqrt(n) *
    Math.max(...sorted.map((value, i) => Math.max(value - i / n, (i + 1) / n - value)))
  );
}
