import { type Matrix, matrix, multiplyVector, transposeMultiply } from "../linalg/index.ts";
import { selectRows } from "../linalg/matrix.ts";
import { fold, type Key, normals, uniformInteger, uniforms } from "../random/index.ts";
import type { Progress } from "../run.ts";
import { conditionalCovariance } from "./output-covariance.ts";
import { expectations, outputsOf, residualsInPlace } from "./output-likelihood.ts";
import type { OutputProblem } from "./output-problem.ts";

export interface WalkOptions {
  readonly key: Key;
  /** Where the walk starts, outputs×l: the mode. */
  readonly start: Matrix;
  readonly snapshots: number;
  readonly batchSize: number;
  /** Of plain steps; null for steps measured by the curvature. */
  readonly learningRate: number | null;
  /** C·l up to which the curvature of all classes together is used; beyond, of each by itself. */
  readonly mostJointWeights: number;
}

/** Passes over the rows before the first snapshot. */
const PASSES_BEFORE = 5;

/**
 * Stochastic gradient steps with a constant rate from the mode, S rows drawn with replacement each, and the
 * weights after every pass of ⌈N/S⌉ steps, snapshots×(outputs·l).
 *
 *     plain       w ← w − η ĝ,              ĝ = (1/S) Σ_batch ∂(−log p_i)/∂w + λw/N
 *     curvature   w ← w − η N V(ĝ + ε),     V the inverse Hessian at the mode, η = 2S/(N+S), ε ~ N(0, Λ/(N·S))
 *
 * With plain steps on a quadratic loss of Hessian A (a row) and gradient covariance C (a row) the weights'
 * stationary covariance Σ solves AΣ + ΣA − ηAΣA = ηC/S, which is not the posterior's. Measured by the
 * curvature, η/(2−η)/S = 1/N and Σ = V(N·C + Λ)V: the posterior covariance V where the model holds, the
 * sandwich where it does not (Mandt, Hoffman and Blei 2017). Without ε the batches would speak for the
 * likelihood alone, and Σ = V − VΛV would be too narrow wherever the prior has a say; it is the noise of a prior
 * whose mean is drawn anew (Pearce, Leibfried and Brintrup 2020). O(n·l·C + C²l²·n/S) per pass.
 */
export function* walk(problem: OutputProblem, options: WalkOptions): Generator<Progress, Matrix> {
  const { start, snapshots, batchSize, learningRate } = options;
  const { H, y, precision, counts } = problem;
  const N = H.rows;
  const size = start.data.length;
  const apply = learningRate === null ? curvatureSteps(problem, options) : null;
  const rate = learningRate ?? (2 * batchSize) / (N + batchSize);
  const next = uniforms(fold(options.key, "batch"));
  const anchor = normals(fold(options.key, "anchor"));
  const anchorSd = precision.map((lambda) => Math.sqrt(lambda / (N * batchSize)));
  const steps = Math.ceil(N / batchSize);
  const total = PASSES_BEFORE + snapshots;
  const W = matrix(start.rows, start.cols, start.data.slice());
  const taken = matrix(snapshots, size);
  for (let pass = 0; pass < total; pass++) {
    for (let step = 0; step < steps; step++) {
      const rows = Array.from({ length: batchSize }, () => uniformInteger(next, N));
      const batch = {
        ...problem,
        H: selectRows(H, rows),
        y: Float64Array.from(rows, (row) => y[row]),
        counts: counts && Float64Array.from(rows, (row) => counts[row]),
      };
      const expected = expectations(problem.link, outputsOf(batch, W));
      const gradient = transposeMultiply(residualsInPlace(batch, expected), batch.H).data;
      for (let e = 0; e < size; e++)
        gradient[e] = gradient[e] / batchSize + (precision[e % H.cols] * W.data[e]) / N;
      if (apply) for (let e = 0; e < size; e++) gradient[e] += anchorSd[e % H.cols] * anchor();
      const direction = apply ? apply(gradient) : gradient;
      for (let e = 0; e < size; e++) W.data[e] -= rate * direction[e];
    }
    if (pass >= PASSES_BEFORE) taken.data.set(W.data, (pass - PASSES_BEFORE) * size);
    yield { phase: "swag", done: pass + 1, total };
  }
  return taken;
}

/** g ↦ N·V·g with V the inverse Hessian at the start. */
function curvatureSteps(
  problem: OutputProblem,
  { start, mostJointWeights }: WalkOptions,
): (gradient: Float64Array) => Float64Array {
  const { H, outputs } = problem;
  const l = H.cols;
  const expected = expectations(problem.link, outputsOf(problem, start));
  const all = Array.from({ length: outputs }, (_, c) => c);
  const parts = outputs * l <= mostJointWeights ? [all] : all.map((c) => [c]);
  const inverses = parts.map((part) =>
    conditionalCovariance({ problem, expected, outputs: part, biasColumns: 0 }),
  );
  return (gradient) => {
    const out = new Float64Array(gradient.length);
    let from = 0;
    for (const V of inverses) {
      out.set(multiplyVector(V, gradient.subarray(from, from + V.rows)), from);
      from += V.rows;
    }
    return out.map((value) => value * H.rows);
  };
}
