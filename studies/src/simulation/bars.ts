import type { StudyTable } from "../study/study.ts";
import type { RankingAreas } from "./cell.ts";
import type { CellSummary } from "./summary.ts";

/** A median that is asked to reach a number in some cells. */
interface Bar {
  readonly what: string;
  readonly recipe: "paper" | "standard";
  readonly columns?: "autoregressive" | "blocks";
  /** The value of a cell, and which form of the gradient score it is. */
  readonly pick: (summary: CellSummary) => readonly [value: number, form: string];
  /** By rows: at least this for regression, and for classification. */
  readonly atLeast: Readonly<Record<number, readonly [number, number]>>;
}

const GRADIENT_FORMS = ["full", "weak", "meanSquared"] as const;
/** A median this near to its bar wants more seeds. */
const NEAR = 0.01;
const MANY_SEEDS = 50;

const full = ({ one }: CellSummary) => [one.full, "full"] as const;
const best = ({ ensemble }: CellSummary) => bestForm(ensemble);

/** What the study is asked to show; the paper's own medians are in figure.ts. */
export const bars: readonly Bar[] = [
  {
    what: "RATE of covariances, one network",
    recipe: "paper",
    pick: ({ one }) => [one.covariance, "—"],
    atLeast: { 3e3: [0.8, 0.62], 1e4: [0.89, 0.8], 3e4: [0.94, 0.895], 1e5: [0.965, 0.94] },
  },
  {
    what: "gradient RATE, one network",
    recipe: "paper",
    pick: full,
    atLeast: { 3e3: [0.8, 0.66], 1e4: [0.915, 0.84], 3e4: [0.95, 0.925], 1e5: [0.96, 0.955] },
  },
  {
    what: "gradient RATE, one network",
    recipe: "standard",
    pick: full,
    atLeast: { 3e3: [0.91, 0.75], 1e4: [0.95, 0.9], 3e4: [0.965, 0.945], 1e5: [0.97, 0.955] },
  },
  {
    what: "best gradient form, five networks",
    recipe: "paper",
    pick: best,
    atLeast: { 3e3: [0.85, 0.75], 1e4: [0.95, 0.87], 3e4: [0.975, 0.945], 1e5: [0.985, 0.97] },
  },
  {
    what: "best gradient form, five networks",
    recipe: "standard",
    pick: best,
    atLeast: { 3e3: [0.93, 0.78], 1e4: [0.965, 0.935], 3e4: [0.97, 0.965], 1e5: [0.98, 0.97] },
  },
  {
    what: "R² or accuracy on fresh rows, five networks",
    recipe: "standard",
    pick: ({ ensembleScore }) => [ensembleScore, "—"],
    atLeast: { 3e3: [0.36, 0.62], 1e4: [0.48, 0.66], 3e4: [0.53, 0.68], 1e5: [0.55, 0.7] },
  },
  {
    what: "gradient RATE, one network, AR(1) 0.5",
    recipe: "standard",
    columns: "autoregressive",
    pick: full,
    atLeast: { 1e4: [0.935, 0.92] },
  },
  {
    what: "gradient RATE, one network, blocks of 5 at 0.8",
    recipe: "standard",
    columns: "blocks",
    pick: full,
    atLeast: { 1e4: [0.93, 0.92] },
  },
];

/** A bar in one cell. */
export interface BarRow {
  readonly what: string;
  readonly cell: string;
  readonly seeds: number;
  readonly median: number | null;
  readonly form: string;
  readonly atLeast: number;
  readonly verdict: string;
}

/** Every bar beside its median; cells that were not run are said to be missing. */
export function barRows(summaries: readonly CellSummary[]): BarRow[] {
  return bars.flatMap(({ what, recipe, columns, pick, atLeast }) =>
    ["regression", "classification"].flatMap((task, at) =>
      Object.entries(atLeast).map(([rows, wanted]) => {
        const size = Number(rows).toLocaleString("en");
        const cell = [recipe, task, ...(columns ? [columns] : []), size].join(" ");
        const found = summaries.find((summary) => summary.cell === cell);
        const [value, form] = found ? pick(found) : [Number.NaN, "—"];
        return {
          ...{ what, cell, form, seeds: found?.seeds ?? 0, median: found ? value : null },
          ...{ atLeast: wanted[at], verdict: verdict(value, wanted[at], found?.seeds) },
        };
      }),
    ),
  );
}

/** The same as a table. */
export function barsTable(title: string, rows: readonly BarRow[]): StudyTable {
  return {
    title,
    columns: ["what", "cell", "data sets", "median", "form", "at least", ""],
    rows: rows.map(({ what, cell, seeds, median, form, atLeast, verdict: told }) => [
      ...[what, cell, seeds, median === null ? "not run" : median.toFixed(3), form, atLeast, told],
    ]),
  };
}

function bestForm(areas: RankingAreas): readonly [number, string] {
  const [form] = [...GRADIENT_FORMS].sort((a, b) => areas[b] - areas[a]);
  return [areas[form], form];
}

function verdict(value: number, atLeast: number, seeds: number | undefined): string {
  if (seeds === undefined) return "not run";
  const near =
    Math.abs(value - atLeast) <= NEAR && seeds < MANY_SEEDS ? ", near: wants 50 seeds" : "";
  return `${value >= atLeast ? "holds" : "missed"}${near}`;
}
