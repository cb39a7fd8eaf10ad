import { RatewiseError, shapeError } from "../errors.ts";
import { firstNonFinite, type Matrix, matrix } from "../linalg/index.ts";
import { selectColumns } from "../linalg/matrix.ts";
import type { LearnerTask } from "./learner.ts";

/** Predictions that are linear in the columns. Plain data. */
export interface LinearModel {
  readonly kind: "linear-model";
  /** One for each column, in its own units. */
  readonly coefficients: Float64Array;
  readonly intercept: number;
  /** Standard deviations of the training columns. */
  readonly scales: Float64Array;
  /** Columns in the order of their names. Sums are formed in it, so that permuting named columns changes no bit. */
  readonly order: Uint32Array;
}

/** Throws where classes are to be learned. */
export function requireNumbers(where: string, task: LearnerTask): void {
  if (task.kind !== "regression")
    throw new RatewiseError("domain", {
      in: where,
      what: "needs a target of numbers, got classes",
      advice: "use a forest or boosting",
    });
}

/** n×1 means. O(n·p). */
export function predictLinearModel(
  { coefficients, intercept, order }: LinearModel,
  X: Matrix,
): Matrix {
  const { rows, cols } = X;
  if (cols !== coefficients.length)
    throw shapeError(
      "predictLinearModel",
      `${coefficients.length} columns, as in the fit`,
      `${cols}`,
    );
  const out = matrix(rows, 1);
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (const j of order) sum += X.data[i * cols + j] * coefficients[j];
    out.data[i] = sum + intercept;
  }
  return out;
}

/** |b_j|·sd(x_j): comparable between columns. */
export function linearImportance({ coefficients, scales }: LinearModel): Float64Array {
  return coefficients.map((b, j) => Math.abs(b) * scales[j]);
}

/** Columns sorted by name; as they stand where they have none. */
export function columnOrder(names: readonly string[] | undefined, cols: number): Uint32Array {
  const order = Uint32Array.from({ length: cols }, (_, j) => j);
  if (!names) return order;
  return order.sort((a, b) => (names[a] < names[b] ? -1 : 1));
}

/** Columns of X in the given order, X itself where it is that already. */
export function inOrder(X: Matrix, order: Uint32Array): Matrix {
  return order.every((j, k) => j === k) ? X : selectColumns(X, order);
}

/** Values of ordered columns, back in the columns' own places. */
export function outOfOrder(values: Float64Array, order: Uint32Array): Float64Array {
  const out = new Float64Array(values.length);
  order.forEach((j, k) => {
    out[j] = values[k];
  });
  return out;
}

/**
 * Means and standard deviations (n) of the columns, in one pass; scale 0 and the very value where a column is constant. Other
 * last bits than `meansOfColumns` and `squaresOfColumns` have, and the linear models depend on them.
 */
export function columnMoments({ data, rows, cols }: Matrix): {
  means: Float64Array;
  scales: Float64Array;
} {
  const means = new Float64Array(cols);
  const squares = new Float64Array(cols);
  const varies = new Uint8Array(cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) {
      const value = data[i * cols + j];
      if (value !== data[j]) varies[j] = 1;
      const delta = value - means[j]; // Welford
      means[j] += delta / (i + 1);
      squares[j] += delta * (value - means[j]);
    }
  for (let j = 0; j < cols; j++) if (!varies[j]) means[j] = data[j];
  return { means, scales: squares.map((sum, j) => (varies[j] ? Math.sqrt(sum / rows) : 0)) };
}

/** (X − mean)/scale by column, constant columns zeros. */
export function standardised(
  { data, rows, cols }: Matrix,
  means: Float64Array,
  scales: Float64Array,
): Matrix {
  const out = matrix(rows, cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++)
      if (scales[j] > 0) out.data[i * cols + j] = (data[i * cols + j] - means[j]) / scales[j];
  return out;
}

/** A sum has no place for a missing value. */
export function checkFinite(where: string, X: Matrix): void {
  const at = firstNonFinite(X.data);
  if (at < 0) return;
  const [row, column] = [Math.floor(at / X.cols), at % X.cols];
  throw new RatewiseError("domain", {
    in: where,
    what: `needs finite inputs, got ${X.data[at]} in row ${row}, column ${column}`,
    advice: "fill or drop missing values first",
    row,
    column,
  });
}
