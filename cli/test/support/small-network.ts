import { keyFromSeed, normals } from "@ratewise/core";
import type { ModelText, NodeText, Weights } from "../../../onnx/test/support/write-onnx.ts";

/** Normal numbers, the same in every run. */
export const next: () => number = normals(keyFromSeed(4));
const numbers = (...dims: number[]): Weights => ({
  dims,
  data: Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => 0.8 * next()),
});
export const weights: Record<string, Weights> = {
  w1: numbers(3, 4),
  b1: numbers(4),
  w2: numbers(4, 1),
  b2: numbers(1),
};
export const trunk: NodeText[] = [
  { op: "Gemm", inputs: ["x", "w1", "b1"], outputs: ["z"] },
  { op: "Tanh", inputs: ["z"], outputs: ["h"] },
];
/** Three inputs, four hidden units, one number. */
export const whole: ModelText = {
  inputs: [{ name: "x", shape: ["n", 3] }],
  outputs: [{ name: "y", shape: ["n", 1] }],
  nodes: [...trunk, { op: "Gemm", inputs: ["h", "w2", "b2"], outputs: ["y"] }],
  weights,
};
