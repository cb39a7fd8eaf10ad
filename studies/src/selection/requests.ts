import type { RecipeName } from "@ratewise/core/network";
import type { ColumnCorrelation } from "@ratewise/core/simulate";
import { cellRequests } from "../simulation/cell-requests.ts";
import type { KnockoffRequest } from "./knockoff-cell.ts";
import type { NullRequest } from "./null-cell.ts";
import type { SelectionRequest } from "./task.ts";

export interface RequestFilter {
  /** `knockoffs`, `standard`, `correlated`, `noise`, `uniform`, `coverage`. */
  readonly tables: readonly string[];
  readonly rows: readonly number[];
  readonly links: readonly KnockoffRequest["link"][];
  /** Seeds of a knockoff cell where there is time for them; small cells have four times as many. */
  readonly seeds: number;
}

export const tables = [
  "knockoffs",
  "standard",
  "correlated",
  "noise",
  "uniform",
  "coverage",
] as const;

const FDR = 0.1;
const MEMBERS = 5;
/** With up to this many rows, a cell has four times the seeds: 100 for the usual 25. */
const SMALL = 10_000;
/** Rows and variables of the tables whose rank intervals are tried. */
const COVERAGE = [
  [1000, 30],
  [2000, 40],
  [3000, 100],
] as const;
const DESIGNS: readonly ColumnCorrelation[] = [
  { kind: "autoregressive", rho: 0.5 },
  { kind: "blocks", rho: 0.8, size: 5 },
];

/** Everything the tables are made of, cheapest tables first. */
export function selectionRequests({
  tables: wanted,
  rows,
  links,
  seeds,
}: RequestFilter): SelectionRequest[] {
  const requests: SelectionRequest[] = [];
  const nulls = (
    study: NullRequest["study"],
    count: number,
    shape: { rows: number; variables: number },
  ) => {
    if (!wanted.includes(study)) return;
    for (let seed = 1; seed <= count; seed++) requests.push({ study, ...shape, seed, fdr: FDR });
  };
  const share = seeds / 25;
  nulls("noise", Math.ceil(100 * share), { rows: 300, variables: 20 });
  nulls("uniform", Math.ceil(500 * share), { rows: 120, variables: 8 });
  for (const [rows, variables] of COVERAGE)
    nulls("coverage", Math.ceil(40 * share), { rows, variables });
  const cell = (recipe: RecipeName, n: number, correlation: ColumnCorrelation) => {
    const cells = cellRequests({
      ...{ recipes: [recipe], rows: [n], correlations: [correlation], members: MEMBERS },
      ...{ links, first: 1, seeds: n <= SMALL ? 4 * seeds : seeds },
    });
    const how = { study: "knockoffs", method: "minimum-variance", fdr: FDR } as const;
    requests.push(...cells.map((each) => ({ ...how, ...each })));
  };
  for (const n of rows) {
    if (wanted.includes("knockoffs")) cell("paper", n, { kind: "independent" });
    if (wanted.includes("standard") && n <= SMALL) cell("standard", n, { kind: "independent" });
    if (wanted.includes("correlated") && (n === 10_000 || n === 30_000))
      for (const design of DESIGNS) cell("paper", n, design);
  }
  return requests;
}
