import { meanOf } from "../linalg/moments.ts";
import { checkRowWeights } from "../posterior/row-counts.ts";
import type { RowSplit } from "./row-splits.ts";

/** What each row's loss counts; null where all count the same. */
export type RowWeights = Float64Array | null;

/** Over their mean, so that only their ratios matter: what a prior says is held against as many rows as there are. */
export function meanOneWeights(
  where: string,
  weights: Float64Array | undefined,
  rows: number,
): RowWeights {
  if (!weights) return null;
  checkRowWeights(where, weights, rows);
  if (weights.every((weight) => weight === weights[0])) return null;
  const mean = meanOf(weights);
  return weights.map((weight) => weight / mean);
}

/** Σ of the rows' weights; their number where all count the same. */
export function weightOf(rows: Uint32Array, weights: RowWeights): number {
  return weights ? rows.reduce((sum, row) => sum + weights[row], 0) : rows.length;
}

/** Weights of the rows held back, split after split, as their losses are told. */
export function heldBackWeights(splits: readonly RowSplit[], weights: RowWeights): RowWeights {
  if (!weights) return null;
  const rows = splits.flatMap(({ validationRows }) => [...validationRows]);
  return Float64Array.from(rows, (row) => weights[row]);
}
