import {
  type Diagnostic,
  type Matrix,
  matrix,
  type Progress,
  RatewiseError,
  type RunOptions,
} from "@ratewise/core";
import { diagnostic } from "@ratewise/core/diagnostic";
import type { JacobianBlock } from "@ratewise/core/effects";
import type { Group } from "@ratewise/core/rate";
import { drive } from "@ratewise/core/run";
import { blocks } from "./activations.ts";
import { backward, evaluate, rowsTogether, targetOf } from "./derivative.ts";
import { hiddenJacobians } from "./jacobian.ts";
import type { OnnxNetwork } from "./network.ts";
import { compile, type Program } from "./program.ts";
import { tensor } from "./tensor.ts";

export interface DerivativeRequest {
  readonly weights: readonly Float64Array[];
  readonly groups: readonly Group[];
  readonly shape: readonly number[];
  /** Multiplications that all backward passes together may take before a cheaper score is used, default 2e11. */
  readonly mostWork?: number;
  readonly run: RunOptions;
}

const MOST_WORK = 2e11;

type Derivatives =
  | { readonly blocks: Iterable<JacobianBlock> }
  | { readonly direct: { readonly form: "mean-squared"; readonly scores: Float64Array } };

/** Derivatives of the hidden layer where they can be had and are not too much work, else mean squared gradients, or nothing. */
export async function derivativesFor(
  network: OnnxNetwork,
  X: Matrix,
  l: number,
  request: DerivativeRequest,
): Promise<{ derivatives: Derivatives | null; notes: Diagnostic[] }> {
  const { model, files, detected } = network;
  const { program, missing } = compile(model, files, detected.input.name, detected.hidden);
  if (!program)
    return {
      derivatives: null,
      notes: [
        diagnostic(
          "no-derivatives",
          `No direct importance: ${missing.length === 1 ? `the operator ${missing[0]} has` : `the operators ${missing.join(", ")} have`} no derivatives here. RATE does not need them.`,
          { operators: missing },
        ),
      ],
    };
  if (X.rows * l * workOf(program, X, request.shape) <= (request.mostWork ?? MOST_WORK))
    return {
      derivatives: { blocks: hiddenJacobians(network, program, X, l, request.shape) },
      notes: [],
    };
  return {
    derivatives: {
      direct: await drive(meanSquaredGradients(network, program, X, request), request.run),
    },
    notes: [],
  };
}

/** Multiplications of one row's way through the network, about. */
function workOf(program: Program, X: Matrix, shape: readonly number[]): number {
  const row = tensor([1, ...shape], X.data.slice(0, X.cols));
  let work = X.cols;
  try {
    const values = evaluate(program, row);
    for (const { node } of program.steps) {
      const out = values.get(node.outputs[0])!.data.length;
      const weights = program.constants.get(node.inputs[1] ?? "");
      const each =
        node.operator === "Conv"
          ? (weights?.data.length ?? 1) / (weights?.dims[0] ?? 1)
          : node.operator === "Gemm" || node.operator === "MatMul"
            ? (weights?.data.length ?? out) / out
            : 1;
      work += out * each;
    }
  } catch (error) {
    // Graphs for a fixed number of rows do not take one: the weights are what there is to go by.
    if (!(error instanceof RatewiseError)) throw error;
    for (const { data } of program.constants.values()) work += data.length;
  }
  return work;
}

/** Σ_j∈g Var(x_j)·(1/n)Σ_i(∂f_i/∂x_j)², summed over outputs: one backward pass per row and output. */
function* meanSquaredGradients(
  network: OnnxNetwork,
  program: Program,
  X: Matrix,
  { weights, groups, shape }: DerivativeRequest,
): Generator<Progress, { form: "mean-squared"; scores: Float64Array }> {
  const p = X.cols;
  const squares = new Float64Array(p);
  const together = rowsTogether(program, tensor([1, ...shape], X.data.subarray(0, p)));
  for (const { x, rows, start } of blocks(network, X, shape, together)) {
    const values = evaluate(program, x);
    const { dims, data } = targetOf(program, values);
    for (const w of weights) {
      const seed = tensor(dims);
      for (let e = 0; e < data.length; e++) seed.data[e] = w[e % w.length];
      const slopes = backward(program, values, seed).data;
      for (let e = 0; e < rows * p; e++) squares[e % p] += slopes[e] ** 2 / X.rows;
    }
    yield { phase: "direct effects", done: start + rows, total: X.rows };
  }
  const variance = columnVariances(X);
  return {
    form: "mean-squared",
    scores: Float64Array.from(groups, ({ members }) =>
      members.reduce((sum, j) => sum + variance[j] * squares[j], 0),
    ),
  };
}

function columnVariances({ data, rows, cols }: Matrix): Float64Array {
  const mean = matrix(1, cols).data;
  for (let e = 0; e < data.length; e++) mean[e % cols] += data[e] / rows;
  const out = new Float64Array(cols);
  for (let e = 0; e < data.length; e++)
    out[e % cols] += (data[e] - mean[e % cols]) ** 2 / (rows - 1);
  return out;
}
