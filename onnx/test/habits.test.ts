import { matrix, multiplyTranspose } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import { activations, blocks } from "../src/activations.ts";
import { evaluate, targetOf } from "../src/derivative.ts";
import { rowShape } from "../src/input-layout.ts";
import { openNetwork } from "../src/network.ts";
import { networkSaliency } from "../src/saliency.ts";
import { largestDifference, normalNumbers } from "./support/numbers.ts";
import { type ModelText, type NodeText, type Weights, writeOnnx } from "./support/write-onnx.ts";

const n = 10;
const X = matrix(n, 4, Float64Array.from(normalNumbers(n * 4, 3), Math.fround));
const w = (seed: number, ...dims: number[]): Weights => ({
  dims,
  data: normalNumbers(
    dims.reduce((product, d) => product * d, 1),
    seed,
    0.6,
  ),
});
const turned = ({ dims: [rows, cols], data }: Weights): Weights => ({
  dims: [cols, rows],
  data: Array.from(
    { length: rows * cols },
    (_, e) => data[(e % rows) * cols + Math.floor(e / rows)],
  ),
});

/** 4 inputs, 5 and 3 hidden units; the last layer comes in each test. */
const first: Record<string, Weights> = { w1: w(1, 4, 5), b1: w(2, 5), w2: w(3, 5, 3), b2: w(4, 3) };
const trunk: NodeText[] = [
  { op: "Gemm", inputs: ["x", "w1", "b1"], outputs: ["z1"] },
  { op: "Relu", inputs: ["z1"], outputs: ["a1"] },
  { op: "Gemm", inputs: ["a1", "w2", "b2"], outputs: ["z2"] },
  { op: "Tanh", inputs: ["z2"], outputs: ["h"] },
];
const last: Record<string, Weights> = { ...first, w3: w(5, 3, 1), b3: w(6, 1) };
const three: Record<string, Weights> = { ...first, w3: w(5, 3, 3), b3: w(6, 3) };
const head: NodeText = { op: "Gemm", inputs: ["h", "w3", "b3"], outputs: ["f"] };

/** The same function by hand. */
function byHand(): { hidden: number[]; f: number[] } {
  const dense = (a: number[], weights: Weights, bias: Weights) =>
    bias.data.map((b, k) =>
      a.reduce((sum, v, j) => sum + v * weights.data[j * weights.dims[1] + k], b),
    );
  const hidden: number[] = [];
  const f: number[] = [];
  for (let i = 0; i < n; i++) {
    const x = [...X.data.subarray(i * 4, i * 4 + 4)];
    const a = dense(x, last.w1, last.b1).map((z) => Math.max(z, 0));
    const h = dense(a, last.w2, last.b2).map(Math.tanh);
    hidden.push(...h);
    f.push(...dense(h, last.w3, last.b3));
  }
  return { hidden, f };
}

