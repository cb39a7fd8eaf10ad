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

function cellOf({ recipe, link, correlation, rows, method }: KnockoffResult): string {
  const task = link === "identity" ? "regression" : "classification";
  const columns = correlation.kind === "independent" ? "" : ` ${correlation.kind}`;
  return `${recipe} ${task}${columns} ${rows.toLocaleString("en")}${method === "equicorrelated" ? " equicorrelated" : ""}`;
}

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
  const cells = new Map<string, KnockoffResult[]>();
  for (const row of results)
    if (row.study === "knockoffs") {
      const name = cellOf(row);
      cells.set(name, [...(cells.get(name) ?? []), row]);
    }
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

/** The summaries as Markdown, and what the rates come to over all cells. */
export function selectionTable(summaries: readonly SelectionSummary[], fdr = 0.1): string {
  const lines = summaries.map(({ cell, ranking, seeds, fdp, halfWidth, power, bar }) => {
    const shown = fdp - halfWidth > fdr;
    const verdict = bar === null ? "" : power >= bar ? "yes" : "no";
    const cells = [
      cell,
      ranking,
      seeds,
      `${fdp.toFixed(3)} ± ${halfWidth.toFixed(3)}`,
      shown ? "no" : "yes",
      power.toFixed(3),
      bar ?? "",
      verdict,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const header = [
    ...["cell", "ranking", "seeds", "FDP ± half its 95% interval", `not shown to be above ${fdr}`],
    ...["power", "power asked", "reached"],
  ];
  const asked = summaries.filter(({ ranking }) =>
    ["one covariance", "ensemble meanSquared"].includes(ranking),
  );
  const overall =
    asked.length > 0
      ? `\n\nMean FDP over cells (RATE of one network and mean squared gradient of the ensemble): ${mean(asked.map(({ fdp }) => fdp)).toFixed(4)} (asked: at most ${(fdr * 1.05).toFixed(3)})`
      : "";
  return `${[`| ${header.join(" | ")} |`, `|${header.map(() => "---").join("|")}|`, ...lines].join("\n")}${overall}`;
}

/** What pure noise and rank intervals came to, beside what is asked. */
export function nullTable(results: readonly SelectionResult[]): string {
  const of = (study: NullResult["study"]): NullResult[] =>
    results.filter((row): row is NullResult => row.study === study);
  const lines: string[] = [];
  const noise = of("noise");
  if (noise.length > 0)
    for (const [way, bar] of [
      ["knockoffs", 0.98],
      ["output", 0.85],
      ["refits", 0.85],
    ] as const) {
      const quiet = noise.filter(({ selected }) => selected![way] === 0).length;
      lines.push(
        `| pure noise, ${way}: nothing selected | ${quiet} of ${noise.length} | at least ${Math.round(100 * bar)}% |`,
      );
    }
  const uniform = of("uniform");
  if (uniform.length > 0)
    for (const way of ["output", "refits"] as const) {
      const distance = distanceFromUniform(uniform.map(({ pValues }) => pValues![way]));
      lines.push(
        `| p-values of pure noise, ${way}: √n·distance from uniform | ${distance.toFixed(3)} (${uniform.length} data sets) | below 1.95, level 0.001 |`,
      );
    }
  const shapes = new Map<string, number[]>();
  for (const { rows, variables, covered } of of("coverage")) {
    const shape = `${rows.toLocaleString("en")} × ${variables}`;
    shapes.set(shape, [...(shapes.get(shape) ?? []), covered!]);
  }
  for (const [shape, covered] of shapes)
    lines.push(
      `| 90% rank intervals cover the rank in all rows, ${shape} | ${mean(covered).toFixed(3)} (${covered.length} trials) | 0.85 to 0.95 |`,
    );
  if (lines.length === 0) return "";
  return ["| what | came to | asked |", "|---|---|---|", ...lines].join("\n");
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

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
