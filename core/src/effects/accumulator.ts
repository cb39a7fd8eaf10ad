import { RatewiseError, shapeError } from "../errors.ts";
import { matrix } from "../linalg/matrix.ts";
import { addPieces, type ColumnAccumulator } from "./column-accumulator.ts";
import type { EffectSizes } from "./effect-sizes.ts";
import type { GaussianWeights } from "./gaussian-weights.ts";
import { variableNames } from "./names.ts";
import { type NoiseOptions, type Piece, type Projected, weighPieces } from "./projected.ts";
import { addAccumulated, type RowAccumulator, rowAccumulator } from "./row-accumulator.ts";
import { checkCovered } from "./spans.ts";

/** The covariance projection of an X that is never in memory whole. Both kinds are plain data. */
export type CovarianceAccumulator = RowAccumulator | ColumnAccumulator;

/**
 * One accumulator of all the rows (or columns) that the parts have seen. The parts are joined in the
 * order of the first row or column they hold, not in the order given, so that the answer does not
 * depend on which worker was done first; they are left as they were.
 */
export function mergeAccumulators(parts: readonly CovarianceAccumulator[]): CovarianceAccumulator {
  const firstOf = (part: CovarianceAccumulator) => part.spans[0]?.start ?? 0;
  const [head, ...rest] = [...parts].sort((a, b) => firstOf(a) - firstOf(b));
  if (head === undefined)
    throw new RatewiseError("domain", {
      in: "mergeAccumulators",
      what: "needs at least one accumulator, got none",
    });
  const merged: CovarianceAccumulator =
    head.kind === "rows" ? rowAccumulator(head) : { ...head, spans: [], pieces: [] };
  for (const part of [head, ...rest]) {
    if (merged.kind === "rows" && part.kind === "rows") addAccumulated(merged, part);
    else if (merged.kind === "columns" && part.kind === "columns") addPieces(merged, part);
    else
      throw new RatewiseError("domain", {
        in: "mergeAccumulators",
        what: "needs accumulators of one kind, got rows and columns",
        advice: "stream the whole table one way",
      });
  }
  return merged;
}

export interface FinishOptions extends NoiseOptions {
  readonly names?: readonly string[];
}

/**
 * Effect sizes for weights w ~ N(m, V) from everything the accumulator has seen: with M the sums of
 * products and q the sums of squares, mean = M m/(n−1), factor = M·F/(n−1), noise = τ² q/(n−1)².
 * Rows or columns that are missing are an error. O(p·l²); allocates the p×l factor and nothing of that size beside.
 */
export function finishAccumulator(
  accumulator: CovarianceAccumulator,
  weights: GaussianWeights,
  options: FinishOptions = {},
): EffectSizes {
  const where = "finishAccumulator";
  const { n, pieces } = complete(where, accumulator);
  const names = variableNames(where, accumulator.columns, options.names);
  return weighPieces(where, pieces, 1 / (n - 1), names, weights, options);
}

/** B and diag(P Pᵀ) alone, for several sets of weights: classes, contrasts, refits. */
export function accumulatedProjection(
  accumulator: CovarianceAccumulator,
  names?: readonly string[],
): Projected {
  const where = "accumulatedProjection";
  const { n, pieces } = complete(where, accumulator);
  const p = accumulator.columns;
  const l = pieces[0].product.cols;
  const hidden = matrix(p, l);
  const squaredNorms = new Float64Array(p);
  for (const { first, product, squares } of pieces) {
    for (let e = 0; e < product.data.length; e++)
      hidden.data[first * l + e] = product.data[e] / (n - 1);
    for (let j = 0; j < squares.length; j++) squaredNorms[first + j] = squares[j] / (n - 1) ** 2;
  }
  return { names: variableNames(where, p, names), hidden, squaredNorms };
}

/** n and the pieces, once every row or column is known to be there. */
function complete(
  where: string,
  accumulator: CovarianceAccumulator,
): { readonly n: number; readonly pieces: readonly Piece[] } {
  const byRows = accumulator.kind === "rows";
  const n = byRows ? accumulator.seen : accumulator.hidden.rows;
  if (byRows) {
    const total = accumulator.rows ?? accumulator.spans.at(-1)?.end ?? 0;
    checkCovered(where, "rows", accumulator.spans, total);
  } else checkCovered(where, "columns", accumulator.spans, accumulator.columns);
  if (n < 2) throw shapeError(where, "at least 2 rows", `${n}`);
  if (!byRows) return { n, pieces: accumulator.pieces };
  const { product, squares } = accumulator;
  return { n, pieces: [{ first: 0, product, squares }] };
}
