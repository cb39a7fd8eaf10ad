import { type Matrix, matrix } from "../linalg/index.ts";
import { selectRows } from "../linalg/matrix.ts";
import { fold, type Key, subsample } from "../random/index.ts";
import { outputHessian } from "./output-covariance.ts";
import { expectations, outputsOf } from "./output-likelihood.ts";
import { posteriorMode } from "./output-mode.ts";
import { type OutputProblem, withOnes } from "./output-problem.ts";
import { curvaturesOf, evidencePrecision } from "./prior-precision.ts";

export interface LinearClassifierOptions {
  /** 1 for two classes, otherwise as many as there are classes. */
  readonly outputs: number;
  /** Of the rows that choose the prior where there are many. */
  readonly key: Key;
  /** What each row counts: 2 as the row twice. Default 1. */
  readonly weights?: Float64Array | undefined;
}

export interface LinearClassifier {
  /** outputs×p. */
  readonly weights: Matrix;
  readonly bias: Float64Array;
  /** σ² of the weights' prior. */
  readonly priorVariance: number;
}

/** A prior is about the weights and not about the rows: this many rows find it. */
const ROWS_FOR_PRIOR = 2000;
/** The prior precision is known once it moves by less than this share; its error hardly moves the weights. */
const SETTLED = 0.03;
const MOST_TURNS = 25;
/** Weights up to which the Hessian of all classes is looked at as a whole, and not class by class. */
const MOST_TOGETHER = 300;
/** The prior N(0, 100) of a bias: nothing in practice, but a class that is in no row has one too. */
const BIAS_PRECISION = 0.01;
const PRECISIONS = [1e-3, 1e6] as const;
/** Squared distance to the mode that is left, in posterior standard deviations per row: the hidden units learn the rest. */
const NEAR = 1e-8;

/**
 * Logistic or multinomial regression at the mode under w ~ N(0, σ²I), σ² where Laplace's evidence is largest (MacKay 1992):
 * mode and precision in turns, on a sample of the rows, then the mode on all of them.
 */
export function linearClassifier(
  H: Matrix,
  y: Float64Array,
  { outputs, key, weights: counts }: LinearClassifierOptions,
): LinearClassifier {
  const few = y.length > ROWS_FOR_PRIOR;
  const some = few ? subsample(fold(key, "prior"), y.length, ROWS_FOR_PRIOR) : null;
  const task: ClassifierTask = { H, y, outputs, counts };
  const { lambda, start } = priorByEvidence(
    some
      ? {
          H: selectRows(H, some),
          y: pick(y, some),
          outputs,
          counts: counts && pick(counts, some),
        }
      : task,
  );
  const W = posteriorMode(problemAt(task, lambda), { start, left: NEAR });
  const weights = matrix(outputs, H.cols);
  const bias = new Float64Array(outputs);
  for (let c = 0; c < outputs; c++) {
    weights.data.set(W.data.subarray(c * W.cols, c * W.cols + H.cols), c * H.cols);
    bias[c] = W.data[c * W.cols + H.cols];
  }
  return { weights, bias, priorVariance: 1 / lambda };
}

interface ClassifierTask {
  readonly H: Matrix;
  readonly y: Float64Array;
  readonly outputs: number;
  readonly counts: Float64Array | undefined;
}

/** λ = 1/σ², and the mode it was found at. */
function priorByEvidence(task: ClassifierTask) {
  const { H, outputs } = task;
  const [least, most] = PRECISIONS;
  let lambda = 1;
  let start = matrix(outputs, H.cols + 1);
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const problem = problemAt(task, lambda);
    start = posteriorMode(problem, { start, left: NEAR });
    let squaredNorm = 0;
    for (let e = 0; e < start.data.length; e++)
      if (e % start.cols < H.cols) squaredNorm += start.data[e] ** 2;
    const curvatures = curvaturesAt(problem, start);
    const flat = !(squaredNorm > 0 && curvatures.some((value) => value > 0));
    const best = flat ? most : evidencePrecision(curvatures, squaredNorm);
    const next = Math.min(most, Math.max(least, best));
    const settled = next === most || Math.abs(next - lambda) <= SETTLED * lambda;
    lambda = next;
    if (settled) break;
  }
  return { lambda, start };
}

function curvaturesAt(problem: OutputProblem, W: Matrix): Float64Array {
  const width = problem.H.cols;
  const flat = { ...problem, precision: new Float64Array(width) };
  flat.precision[width - 1] = BIAS_PRECISION;
  const expected = expectations(problem.link, outputsOf(problem, W));
  const all = Array.from({ length: problem.outputs }, (_, c) => c);
  const blocks = problem.outputs * width <= MOST_TOGETHER ? [all] : all.map((c) => [c]);
  return Float64Array.from(
    blocks.flatMap((outputs) => [
      ...curvaturesOf(
        outputHessian({ problem: flat, expected, outputs, biasColumns: 1 }),
        width,
        1,
      ),
    ]),
  );
}

function problemAt({ H, y, outputs, counts }: ClassifierTask, lambda: number): OutputProblem {
  const problem = withOnes(H, true, {
    y,
    counts,
    link: outputs === 1 ? "logistic" : "softmax",
    outputs,
    bias: new Float64Array(outputs),
    noisePrecision: 1,
    priorVariance: 1 / lambda,
  });
  problem.precision[H.cols] = BIAS_PRECISION;
  return problem;
}

function pick(y: Float64Array, rows: Uint32Array): Float64Array {
  return Float64Array.from(rows, (row) => y[row]);
}
