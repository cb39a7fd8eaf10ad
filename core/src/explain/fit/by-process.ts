import type { Design } from "../../data/design.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { projectCovariance, projectedEffects } from "../../effects/index.ts";
import { RatewiseError } from "../../errors.ts";
import { multiplyVector } from "../../linalg/index.ts";
import { MOST_PROCESS_ROWS } from "../../posterior/gaussian-process.ts";
import {
  fitGaussianProcess,
  type GaussianProcess,
  type Kernel,
  processWeights,
} from "../../posterior/index.ts";
import { processGradients } from "../../posterior/process-gradient.ts";
import { fold, type Key, subsample } from "../../random/index.ts";
import { type Group, rate } from "../../rate/index.ts";
import type { RunOptions } from "../../run.ts";
import type { Prepared } from "../prepare/prepare.ts";
import { type Direct, variancesOf } from "./direct-from-blocks.ts";
import type { FittedModel } from "./fitted-model.ts";
import { heldOutScore } from "./held-out.ts";
import { asMatrix } from "./model.ts";

export interface ProcessOptions extends RunOptions {
  readonly key: Key;
  readonly kernel: Kernel["kind"];
  /** Training rows to use, drawn at random; left out, all of them. */
  readonly subsample: number | undefined;
  readonly columnNames: readonly string[];
  /** Columns of each variable, then those of each group asked for. */
  readonly groups: readonly Group[];
}

/** Fits a Gaussian process by marginal likelihood and scores the columns by it. */
export async function fitProcess(
  prepared: Prepared,
  options: ProcessOptions,
): Promise<{ fitted: FittedModel; prepared: Prepared }> {
  if (prepared.task !== "regression")
    throw new RatewiseError(
      "domain",
      `explain: needs a numeric target for a Gaussian process, but "${prepared.target}" has classes; use a network`,
    );
  const used = chooseRows(prepared, options);
  const X = asMatrix(used.train.X);
  const { y } = used.train;
  const offset = y.reduce((sum, value) => sum + value / y.length, 0);
  const spread = y.reduce((sum, value) => sum + (value - offset) ** 2, 0) / (y.length - 1);
  const process = await fitGaussianProcess(X, y, {
    kernel: startOf(options.kernel, spread, X.cols),
    noiseVariance: spread / 2,
    offset,
    ...(options.signal && { signal: options.signal }),
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
  const { hidden, weights } = processWeights(process);
  const { noiseVariance } = process;
  const projected = projectCovariance(X, hidden, options.columnNames);
  const effects = projectedEffects(projected, weights, { noiseVariance });
  const result = rate(effects, { groups: options.groups });
  const parts = { networks: [], process };
  return {
    prepared: used,
    fitted: {
      marginal: {
        fitted: multiplyVector(hidden, weights.mean).map((value) => value + offset),
        noiseVariance,
        effects: [effects],
        results: [result],
        contrasts: [],
        diagnostics: result.diagnostics,
      },
      direct: processDirect(process, used.train.X, options.groups),
      parts,
      heldOut: heldOutScore(parts, used),
      about: {
        kind: "gp",
        posterior: "gp",
        kernel: { ...recorded(process.kernel), noiseVariance },
        inputs: X.cols,
        layers: [],
        ensemble: 1,
        penalty: [],
        epochs: [],
      },
      rows: X.rows,
      diagnostics: diagnose(process),
    },
  };
}

/** Var(x_j) times the mean squared derivative of f̂ in x_j, added over the columns of a group. O(n²·p). */
function processDirect(process: GaussianProcess, X: Design, groups: readonly Group[]): Direct {
  const { data, rows, cols } = processGradients(process, asMatrix(X));
  const variances = variancesOf(X);
  const squares = new Float64Array(cols);
  for (let e = 0; e < data.length; e++) squares[e % cols] += data[e] ** 2 / rows;
  const scores = Float64Array.from(groups, ({ members }) =>
    members.reduce((sum, j) => sum + variances[j] * squares[j], 0),
  );
  return { form: "mean-squared", scores };
}

function chooseRows(prepared: Prepared, { key, subsample: count }: ProcessOptions): Prepared {
  const { X, y } = prepared.train;
  if (count === undefined || count >= X.rows) {
    if (X.rows <= MOST_PROCESS_ROWS) return prepared;
    throw new RatewiseError(
      "memory",
      `explain: needs at most ${MOST_PROCESS_ROWS} training rows for a Gaussian process, got ${X.rows}; --subsample ${MOST_PROCESS_ROWS / 2} draws fewer, or use a network`,
      { rows: X.rows },
    );
  }
  const rows = subsample(fold(key, "subsample"), X.rows, count);
  const data = new Float32Array(count * X.cols);
  rows.forEach((row, i) => {
    data.set(X.data.subarray(row * X.cols, (row + 1) * X.cols), i * X.cols);
  });
  const train = { X: { ...X, data, rows: count }, y: Float64Array.from(rows, (row) => y[row]) };
  return { ...prepared, train };
}

/** Half the spread is signal; rows of standardised columns are √(2p) apart. */
function startOf(kind: Kernel["kind"], spread: number, p: number): Kernel {
  if (kind === "linear") return { kind, signalVariance: spread / (2 * p) };
  return { kind, signalVariance: spread / 2, lengthScale: Math.sqrt(2 * p) };
}

function recorded(kernel: Kernel) {
  return {
    kind: kernel.kind,
    signalVariance: kernel.signalVariance,
    lengthScale: kernel.kind === "linear" ? null : (kernel.lengthScale as number),
  };
}

function diagnose({ converged }: GaussianProcess): Diagnostic[] {
  if (converged !== false) return [];
  return [
    {
      code: "hyperparameters-not-converged",
      message:
        "The search for the Gaussian process's hyper-parameters ended before the likelihood was flat; they may not be the best.",
    },
  ];
}
