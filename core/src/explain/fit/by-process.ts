import type { Design } from "../../data/design.ts";
import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { multiplyVector } from "../../linalg/index.ts";
import {
  fitGaussianProcess,
  type GaussianProcess,
  type Kernel,
  processWeights,
} from "../../posterior/index.ts";
import { processGradients } from "../../posterior/process-gradient.ts";
import type { Group } from "../../rate/index.ts";
import type { RunOptions } from "../../run.ts";
import type { Prepared } from "../prepare/prepared.ts";
import { rateOfHidden } from "./column-rates.ts";
import { type Direct, variancesOf } from "./direct-from-blocks.ts";
import type { FittedModel } from "./fitted-model.ts";
import { heldOutScore } from "./held-out.ts";
import { asMatrix } from "./model.ts";
import { modelScores } from "./model-scores.ts";
import { AS_IS } from "./target-scale.ts";
import { unseenRows } from "./unseen.ts";

export interface ProcessOptions extends RunOptions {
  readonly kernel: Kernel["kind"];
}

/** Fits a Gaussian process by marginal likelihood and scores the columns by it. */
export async function fitProcess(
  prepared: Prepared,
  options: ProcessOptions,
): Promise<FittedModel> {
  const X = asMatrix(prepared.train.X);
  const { y } = prepared.train;
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
  const groups = [...prepared.variables, ...prepared.groups];
  const parts = { networks: [], process };
  const unseen = unseenRows(parts, prepared);
  return {
    rate: rateOfHidden(X, hidden, {
      columnNames: prepared.columnNames,
      groups,
      fitted: multiplyVector(hidden, weights.mean).map((value) => value + offset),
      noiseVariance,
      weights: [weights],
    }),
    direct: processDirect(process, prepared.train.X, groups),
    parts,
    prepared,
    unseen,
    heldOut: heldOutScore(unseen),
    scores: modelScores(unseen, prepared.classes),
    about: {
      kind: "gp",
      posterior: "gp",
      kernel: { ...recorded(process.kernel), noiseVariance },
      inputs: X.cols,
      layers: [],
      form: null,
      tried: [],
      choice: null,
      targetScale: AS_IS,
      expansions: [],
      ensemble: 1,
      penalty: [],
      epochs: [],
    },
    rows: X.rows,
    diagnostics: diagnose(process),
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

/** Half the spread is signal; rows of standardised columns are √(2p) apart. */
function startOf(kind: Kernel["kind"], spread: number, p: number): Kernel {
  switch (kind) {
    case "linear":
      return { kind, signalVariance: spread / (2 * p) };
    case "rbf":
    case "matern52":
      return { kind, signalVariance: spread / 2, lengthScale: Math.sqrt(2 * p) };
  }
  return kind satisfies never;
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
    diagnostic(
      "hyperparameters-not-converged",
      "The search for the Gaussian process's hyper-parameters stopped before the likelihood was flat. Better ones may exist.",
    ),
  ];
}