describe("one network, as different exporters write it,", () => {
  const outputs = [{ name: "y" }];
  const same: readonly (readonly [string, ModelText])[] = [
    ["Gemm", { nodes: [...trunk, { ...head, outputs: ["y"] }], weights: last }],
    [
      "Gemm with its weights the other way round",
      {
        nodes: [...trunk, { ...head, outputs: ["y"], attributes: { transB: 1 } }],
        weights: { ...last, w3: turned(last.w3) },
      },
    ],
    [
      "MatMul and Add",
      {
        nodes: [
          { op: "MatMul", inputs: ["x", "w1"], outputs: ["m1"] },
          { op: "Add", inputs: ["m1", "b1"], outputs: ["z1"] },
          trunk[1],
          { op: "MatMul", inputs: ["a1", "w2"], outputs: ["m2"] },
          { op: "Add", inputs: ["b2", "m2"], outputs: ["z2"] },
          trunk[3],
          { op: "MatMul", inputs: ["h", "w3"], outputs: ["m3"] },
          { op: "Add", inputs: ["m3", "b3"], outputs: ["y"] },
        ],
        weights: last,
      },
    ],
    [
      "weights turned by the graph itself",
      {
        nodes: [
          ...trunk,
          { op: "Transpose", inputs: ["w3"], outputs: ["w3t"] },
          { ...head, inputs: ["h", "w3t", "b3"], outputs: ["y"] },
        ],
        weights: { ...last, w3: turned(last.w3) },
      },
    ],
    [
      "weights in Constant nodes",
      {
        nodes: [
          {
            op: "Constant",
            inputs: [],
            outputs: ["w3"],
            attributes: { value: { tensor: last.w3 } },
          },
          ...trunk,
          { ...head, outputs: ["y"] },
        ],
        weights: { ...first, b3: last.b3 },
      },
    ],
    [
      "dropout before the last layer, and shapes changed after it",
      {
        nodes: [
          ...trunk,
          { op: "Dropout", inputs: ["h"], outputs: ["d"] },
          { op: "Flatten", inputs: ["d"], outputs: ["flat"] },
          { ...head, inputs: ["flat", "w3", "b3"] },
          { op: "Reshape", inputs: ["f", "column"], outputs: ["line"] },
          { op: "Identity", inputs: ["line"], outputs: ["y"] },
        ],
        weights: { ...last, column: { dims: [1], data: [-1], type: "int64" } },
      },
    ],
    [
      "one row at a time",
      {
        nodes: [...trunk, { ...head, outputs: ["y"] }],
        weights: last,
        inputs: [{ name: "x", shape: [1, 4] }],
      },
    ],
    [
      "four rows at a time",
      {
        nodes: [...trunk, { ...head, outputs: ["y"] }],
        weights: last,
        inputs: [{ name: "x", shape: [4, 4] }],
      },
    ],
    [
      "an input without a shape, weights among the inputs",
      {
        nodes: [...trunk, { ...head, outputs: ["y"] }],
        weights: last,
        inputs: [{ name: "x" }, { name: "w1", shape: [4, 5] }],
      },
    ],
    [
      "double weights",
      {
        nodes: [...trunk, { ...head, outputs: ["y"] }],
        weights: Object.fromEntries(
          Object.entries(last).map(([name, tensor]) => [
            name,
            { ...tensor, type: "double" } as Weights,
          ]),
        ),
        inputs: [{ name: "x", type: "double", shape: ["n", 4] }],
        outputs: [{ name: "y", type: "double" }],
      },
    ],
    ["opset 9", { opset: 9, nodes: [...trunk, { ...head, outputs: ["y"] }], weights: last }],
    [
      "opset 26, the newest",
      { opset: 26, nodes: [...trunk, { ...head, outputs: ["y"] }], weights: last },
    ],
  ];

  const expected = byHand();
  test.each(same)("%s: the same hidden layer, f and gradient", async (_, text) => {
    const network = await openNetwork(writeOnnx({ outputs, ...text }));
    expect(network.detected.link).toBe("identity");
    const { hidden, functions, by } = await activations(network, X);
    expect(by).toBe("onnxruntime-web");
    expect([hidden.rows, hidden.cols, functions.cols]).toEqual([n, 3, 1]);
    expect(largestDifference(hidden.data, expected.hidden)).toBeLessThan(2e-6);
    expect(largestDifference(functions.data, expected.f)).toBeLessThan(2e-6);
    const { weights, bias } = network.detected.lastLayer!;
    const again = multiplyTranspose(hidden, weights).data.map((value) => value + bias[0]);
    expect(largestDifference(again, expected.f)).toBeLessThan(2e-6);
    const gradient = await networkSaliency(network, X, { method: "gradient" });
    const plain = await openNetwork(writeOnnx({ outputs, ...same[0][1] }));
    const other = await networkSaliency(plain, X, { method: "gradient" });
    expect(largestDifference(gradient.data, other.data)).toBeLessThan(1e-6);
    const relevance = await networkSaliency(network, X, { method: "lrp", epsilon: 0.01 });
    const otherRelevance = await networkSaliency(plain, X, { method: "lrp", epsilon: 0.01 });
    expect(largestDifference(relevance.data, otherRelevance.data)).toBeLessThan(1e-6);
  });

  test("the response brought back to its units after the last layer: a layer with other weights", async () => {
    const network = await openNetwork(
      writeOnnx({
        nodes: [
          ...trunk,
          { ...head, outputs: ["f"] },
          { op: "Mul", inputs: ["f", "scale"], outputs: ["scaled"] },
          { op: "Sub", inputs: ["scaled", "shift"], outputs: ["s"] },
          { op: "Div", inputs: ["s", "half"], outputs: ["y"] },
        ],
        // ((f·2 − (−b))/2 with f having b/2 less: the same function.
        weights: {
          ...last,
          b3: { dims: [1], data: [last.b3.data[0] - 0.25] },
          scale: { dims: [], data: [2] },
          shift: { dims: [1], data: [-0.5] },
          half: { dims: [], data: [2] },
        },
      }),
    );
    const { hidden, functions } = await activations(network, X);
    expect(largestDifference(functions.data, expected.f)).toBeLessThan(2e-6);
    const { weights, bias } = network.detected.lastLayer!;
    const again = multiplyTranspose(hidden, weights).data.map((value) => value + bias[0]);
    expect(largestDifference(again, expected.f)).toBeLessThan(2e-6);
  });

  test("half precision: to the digits it has", async () => {
    const weights = Object.fromEntries(
      Object.entries(last).map(([name, tensor]) => [
        name,
        { ...tensor, type: "float16" } as Weights,
      ]),
    );
    const network = await openNetwork(
      writeOnnx({
        nodes: [...trunk, { ...head, outputs: ["y"] }],
        weights,
        inputs: [{ name: "x", type: "float16", shape: ["n", 4] }],
        outputs: [{ name: "y", type: "float16" }],
      }),
    );
    const { hidden, functions } = await activations(network, X);
    expect(largestDifference(hidden.data, expected.hidden)).toBeLessThan(5e-3);
    expect(largestDifference(functions.data, expected.f)).toBeLessThan(5e-3);
    expect(largestDifference(functions.data, expected.f)).toBeGreaterThan(1e-6);
    const { data } = await networkSaliency(network, X, { method: "gradient" });
    expect(data.every(Number.isFinite)).toBe(true);
  });
});

