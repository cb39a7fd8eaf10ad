import type { FloatArray } from "../compute/index.ts";
import { type Matrix, matrix, multiply, transpose } from "../linalg/index.ts";
import { weightedMean } from "../linalg/moments.ts";
import type { Rows } from "../linalg/rows.ts";
import { topSvd } from "../linalg/top-svd.ts";
import { bayesianLinearRegression } from "../posterior/index.ts";
import { type LinearClassifier, linearClassifier } from "../posterior/linear-classifier.ts";
import { countedRows } from "../posterior/row-counts.ts";
import { fold, type Key, normals, subsample } from "../random/index.ts";
import type { Layout } from "./layout.ts";
import type { RowWeights } from "./row-weights.ts";

/** The part of f that is linear in the inputs: Bayesian ridge or logistic regression. */
export interface LinearPart {
  /** Combinations of the columns that stand in for them, p×r; null for the columns as they are. */
  readonly combinations: Matrix | null;
  /** β, outputs×r. */
  readonly weights: Matrix;
  readonly bias: Float64Array;
  /** σ_k² of the prior of every output's β_k, r: by evidence, the same for columns in units of their standard deviation. */
  readonly priorVariance: Float64Array;
}

/** Columns up to which each has a weight of its own; wider tables have weights for as many leading combinations as {@link RANK}. */
const MOST_COLUMNS = 256;
const RANK = 64;
/** Rows that choose the combinations of a wide table: they are directions, and thousands of rows show them. */
const ROWS_FOR_DIRECTIONS = 4000;

export interface LinearPartOptions {
  readonly rows: Uint32Array;
  readonly key: Key;
  /** Found before for the same columns; default found here. */
  readonly combinations?: Matrix | null;
  /** What each row of X counts; default the same. */
  readonly weights?: RowWeights;
}

/**
 * The linear model with the prior variance that its evidence prefers, fitted to some rows. O(n·r² + r³), r the columns or
 * their combinations; no p×p matrix where the table is wide.
 */
export function fitLinearPart(
  X: Rows,
  y: FloatArray,
  layout: Pick<Layout, "link" | "outputs">,
  options: LinearPartOptions,
): LinearPart {
  const { rows, key, combinations = leadingCombinations(X, options) } = options;
  const weights = options.weights
    ? Float64Array.from(rows, (row) => options.weights![row])
    : undefined;
  const own = rowsOf(X, rows);
  const H = combinations ? multiply(own, combinations) : own;
  // Combinations say by their spread how much they have to say.
  const scale = combinations ? new Float64Array(H.cols).fill(1) : scaleColumnsInPlace(H, weights);
  const response = Float64Array.from(rows, (row) => y[row]);
  if (layout.link !== "identity")
    return {
      combinations,
      ...inOwnUnits(
        linearClassifier(H, response, { outputs: layout.outputs, key, weights }),
        scale,
      ),
    };
  if (rows.length < 3 || response.every((value) => value === response[0])) {
    const [weights, bias] = [matrix(1, H.cols), Float64Array.of(response[0])];
    return { combinations, ...inOwnUnits({ weights, bias, priorVariance: 1 }, scale) };
  }
  const fitted = bayesianLinearRegression(H, response, { weights });
  const { priorVariance, intercept } = fitted;
  const linear = {
    weights: matrix(1, H.cols, fitted.weights.mean),
    bias: Float64Array.of(intercept),
  };
  return { combinations, ...inOwnUnits({ ...linear, priorVariance }, scale) };
}

/** Divides columns by their standard deviations, which it returns; a constant column stays as it is. */
function scaleColumnsInPlace(H: Matrix, weights: Float64Array | undefined): Float64Array {
  const scale = Float64Array.from({ length: H.cols }, (_, j) => {
    const column = Float64Array.from({ length: H.rows }, (_, i) => H.data[i * H.cols + j]);
    const mean = weightedMean(column, weights ?? null);
    const squares = column.map((value) => (value - mean) ** 2);
    return Math.sqrt(weightedMean(squares, weights ?? null)) || 1;
  });
  for (let e = 0; e < H.data.length; e++) H.data[e] /= scale[e % H.cols];
  return scale;
}

/** Weights of columns that were divided by `scale`, as weights of the columns. */
function inOwnUnits(
  { weights, bias, priorVariance }: LinearClassifier,
  scale: Float64Array,
): Omit<LinearPart, "combinations"> {
  const { rows, cols, data } = weights;
  return {
    weights: matrix(
      rows,
      cols,
      data.map((weight, e) => weight / scale[e % cols]),
    ),
    bias,
    priorVariance: scale.map((own) => priorVariance / own ** 2),
  };
}

/** xᵀβ + b of every row of X, n×outputs. */
export function linearOutputs({ combinations, weights, bias }: LinearPart, X: Rows): Float64Array {
  const all = matrix(X.rows, X.cols, Float64Array.from(X.data));
  const H = combinations ? multiply(all, combinations) : all;
  const F = multiply(H, transpose(weights)).data;
  for (let e = 0; e < F.length; e++) F[e] += bias[e % bias.length];
  return F;
}

/** The directions in which a wide table varies most; null where each column can have a weight of its own. */
function leadingCombinations(X: Rows, { rows, key, weights }: LinearPartOptions): Matrix | null {
  if (X.cols <= MOST_COLUMNS) return null;
  const some =
    rows.length <= ROWS_FOR_DIRECTIONS
      ? rows
      : subsample(fold(key, "directions"), rows.length, ROWS_FOR_DIRECTIONS).map((at) => rows[at]);
  const rank = Math.min(RANK, some.length);
  const next = normals(fold(key, "start"));
  const width = Math.min(rank + 8, X.cols);
  const start = matrix(X.cols, width, Float64Array.from({ length: X.cols * width }, next));
  const counted = weights
    ? countedRows(
        rowsOf(X, some),
        Float64Array.from(some, (row) => weights[row]),
      )
    : rowsOf(X, some);
  return topSvd(counted, rank, start, { tolerance: 1e-3, iterations: 4 }).V;
}

function rowsOf(X: Rows, rows: Uint32Array): Matrix {
  const out = matrix(rows.length, X.cols);
  rows.forEach((row, at) => {
    out.data.set(X.data.subarray(row * X.cols, (row + 1) * X.cols), at * X.cols);
  });
  return out;
}
