import { RatewiseError } from "../errors.ts";
import { dot } from "../linalg/dot.ts";
import {
  cholesky,
  choleskySolve,
  type Matrix,
  matrix,
  multiplyTranspose,
  transpose,
  transposeMultiply,
} from "../linalg/index.ts";
import {
  expectations,
  negativeLogLikelihood,
  outputsOf,
  residualsInPlace,
} from "./output-likelihood.ts";
import type { OutputProblem } from "./output-problem.ts";
import { countedGram } from "./row-counts.ts";

const MOST_STEPS = 100;
const MOST_PRODUCTS = 500;
/** The squared distance to the mode that is left, in posterior standard deviations, a row of H. */
const LEFT = 1e-20;
/** What is left of a Newton step's residual, squared. */
const EXACT = 1e-12;

export interface ModeOptions {
  /** Where the search begins; default zeros. */
  readonly start?: Matrix;
  /** Squared distance to the mode, in posterior standard deviations per row of H, at which it ends. Default 1e-20. */
  readonly left?: number;
}

/**
 * The weights (outputs×l) where the posterior is largest. The identity link needs one solve. Classes:
 * Newton's method, each step by conjugate gradients on products with the Hessian, which is never
 * formed, preconditioned by Böhning's (1992) bound ½HᵀH + Λ of its blocks (¼ for two classes). A convex problem: a
 * backtracking search makes it converge from anywhere. O(n·l·C) per product.
 */
export function posteriorMode(
  problem: OutputProblem,
  { start, left = LEFT }: ModeOptions = {},
): Matrix {
  const { H, link, outputs, precision } = problem;
  const share = link === "identity" ? problem.noisePrecision : link === "logistic" ? 0.25 : 0.5;
  const bound = countedGram(H, problem.counts);
  for (let e = 0; e < bound.data.length; e++) bound.data[e] *= share;
  for (let k = 0; k < H.cols; k++) bound.data[k * H.cols + k] += precision[k];
  const L = cholesky(bound);
  /** M⁻¹ on every output's block of a vector. */
  const precondition = (G: Matrix): Matrix => transpose(choleskySolve(L, transpose(G)));

  let W = start ?? matrix(outputs, H.cols);
  let F = outputsOf(problem, W);
  for (let step = 0; step < MOST_STEPS; step++) {
    const expected = expectations(link, F);
    const gradient = gradientOf(problem, expected, W);
    const distance = dot(gradient.data, precondition(gradient).data);
    if (distance <= left * H.rows) return W;
    const direction =
      link === "identity"
        ? precondition(gradient)
        : newtonStep(problem, expected, gradient, precondition, Math.max(EXACT, left));
    if (link === "identity")
      return matrix(
        outputs,
        H.cols,
        direction.data.map((d) => -d),
      );
    const moved = descend(problem, W, F, gradient, direction);
    if (!moved) return W; // no step makes the loss smaller: it is at its smallest, to rounding
    ({ W, F } = moved);
  }
  throw new RatewiseError("not-converged", {
    in: "posteriorMode",
    what: `needs at most ${MOST_STEPS} Newton steps, got no convergence`,
    advice: "standardise the columns of H or take a smaller prior variance",
  });
}

/** Hᵀ-products of the residuals plus λw, outputs×l. */
function gradientOf(problem: OutputProblem, expected: Matrix, W: Matrix): Matrix {
  const { H, precision } = problem;
  const residuals = residualsInPlace(
    problem,
    matrix(expected.rows, expected.cols, expected.data.slice()),
  );
  const gradient = transposeMultiply(residuals, H);
  for (let e = 0; e < W.data.length; e++) gradient.data[e] += precision[e % H.cols] * W.data[e];
  return gradient;
}

/** The Hessian times a direction D: u = H Dᵀ, rows weighed by diag(π) − ππᵀ, and back. */
function hessianProduct(
  { H, link, precision, counts }: OutputProblem,
  expected: Matrix,
  D: Matrix,
): Matrix {
  const U = multiplyTranspose(H, D);
  const C = U.cols;
  const P = expected.data;
  for (let i = 0; i < H.rows; i++) {
    if (link === "logistic") {
      U.data[i] *= P[i] * (1 - P[i]);
      continue;
    }
    let average = 0;
    for (let c = 0; c < C; c++) average += P[i * C + c] * U.data[i * C + c];
    for (let c = 0; c < C; c++) U.data[i * C + c] = P[i * C + c] * (U.data[i * C + c] - average);
  }
  if (counts) for (let e = 0; e < U.data.length; e++) U.data[e] *= counts[Math.floor(e / C)];
  const out = transposeMultiply(U, H);
  for (let e = 0; e < D.data.length; e++) out.data[e] += precision[e % H.cols] * D.data[e];
  return out;
}

/** x with Hessian·x = gradient, by preconditioned conjugate gradients. */
function newtonStep(
  problem: OutputProblem,
  expected: Matrix,
  gradient: Matrix,
  precondition: (G: Matrix) => Matrix,
  left: number,
): Matrix {
  const x = matrix(gradient.rows, gradient.cols);
  const r = matrix(gradient.rows, gradient.cols, gradient.data.slice());
  let z = precondition(r);
  let p = matrix(z.rows, z.cols, z.data.slice());
  let rz = dot(r.data, z.data);
  const enough = left * rz;
  for (let k = 0; k < MOST_PRODUCTS && rz > enough; k++) {
    const Ap = hessianProduct(problem, expected, p);
    const along = dot(p.data, Ap.data);
    if (!(along > 0)) break;
    const alpha = rz / along;
    for (let e = 0; e < x.data.length; e++) {
      x.data[e] += alpha * p.data[e];
      r.data[e] -= alpha * Ap.data[e];
    }
    z = precondition(r);
    const next = dot(r.data, z.data);
    p = matrix(
      p.rows,
      p.cols,
      p.data.map((value, e) => z.data[e] + (next / rz) * value),
    );
    rz = next;
  }
  return x;
}

/** The first of the steps 1, ½, ¼ … along −direction that lowers the loss as its slope promises. */
function descend(
  problem: OutputProblem,
  W: Matrix,
  F: Matrix,
  gradient: Matrix,
  direction: Matrix,
) {
  const before = lossOf(problem, F, W);
  const slope = dot(gradient.data, direction.data);
  // So near that the loss cannot show it any more; Newton's own step is then the better judge.
  const near = slope <= 1e-9 * (1 + Math.abs(before));
  for (let step = 1; step > 1e-12; step /= 2) {
    const tried = matrix(
      W.rows,
      W.cols,
      W.data.map((w, e) => w - step * direction.data[e]),
    );
    const outputs = outputsOf(problem, tried);
    if (near || lossOf(problem, outputs, tried) <= before - 1e-4 * step * slope)
      return { W: tried, F: outputs };
  }
  return null;
}

function lossOf(problem: OutputProblem, F: Matrix, W: Matrix): number {
  let penalty = 0;
  for (let e = 0; e < W.data.length; e++)
    penalty += 0.5 * problem.precision[e % W.cols] * W.data[e] ** 2;
  return negativeLogLikelihood(problem, F) + penalty;
}
