import { matrix } from "@ratewise/core";
import { multiplyTranspose } from "@ratewise/core/linalg";
import { describe, expect, test } from "vitest";
import { activations, blocks } from "../src/activations.ts";
import { evaluate, targetOf } from "../src/derivative.ts";
import { rowShape } from "../src/input-layout.ts";
import { openNetwork } from "../src/network.ts";
import { networkSaliency } from "../src/saliency.ts";
import { largestDifference } from "./support/numbers.ts";
import { first, head, last, n, trunk, w, X } from "./support/small-network.ts";
import { type ModelText, writeOnnx } from "./support/write-onnx.ts";

/** Networks with branches, images and normalised layers: ours against onnxruntime's. */
describe("layers of other kinds", () => {
  const image: ModelText["inputs"] = [{ name: "x", shape: ["n", 1, 2, 2] }];
  const channels = last.w3;
  const cases: readonly (readonly [string, ModelText])[] = [
    [
      "a residual link and a branch that is joined again",
      {
        nodes: [
          { op: "Gemm", inputs: ["x", "square"], outputs: ["s"] },
          { op: "Elu", inputs: ["s"], outputs: ["e"] },
          { op: "Add", inputs: ["x", "e"], outputs: ["r"] },
          { op: "LeakyRelu", inputs: ["x"], outputs: ["l"] },
          { op: "Concat", inputs: ["r", "l"], outputs: ["h"], attributes: { axis: 1 } },
          { op: "Gemm", inputs: ["h", "w8"], outputs: ["y"] },
        ],
        weights: { square: w(7, 4, 4), w8: w(8, 8, 1) },
      },
    ],
    [
      "batch normalisation before the activation, and after it",
      {
        nodes: [
          { op: "Gemm", inputs: ["x", "w1"], outputs: ["z"] },
          { op: "BatchNormalization", inputs: ["z", "s", "b1", "m", "v"], outputs: ["zn"] },
          { op: "Relu", inputs: ["zn"], outputs: ["a"] },
          { op: "BatchNormalization", inputs: ["a", "s", "b1", "m", "v"], outputs: ["h"] },
          { op: "Gemm", inputs: ["h", "w5"], outputs: ["y"] },
        ],
        weights: {
          ...first,
          s: w(9, 5),
          m: w(10, 5),
          v: { dims: [5], data: [0.5, 1, 2, 0.1, 3] },
          w5: w(11, 5, 1),
        },
      },
    ],
    [
      "images (rows, channels, height, width) from a flat table",
      {
        inputs: image,
        nodes: [
          {
            op: "Conv",
            inputs: ["x", "k", "kb"],
            outputs: ["c"],
            attributes: { pads: [1, 1, 1, 1] },
          },
          { op: "Relu", inputs: ["c"], outputs: ["a"] },
          { op: "GlobalAveragePool", inputs: ["a"], outputs: ["g"] },
          { op: "Flatten", inputs: ["g"], outputs: ["h"] },
          { op: "Gemm", inputs: ["h", "w3"], outputs: ["y"] },
        ],
        weights: { k: w(12, 3, 1, 2, 2), kb: w(13, 3), w3: channels },
      },
    ],
    [
      "images with the channels last, turned by the graph",
      {
        inputs: [{ name: "x", shape: ["n", 2, 2, 1] }],
        nodes: [
          { op: "Transpose", inputs: ["x"], outputs: ["t"], attributes: { perm: [0, 3, 1, 2] } },
          {
            op: "Conv",
            inputs: ["t", "k"],
            outputs: ["c"],
            attributes: { auto_pad: "SAME_UPPER" },
          },
          { op: "MaxPool", inputs: ["c"], outputs: ["p"], attributes: { kernel_shape: [2, 2] } },
          { op: "Transpose", inputs: ["p"], outputs: ["back"], attributes: { perm: [0, 2, 3, 1] } },
          { op: "Reshape", inputs: ["back", "flat"], outputs: ["h"] },
          { op: "MatMul", inputs: ["h", "w3"], outputs: ["y"] },
        ],
        weights: {
          k: w(12, 3, 1, 2, 2),
          w3: channels,
          flat: { dims: [2], data: [-1, 3], type: "int64" },
        },
      },
    ],
    [
      "a GELU written out with Erf",
      {
        nodes: [
          trunk[0],
          { op: "Div", inputs: ["z1", "root"], outputs: ["d"] },
          { op: "Erf", inputs: ["d"], outputs: ["e"] },
          { op: "Add", inputs: ["e", "one"], outputs: ["p"] },
          { op: "Mul", inputs: ["z1", "p"], outputs: ["q"] },
          { op: "Mul", inputs: ["q", "half"], outputs: ["h"] },
          { op: "Gemm", inputs: ["h", "w5"], outputs: ["y"] },
        ],
        weights: {
          ...first,
          root: { dims: [], data: [Math.SQRT2] },
          one: { dims: [], data: [1] },
          half: { dims: [], data: [0.5] },
          w5: w(11, 5, 1),
        },
      },
    ],
  ];

  test.each(cases)("%s: f is onnxruntime's, the gradient that of f", async (_, text) => {
    const network = await openNetwork(writeOnnx(text));
    const { functions, hidden } = await activations(network, X);
    const { weights, bias } = network.detected.lastLayer!;
    const again = multiplyTranspose(hidden, weights).data.map((value) => value + bias[0]);
    expect(largestDifference(again, functions.data)).toBeLessThan(2e-6);
    const own = (at: typeof X) => {
      const shape = rowShape(network.layout, 4);
      const [block] = blocks(network, at, shape);
      return targetOf(network.program!, evaluate(network.program!, block.x)).data;
    };
    expect(largestDifference(own(X), functions.data)).toBeLessThan(2e-6);
    const gradient = await networkSaliency(network, X, { method: "gradient" });
    const h = 1e-6;
    for (const j of [0, 1, 2, 3]) {
      const moved = (step: number) =>
        own(
          matrix(
            n,
            4,
            X.data.map((v, e) => (e % 4 === j ? v + step : v)),
          ),
        );
      const [up, down] = [moved(h), moved(-h)];
      const numeric = up.map((value, i) => (value - down[i]) / (2 * h));
      const found = numeric.map((_, i) => gradient.data[i * 4 + j]);
      expect(largestDifference(found, numeric)).toBeLessThan(1e-6);
    }
  });

  test("integrated gradients add up to f(x) − f(0), within what the midpoints leave", async () => {
    // Smooth everywhere: at a kink the midpoints would be off by a step's length.
    const smooth = trunk.map((node) => ({ ...node, op: node.op === "Relu" ? "Tanh" : node.op }));
    const network = await openNetwork(
      writeOnnx({ nodes: [...smooth, { ...head, outputs: ["y"] }], weights: last }),
    );
    const S = await networkSaliency(network, X, { method: "integrated-gradients", steps: 400 });
    const { functions } = await activations(network, X);
    const zero = await activations(network, matrix(1, 4));
    for (let i = 0; i < n; i++) {
      const sum = S.data.subarray(i * 4, i * 4 + 4).reduce((total, value) => total + value, 0);
      expect(sum).toBeCloseTo(functions.data[i] - zero.functions.data[0], 5);
    }
  });
});

