import type { RecipeName } from "@ratewise/core/network";
import {
  type MethodsRequest,
  type MethodsResult,
  MOST_SEARCH_ROWS,
  methodsIdentity,
  type SearchResult,
} from "./methods-cell.ts";
import type { DataSet } from "./trained-data-set.ts";

export interface MethodsPlan {
  readonly parts: readonly MethodsRequest["study"][];
  readonly recipes: readonly RecipeName[];
  readonly links: readonly DataSet["link"][];
  readonly rows: readonly number[];
  /** Data sets of a cell, their seeds from `first` on. */
  readonly seeds: number;
  readonly first: number;
  readonly permuted: boolean;
}

/** As in the paper: 30 models, 5 folds. */
const SEARCH = { candidates: 30, folds: 5 } as const;
/** Where every repeat has a search of its own beside the one of the cell, and for how many. */
const OWN_SEARCH = { rows: 3000, repeats: 3 } as const;

/** All there is to do for the paper's methods, the smallest cells first; what a finished search chose is in `done`. */
export function methodsRequests(
  { parts, recipes, links, rows, seeds, first, permuted }: MethodsPlan,
  done: readonly MethodsResult[],
): MethodsRequest[] {
  const requests: MethodsRequest[] = [];
  const repeats = Array.from({ length: seeds }, (_, k) => first + k);
  for (const n of rows)
    for (const link of links) {
      const paper: DataSet = { link, rows: n, recipe: "paper", permuted };
      if (parts.includes("rank"))
        for (const recipe of recipes)
          for (const seed of repeats) requests.push({ study: "rank", ...paper, recipe, seed });
      if (parts.includes("times"))
        for (const seed of repeats) requests.push({ study: "times", ...paper, seed });
      // Cells of more rows than a search sees have one and the same.
      const searched = Math.min(n, MOST_SEARCH_ROWS);
      if (parts.includes("search"))
        requests.push({ study: "search", ...paper, rows: searched, seed: 0, ...SEARCH });
      const chosen = done.find(
        (row): row is SearchResult =>
          row.study === "search" && row.link === link && row.rows === searched && row.seed === 0,
      );
      if (parts.includes("searched") && chosen)
        for (const seed of repeats)
          requests.push({ study: "searched", ...paper, seed, settings: chosen.settings });
      if (parts.includes("search") && n === OWN_SEARCH.rows)
        for (const seed of repeats.slice(0, OWN_SEARCH.repeats))
          requests.push({ study: "search", ...paper, seed, ...SEARCH });
    }
  return requests;
}

/** The first that is not in `done`, or none. What a search chose turns up once it is done. */
export function nextRequest(
  plan: MethodsPlan,
  done: readonly MethodsResult[],
): MethodsRequest | undefined {
  const finished = new Set(done.map(methodsIdentity));
  return methodsRequests(plan, done).find((request) => !finished.has(methodsIdentity(request)));
}
