import { fold, type Key, type Matrix, matrix, normals } from "@ratewise/core";
import { project } from "@ratewise/core/effects";
import { permutation } from "@ratewise/core/random";

export interface RepeatOptions {
  readonly key: Key;
  readonly rows: number;
  readonly correlation: number;
  readonly permuted: boolean;
}

/** Estimates of the two effects from one simulated data set. */
export interface Estimates {
  readonly ols: readonly [number, number];
  readonly covariance: readonly [number, number];
}

const EFFECTS = [2, -2] as const;

/** y = 2x₁ − 2x₂ + ε with standard normal columns of the given correlation and noise (the paper's supplement 1). */
export function estimateOnce({ key, rows, correlation, permuted }: RepeatOptions): Estimates {
  const X = matrix(rows, 2);
  const y = matrix(rows, 1);
  const next = normals(key);
  const rest = Math.sqrt(1 - correlation ** 2);
  for (let i = 0; i < rows; i++) {
    const first = next();
    const second = correlation * first + rest * next();
    X.data.set([first, second], 2 * i);
    y.data[i] = EFFECTS[0] * first + EFFECTS[1] * second + next();
  }
  return estimatesOf(X, permuted ? permuteRows(y, fold(key, "permuted")) : y);
}

function estimatesOf(X: Matrix, y: Matrix): Estimates {
  const of = (projection: "linear" | "covariance"): [number, number] => {
    const { hidden } = project(X, y, { projection });
    return [hidden.data[0], hidden.data[1]];
  };
  return { ols: of("linear"), covariance: of("covariance") };
}

function permuteRows(y: Matrix, key: Key): Matrix {
  const order = permutation(key, y.rows);
  return matrix(
    y.rows,
    1,
    Float64Array.from(order, (row) => y.data[row]),
  );
}