test("a network that the runtime cannot run, and our operators can, is run by them", async () => {
  // onnxruntime has no convolution in double precision.
  const network = await openNetwork(
    writeOnnx({
      inputs: [{ name: "x", type: "double", shape: ["n", 1, 2, 2] }],
      outputs: [{ name: "y", type: "double" }],
      nodes: [
        { op: "Conv", inputs: ["x", "k"], outputs: ["c"] },
        { op: "Flatten", inputs: ["c"], outputs: ["h"] },
        { op: "Gemm", inputs: ["h", "w3"], outputs: ["y"] },
      ],
      weights: {
        k: { ...w(12, 3, 1, 2, 2), type: "double" },
        w3: { ...w(5, 3, 1), type: "double" },
      },
    }),
  );
  const { by, hidden, diagnostics } = await activations(network, X);
  expect(by).toBe("own");
  expect(diagnostics.map(({ code }) => code)).toEqual(["own-operators"]);
  const k = w(12, 3, 1, 2, 2).data;
  expect(hidden.data[0]).toBeCloseTo(
    [0, 1, 2, 3].reduce((sum, j) => sum + X.data[j] * k[j], 0),
    12,
  );
});

test("an operator without derivatives is named, with what works all the same", async () => {
  const network = await openNetwork(
    writeOnnx({
      nodes: [
        { op: "Sin", inputs: ["x"], outputs: ["h"] },
        { op: "Gemm", inputs: ["h", "v"], outputs: ["y"] },
      ],
      weights: { v: w(5, 4, 1) },
    }),
  );
  expect(network.missing).toEqual(["Sin"]);
  expect((await activations(network, X)).hidden.data[0]).toBeCloseTo(Math.sin(X.data[0]), 6);
  await expect(networkSaliency(network, X, { method: "gradient" })).rejects.toThrow(
    /the operator Sin has none here; RATE \(ratewise explain\) works/,
  );
});

test("rows of another width are an error that says both widths", async () => {
  const bytes = writeOnnx({ nodes: [...trunk, { ...head, outputs: ["y"] }], weights: last });
  const network = await openNetwork(bytes);
  await expect(activations(network, matrix(2, 5))).rejects.toThrow(
    "needs rows of 4 numbers, got 5",
  );
  const picture = await openNetwork(
    writeOnnx({
      inputs: [{ name: "x", shape: ["n", 1, 2, 2] }],
      nodes: [
        { op: "Flatten", inputs: ["x"], outputs: ["h"] },
        { op: "Gemm", inputs: ["h", "v"], outputs: ["y"] },
      ],
      weights: { v: w(5, 4, 1) },
    }),
  );
  await expect(activations(picture, matrix(2, 5))).rejects.toThrow(
    "needs rows of 1×2×2 = 4 numbers, got 5",
  );
});
