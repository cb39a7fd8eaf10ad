import { exp } from "../elementary/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { firstNonFinite, type Matrix, matrix } from "../linalg/index.ts";
import { selectColumns } from "../linalg/matrix.ts";
import type { LearnerTask } from "./learner.ts";

/** How scores become predictions. `one-vs-rest`: a logistic score a class, the probabilities divided by their sum. */
export type LinearLink = "identity" | "logistic" | "softmax" | "one-vs-rest";

/** Predictions that are linear in the columns, up to a link. Plain data. */
export interface LinearModel {
  readonly kind: "linear-model";
  readonly task: LearnerTask;
  readonly link: LinearLink;
  /** outputs×p, in the units of the columns. */
  readonly coefficients: Matrix;
  readonly intercepts: Float64Array;
  /** Standard deviations of the training columns. */
  readonly scales: Float64Array;
  /** Columns in the order of their names. Sums are formed in it, so that permuting named columns changes no bit. */
  readonly order: Uint32Array;
}

/** n×1 means, or n×classes probabilities. O(n·p·outputs). */
export function predictLinearModel(model: LinearModel, X: Matrix): Matrix {
  const { coefficients, task, link } = model;
  if (X.cols !== coefficients.cols)
    throw shapeError(
      "predictLinearModel",
      `${coefficients.cols} columns, as in the fit`,
      `${X.cols}`,
    );
  const scores = linearScores(model, X);
  if (task.kind === "regression") return scores;
  const out = matrix(X.rows, task.classes);
  for (let i = 0; i < X.rows; i++) {
    const row = scores.data.subarray(i * scores.cols, (i + 1) * scores.cols);
    if (link === "logistic") out.data.set([sigmoid(-row[0]), sigmoid(row[0])], 2 * i);
    else out.data.set(shares(row, link), i * task.classes);
  }
  return out;
}

function linearScores({ coefficients, intercepts, order }: LinearModel, X: Matrix): Matrix {
  const { rows, cols } = X;
  const outputs = intercepts.length;
  const out = matrix(rows, outputs);
  for (let i = 0; i < rows; i++)
    for (let c = 0; c < outputs; c++) {
      let sum = 0;
      for (let k = 0; k < cols; k++) {
        const j = order[k];
        sum += X.data[i * cols + j] * coefficients.data[c * cols + j];
      }
      out.data[i * outputs + c] = sum + intercepts[c];
    }
  return out;
}

function shares(scores: Float64Array, link: LinearLink): Float64Array {
  const most = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const parts = scores.map((score) => (link === "softmax" ? exp(score - most) : sigmoid(score)));
  const sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => (sum > 0 ? part / sum : 1 / parts.length));
}

/** 1/(1 + e^(−x)) without overflow. */
export function sigmoid(x: number): number {
  const e = exp(-Math.abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/** |b_j|·sd(x_j), over several outputs the root of the sum of squares: comparable between columns. */
export function linearImportance({ coefficients, scales }: LinearModel): Float64Array {
  const { rows: outputs, cols } = coefficients;
  return Float64Array.from({ length: cols }, (_, j) => {
    let squares = 0;
    for (let c = 0; c < outputs; c++)
      squares += coefficients.data[c * cols + j] * coefficients.data[c * cols + j];
    return Math.sqrt(squares) * scales[j];
  });
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

/** Rows of coefficients of ordered columns, back in the columns' own places. */
export function outOfOrder(rows: readonly Float64Array[], order: Uint32Array): Matrix {
  const out = matrix(rows.length, order.length);
  rows.forEach((row, c) => {
    for (let k = 0; k < order.length; k++) out.data[c * order.length + order[k]] = row[k];
  });
  return out;
}

/** Means and standard deviations (n) of the columns; scale 0 where a column is constant. */
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
  throw new RatewiseError(
    "domain",
    `${where}: needs finite inputs, got ${X.data[at]} in row ${row}, column ${column}; fill or drop missing values first`,
    { row, column },
  );
}
