import type { RecipeName } from "@ratewise/core/network";
import type { CellRequest } from "./cell.ts";

export interface CellPlan {
  readonly recipes: readonly RecipeName[];
  readonly rows: readonly number[];
  readonly links: readonly CellRequest["link"][];
  readonly correlations: readonly CellRequest["correlation"][];
  /** Data sets of a cell, their seeds from `first` on. */
  readonly seeds: number;
  readonly first: number;
  readonly members: number;
}

/** Every data set of some cells, the cells one after another. */
export function cellRequests(plan: CellPlan): CellRequest[] {
  const requests: CellRequest[] = [];
  const { recipes, links, correlations, seeds, first, members } = plan;
  for (const correlation of correlations)
    for (const recipe of recipes)
      for (const rows of plan.rows)
        for (const link of links)
          for (let seed = first; seed < first + seeds; seed++)
            requests.push({ link, rows, seed, recipe, correlation, members });
  return requests;
}

/** What makes a row of the journal one of its kind. */
export const cellIdentity = (row: CellRequest): string =>
  JSON.stringify([row.link, row.rows, row.seed, row.recipe, row.correlation, row.members]);
