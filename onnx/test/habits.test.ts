import { multiplyTranspose } from "@ratewise/core/linalg";
import { describe, expect, test } from "vitest";
import { activations } from "../src/activations.ts";
import { openNetwork } from "../src/network.ts";
import { networkSaliency } from "../src/saliency.ts";
import { largestDifference } from "./support/numbers.ts";
import { first, head, last, n, three, trunk, turned, X } from "./support/small-network.ts";
import { type ModelText, type NodeText, type Weights, writeOnnx } from "./support/write-onnx.ts";

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
