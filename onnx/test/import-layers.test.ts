import { matrix } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import { activations } from "../src/activations.ts";
import { evaluate } from "../src/derivative.ts";
import { openNetwork } from "../src/network.ts";
import { tensor } from "../src/tensor.ts";
import { largestDifference, normalNumbers } from "./support/numbers.ts";
import { type ModelText, type NodeText, type Weights, writeOnnx } from "./support/write-onnx.ts";

const n = 70; // more than a batch of the kernels
const w = (seed: number, ...dims: number[]): Weights => ({
  dims,
  data: normalNumbers(
    dims.reduce((product, d) => product * d, 1),
    seed,
    0.3,
  ),
});
const end: NodeText[] = [
  { op: "Flatten", inputs: ["a"], outputs: ["flat"] },
  { op: "Gemm", inputs: ["flat", "d", "db"], outputs: ["z"] },
  { op: "Tanh", inputs: ["z"], outputs: ["h"] },
  { op: "Gemm", inputs: ["h", "last"], outputs: ["y"] },
];
const common = { db: w(8, 5), last: w(9, 5, 1) };

/** Runs the rows through the network and through its graph in double precision. */
async function run(text: ModelText, columns: number) {
  const network = await openNetwork(writeOnnx(text));
  const X = matrix(n, columns, Float64Array.from(normalNumbers(n * columns, 3), Math.fround));
  const made = await activations(network, X);
  const shape = network.layout.shape.map((d) => d ?? columns);
  const values = evaluate(network.program!, tensor([n, ...shape], X.data));
  return { ...made, expected: values.get("h")!.data, f: values.get("y")!.data };
}

describe("a chain of layers with convolutions runs in the kernels:", () => {
  const chains: readonly (readonly [string, number, ModelText])[] = [
    [
      "two channels, padding and strides, a maximum",
      2 * 6 * 5,
      {
        inputs: [{ name: "x", shape: ["n", 2, 6, 5] }],
        nodes: [
          {
            op: "Conv",
            inputs: ["x", "k", "kb"],
            outputs: ["c"],
            attributes: { pads: [1, 0, 1, 1], strides: [1, 2] },
          },
          { op: "Relu", inputs: ["c"], outputs: ["r"] },
          {
            op: "MaxPool",
            inputs: ["r"],
            outputs: ["a"],
            attributes: { kernel_shape: [2, 1], strides: [2, 1] },
          },
          ...end,
        ],
        weights: { k: w(1, 3, 2, 3, 2), kb: w(2, 3), d: w(7, 3 * 3 * 3, 5), ...common },
      },
    ],
    [
      "a flat table made an image, two convolutions, weights the other way round",
      36,
      {
        inputs: [{ name: "x", shape: ["n", 36] }],
        nodes: [
          { op: "Reshape", inputs: ["x", "shape"], outputs: ["i"] },
          { op: "Conv", inputs: ["i", "k"], outputs: ["c"] },
          { op: "Sigmoid", inputs: ["c"], outputs: ["s"] },
          { op: "Conv", inputs: ["s", "k2", "kb"], outputs: ["a"] },
          end[0],
          { ...end[1], attributes: { transB: 1, alpha: { float: 0.5 } } },
          ...end.slice(2),
        ],
        weights: {
          shape: { dims: [4], data: [-1, 1, 6, 6], type: "int64" },
          k: w(1, 2, 1, 3, 3),
          k2: w(3, 3, 2, 2, 2),
          kb: w(2, 3),
          d: w(7, 5, 27),
          ...common,
        },
      },
    ],
    [
      "a mean over the image, MatMul and Add",
      2 * 4 * 4,
      {
        inputs: [{ name: "x", shape: ["n", 2, 4, 4] }],
        nodes: [
          { op: "Conv", inputs: ["x", "k"], outputs: ["c"] },
          { op: "Tanh", inputs: ["c"], outputs: ["t"] },
          { op: "GlobalAveragePool", inputs: ["t"], outputs: ["a"] },
          end[0],
          { op: "MatMul", inputs: ["flat", "d"], outputs: ["m"] },
          { op: "Add", inputs: ["m", "db"], outputs: ["z"] },
          ...end.slice(2),
        ],
        weights: { k: w(1, 3, 2, 2, 2), d: w(7, 3, 5), ...common },
      },
    ],
  ];

  test.each(chains)("%s", async (_, columns, text) => {
    const { by, hidden, functions, expected, f } = await run(text, columns);
    expect(by).toBe("kernels");
    expect(largestDifference(hidden.data, expected)).toBeLessThan(2e-6);
    expect(largestDifference(functions.data, f)).toBeLessThan(2e-6);
  });
});

test("a convolution in groups, which the kernels do not have, is left to the runtime", async () => {
  const { by, hidden, expected } = await run(
    {
      inputs: [{ name: "x", shape: ["n", 2, 4, 4] }],
      nodes: [{ op: "Conv", inputs: ["x", "k"], outputs: ["a"], attributes: { group: 2 } }, ...end],
      weights: { k: w(1, 2, 1, 2, 2), d: w(7, 18, 5), ...common },
    },
    32,
  );
  expect(by).toBe("onnxruntime-web");
  expect(largestDifference(hidden.data, expected)).toBeLessThan(2e-6);
});
