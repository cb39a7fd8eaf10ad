import { type Matrix, matrix } from "@ratewise/core";
import { normalNumbers } from "./numbers.ts";
import type { NodeText, Weights } from "./write-onnx.ts";

export const n = 10;
export const X: Matrix = matrix(n, 4, Float64Array.from(normalNumbers(n * 4, 3), Math.fround));
export const w = (seed: number, ...dims: number[]): Weights => ({
  dims,
  data: normalNumbers(
    dims.reduce((product, d) => product * d, 1),
    seed,
    0.6,
  ),
});
export const turned = ({ dims: [rows, cols], data }: Weights): Weights => ({
  dims: [cols, rows],
  data: Array.from(
    { length: rows * cols },
    (_, e) => data[(e % rows) * cols + Math.floor(e / rows)],
  ),
});

/** 4 inputs, 5 and 3 hidden units; the last layer comes in each test. */
export const first: Record<string, Weights> = {
  w1: w(1, 4, 5),
  b1: w(2, 5),
  w2: w(3, 5, 3),
  b2: w(4, 3),
};
export const trunk: NodeText[] = [
  { op: "Gemm", inputs: ["x", "w1", "b1"], outputs: ["z1"] },
  { op: "Relu", inputs: ["z1"], outputs: ["a1"] },
  { op: "Gemm", inputs: ["a1", "w2", "b2"], outputs: ["z2"] },
  { op: "Tanh", inputs: ["z2"], outputs: ["h"] },
];
export const last: Record<string, Weights> = { ...first, w3: w(5, 3, 1), b3: w(6, 1) };
export const three: Record<string, Weights> = { ...first, w3: w(5, 3, 3), b3: w(6, 3) };
export const head: NodeText = { op: "Gemm", inputs: ["h", "w3", "b3"], outputs: ["f"] };
