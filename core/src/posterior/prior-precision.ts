import { RatewiseError } from "../errors.ts";
import { eigenvalues } from "../linalg/eigh.ts";
import { choleskySolve, type Matrix, matrix, tryCholesky } from "../linalg/index.ts";

/**
 * The precision λ of the prior w ~ N(0, I/λ) that maximises Laplace's evidence at fixed weights (MacKay 1992),
 *
 *     log p(y | λ) = const − ½λ‖w‖² + ½ d log λ − ½ Σ log(e_k + λ),
 *
 * e the eigenvalues of the likelihood's Hessian: the one root of Σ e_k/(e_k + λ) = λ‖w‖², whose left side falls and
 * whose right side rises. By halving the interval's logarithm; the response does not enter.
 */
export function evidencePrecision(curvatures: Float64Array, squaredNorm: number): number {
  const where = "evidencePrecision";
  if (!(squaredNorm > 0 && Number.isFinite(squaredNorm)))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs weights that are not all 0, got ‖w‖² = ${squaredNorm}`,
      advice: "give the prior precision",
    });
  const e = curvatures.map((value) => Math.max(0, value));
  const determined = (lambda: number) =>
    e.reduce((sum, value) => sum + value / (value + lambda), 0);
  if (!(e.reduce((sum, value) => sum + value, 0) > 0))
    throw new RatewiseError("domain", {
      in: where,
      what: "the rows do not determine the weights (the likelihood is flat)",
      advice: "give more rows or a prior precision",
    });
  // At most d directions are determined, so the root is below d/‖w‖²; it is positive.
  let high = e.length / squaredNorm;
  let low = high;
  while (determined(low) < low * squaredNorm) low /= 16;
  while (high / low > 1 + 1e-13) {
    const middle = Math.sqrt(low) * Math.sqrt(high);
    if (middle <= low || middle >= high) break;
    if (determined(middle) > middle * squaredNorm) low = middle;
    else high = middle;
  }
  return Math.sqrt(low) * Math.sqrt(high);
}

/**
 * Eigenvalues of a likelihood's Hessian in the weights, biases integrated out: of the Schur complement
 * H_ww − H_wb H_bb⁻¹ H_bw.
 *
 * @param width columns of a class's block, of which the last `biasColumns` belong to biases
 */
export function curvaturesOf(hessian: Matrix, width: number, biasColumns: number): Float64Array {
  if (biasColumns === 0) return eigenvalues(hessian);
  const all = Array.from({ length: hessian.rows }, (_, e) => e);
  const weights = all.filter((e) => e % width < width - biasColumns);
  const biases = all.filter((e) => e % width >= width - biasColumns);
  // All biases of a softmax may move together for nothing: then the last one is held.
  const whole = tryCholesky(pick(hessian, biases, biases));
  const free = whole.result === "ok" && wellApart(whole.value) ? biases : biases.slice(0, -1);
  const schur = pick(hessian, weights, weights);
  if (free.length > 0) {
    const factored = tryCholesky(pick(hessian, free, free));
    if (factored.result !== "ok")
      throw new RatewiseError("not-positive-definite", {
        in: "evidencePrecision",
        what: "needs biases that the rows determine",
      });
    const across = pick(hessian, free, weights);
    const solved = choleskySolve(factored.value, across);
    for (let i = 0; i < schur.rows; i++)
      for (let j = 0; j < schur.cols; j++)
        for (let k = 0; k < free.length; k++)
          schur.data[i * schur.cols + j] -=
            across.data[k * across.cols + i] * solved.data[k * solved.cols + j];
  }
  for (let i = 0; i < schur.rows; i++)
    for (let j = 0; j < i; j++) schur.data[j * schur.cols + i] = schur.data[i * schur.cols + j];
  return eigenvalues(schur);
}

/** Whether no pivot is a rounding error of the others. */
function wellApart({ data, rows }: Matrix): boolean {
  const pivots = Array.from({ length: rows }, (_, k) => data[k * (rows + 1)] ** 2);
  return Math.min(...pivots) > 1e-10 * Math.max(...pivots);
}

function pick(A: Matrix, rows: readonly number[], cols: readonly number[]): Matrix {
  const out = matrix(rows.length, cols.length);
  rows.forEach((i, r) => {
    cols.forEach((j, c) => {
      out.data[r * cols.length + c] = A.data[i * A.cols + j];
    });
  });
  return out;
}
