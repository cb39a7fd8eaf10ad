import { RatewiseError, shapeError } from "../errors.ts";
import { shapeOf } from "./checks.ts";
import { type Matrix, selectColumns } from "./matrix.ts";
import { multiply, transposeMultiply } from "./products.ts";
import { qr } from "./qr.ts";
import { svd } from "./svd.ts";

export interface TopOptions {
  /** Stop when every residual is below this share of the largest value. Default 1e-10. */
  readonly tolerance?: number;
  /** Products with A (and Aᵀ), at most. Default 50. */
  readonly iterations?: number;
}

export interface TopSvd {
  /** σ₁ ≥ σ₂ ≥ … */
  readonly values: Float64Array;
  /** n×count. */
  readonly U: Matrix;
  /** p×count. */
  readonly V: Matrix;
  /** ‖A v_i − σ_i u_i‖, while Aᵀu_i = σ_i v_i to rounding. */
  readonly residuals: Float64Array;
  readonly converged: boolean;
}

/**
 * The `count` largest singular triplets of A (n×p), for matrices too large for `svd`, by the same iteration
 * on AᵀA without forming it; `start` is p×m. 4npm operations an iteration.
 */
export function topSvd(
  A: Matrix,
  count: number,
  start: Matrix,
  { tolerance = 1e-10, iterations = 50 }: TopOptions = {},
): TopSvd {
  requireStart("topSvd", start, A.cols, count);
  let Q = qr(multiply(A, start)).Q;
  for (let step = 1; ; step++) {
    const AtQ = transposeMultiply(A, Q);
    const inner = svd(AtQ);
    const first = Array.from({ length: Math.min(count, inner.values.length) }, (_, i) => i);
    const values = inner.values.slice(0, first.length);
    const V = selectColumns(inner.U, first);
    const U = multiply(Q, selectColumns(inner.V, first));
    const residuals = distances(multiply(A, V), U, values);
    const converged = isSmall(residuals, tolerance, values);
    if (converged || step >= iterations) return { values, U, V, residuals, converged };
    Q = qr(multiply(A, qr(AtQ).Q)).Q;
  }
}

function requireStart(where: string, start: Matrix, rows: number, count: number): void {
  if (!Number.isInteger(count) || count < 1)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs a count of 1, 2, 3, …, got ${count}`,
      count,
    });
  if (start.rows !== rows || start.cols < count || start.cols > rows)
    throw shapeError(where, `a start of ${rows} × (${count} … ${rows})`, shapeOf(start));
}

/** ‖y_i − scale_i x_i‖ for the columns of Y and X. */
function distances(Y: Matrix, X: Matrix, scales: Float64Array): Float64Array {
  const sums = new Float64Array(X.cols);
  for (let at = 0; at < X.data.length; at++) {
    const column = at % X.cols;
    sums[column] += (Y.data[at] - scales[column] * X.data[at]) ** 2;
  }
  return sums.map(Math.sqrt);
}

function isSmall(residuals: Float64Array, tolerance: number, values: Float64Array): boolean {
  const bound = tolerance * Math.abs(values[0] ?? 0);
  return residuals.every((residual) => residual <= bound);
}
