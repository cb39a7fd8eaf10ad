import { weightedMean } from "../linalg/moments.ts";
import type { Rows } from "../linalg/rows.ts";
import { fold, type Key } from "../random/index.ts";
import { constantPart } from "./constant-part.ts";
import type { Layout } from "./layout.ts";
import { fitLinearPart, type LinearPart, linearOutputs } from "./linear-part.ts";
import type { RowSplit } from "./row-splits.ts";
import { heldBackWeights, type RowWeights } from "./row-weights.ts";
import { rowLosses } from "./validation-score.ts";

/** The linear parts of a fit: one for each split, of its training rows, and one of all rows. */
export interface LinearParts {
  /** Whether they predict the rows held back better than a constant; otherwise they are one. */
  readonly worthwhile: boolean;
  /** @param split its place, or null for all rows */
  readonly part: (split: number | null) => LinearPart;
  /** Its f at every row, n×outputs. */
  readonly offsets: (split: number | null) => Float64Array;
  /** Its f at some rows, from what the split's training rows taught. */
  readonly outputsOf: (split: number, rows: Uint32Array) => Float64Array;
  /** Its f at every row held back, split after split. */
  readonly heldBack: () => Float64Array;
}

/**
 * Each is fitted when it is first asked for. The directions of a wide table are the same for all. Where the rows held back
 * are predicted no better than by a constant, a constant takes their place.
 */
export function linearParts(
  X: Rows,
  target: Float64Array,
  layout: Pick<Layout, "link" | "outputs">,
  splits: readonly RowSplit[],
  key: Key,
  weights: RowWeights = null,
): LinearParts {
  const own = fold(key, "linear");
  const rowsOf = (split: number | null): Uint32Array =>
    split === null ? Uint32Array.from({ length: X.rows }, (_, i) => i) : splits[split].trainingRows;
  const linear = partsOf(X, layout, splits, (split, first) =>
    fitLinearPart(X, target, layout, {
      rows: rowsOf(split),
      key: own,
      weights,
      ...(first && { combinations: first.combinations }),
    }),
  );
  const constant = partsOf(X, layout, splits, (split) =>
    constantPart(X.cols, target, layout, rowsOf(split), weights),
  );
  const rows = Uint32Array.from(splits.flatMap(({ validationRows }) => [...validationRows]));
  const lossOf = ({ heldBack }: Pick<LinearParts, "heldBack">): number =>
    weightedMean(rowLosses(layout, heldBack(), target, rows), heldBackWeights(splits, weights));
  // Its prior shrinks it towards the constant already: it need not prove itself once more.
  const worthwhile = rows.length === 0 || lossOf(linear) < lossOf(constant);
  return { worthwhile, ...(worthwhile ? linear : constant) };
}

function partsOf(
  X: Rows,
  layout: Pick<Layout, "link" | "outputs">,
  splits: readonly RowSplit[],
  make: (split: number | null, first: LinearPart | null) => LinearPart,
): Omit<LinearParts, "worthwhile"> {
  const parts = new Map<number | null, LinearPart>();
  const offsets = new Map<number | null, Float64Array>();
  const part = (split: number | null): LinearPart =>
    kept(parts, split, () => make(split, split === 0 ? null : part(0)));
  const offsetsOf = (split: number | null): Float64Array =>
    kept(offsets, split, () => linearOutputs(part(split), X));
  const outputsOf = (split: number, rows: Uint32Array): Float64Array => {
    const f = offsetsOf(split);
    const { outputs } = layout;
    const own = new Float64Array(rows.length * outputs);
    rows.forEach((row, at) => {
      own.set(f.subarray(row * outputs, (row + 1) * outputs), at * outputs);
    });
    return own;
  };
  return {
    part,
    offsets: offsetsOf,
    outputsOf,
    heldBack: () =>
      Float64Array.from(
        splits.flatMap(({ validationRows }, s) => [...outputsOf(s, validationRows)]),
      ),
  };
}

function kept<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