describe("what a network ends with", () => {
  const f: NodeText = { ...head, outputs: ["f"] };
  test.each([
    ["Sigmoid", [{ op: "Sigmoid", inputs: ["f"], outputs: ["y"] }], last, "logistic"],
    ["Softmax", [{ op: "Softmax", inputs: ["f"], outputs: ["y"] }], three, "softmax"],
    [
      "LogSoftmax",
      [{ op: "LogSoftmax", inputs: ["f"], outputs: ["y"], attributes: { axis: 1 } }],
      three,
      "softmax",
    ],
    [
      "Softmax and Log",
      [
        { op: "Softmax", inputs: ["f"], outputs: ["p"] },
        { op: "Log", inputs: ["p"], outputs: ["y"] },
      ],
      three,
      "softmax",
    ],
  ] as const)("%s", async (_, end, weights, link) => {
    const network = await openNetwork(writeOnnx({ nodes: [...trunk, f, ...end], weights }));
    expect(network.detected).toMatchObject({ link, functionTensor: "f", hidden: "h" });
    const { functions } = await activations(network, X);
    const logits = await openNetwork(
      writeOnnx({ nodes: [...trunk, { ...f, outputs: ["y"] }], weights }),
    );
    expect(functions.data).toEqual((await activations(logits, X)).functions.data);
    // The probability's slopes add up to 0 over the classes, the logit's do not.
    if (link !== "softmax") return;
    const sum = new Float64Array(n * 4);
    for (const c of [0, 1, 2]) {
      const S = await networkSaliency(network, X, {
        method: "gradient",
        of: "probability",
        class: c,
      });
      S.data.forEach((value, e) => {
        sum[e] += value;
      });
    }
    expect(largestDifference(sum, new Float64Array(n * 4))).toBeLessThan(1e-12);
  });

  test("the tensor for the last hidden layer can be named, and then needs no linear layer after it", async () => {
    const bytes = writeOnnx({ nodes: [...trunk, { ...head, outputs: ["y"] }], weights: last });
    const earlier = await openNetwork(bytes, { hidden: "a1" });
    expect(earlier.detected).toMatchObject({ hidden: "a1", lastLayer: null });
    expect((await activations(earlier, X)).hidden.cols).toBe(5);
    await expect(openNetwork(bytes, { hidden: "a7" })).rejects.toThrow(
      /has no tensor "a7"; the last ones are/,
    );
  });
});

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
