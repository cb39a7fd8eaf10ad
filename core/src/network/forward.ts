import { engine } from "../compute/index.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import { activate } from "./activation.ts";
import { type Layout, layoutOf, type Stage } from "./layout.ts";
import type { Network } from "./network.ts";
import { meanOutput } from "./output.ts";
import { checkColumns, type Rows, rowsAsFloat32 } from "./rows.ts";

export interface ForwardResult {
  /** The last hidden layer, n×l. */
  readonly hidden: Matrix;
  /** E f, n×outputs. */
  readonly mean: Matrix;
}

/** Rows that pass through the layers together. */
const BLOCK = 1024;

/** Hidden layer and posterior mean of f for every row, dropout off, products in single precision. */
export function forward(network: Network, X: Rows): ForwardResult {
  const layout = layoutOf(network.architecture);
  checkColumns("forward", layout, X);
  const hidden = matrix(X.rows, layout.hidden);
  const mean = matrix(X.rows, layout.outputs);
  for (let start = 0; start < X.rows; start += BLOCK) {
    const rows = Math.min(BLOCK, X.rows - start);
    const values = layerValues(layout, network.parameters, rowsAsFloat32(X, start, rows), rows);
    const H = values[values.length - 1].output;
    hidden.data.set(H, start * layout.hidden);
    mean.data.set(meanOutput(layout, network.parameters, H, rows), start * layout.outputs);
  }
  return { hidden, mean };
}

/** One layer's values on a block of rows; `before` the activation where there is one. */
export interface LayerValues {
  readonly before: Float32Array;
  readonly output: Float32Array;
}

/** The input (at index 0) and every stage's values for a block of rows. */
export function layerValues(
  { stages }: Layout,
  theta: Float32Array,
  input: Float32Array,
  rows: number,
): LayerValues[] {
  const values: LayerValues[] = [{ before: input, output: input }];
  for (const stage of stages) {
    const last = values[values.length - 1].output;
    values.push(
      stage.kind === "dropout" ? values[values.length - 1] : apply(stage, theta, last, rows),
    );
  }
  return values;
}

function apply(
  stage: Exclude<Stage, { kind: "dropout" }>,
  theta: Float32Array,
  input: Float32Array,
  rows: number,
): LayerValues {
  const { inputs, units, activation, weights, bias } = stage;
  const before = new Float32Array(rows * units);
  for (let i = 0; i < rows; i++) before.set(theta.subarray(bias, bias + units), i * units);
  if (stage.kind === "dense") {
    const W = theta.subarray(weights, weights + inputs * units);
    engine().gemm(false, false, rows, units, inputs, 1, input, inputs, W, units, 1, before, units);
  } else {
    const { from, to } = stage;
    for (let i = 0; i < rows; i++)
      for (let c = 0; c < from.length; c++)
        before[i * units + to[c]] += input[i * inputs + from[c]] * theta[weights + c];
  }
  const output = new Float32Array(before.length);
  for (let i = 0; i < output.length; i++) output[i] = activate(activation, before[i]);
  return { before, output };
}
