import { describe, expect, test } from "vitest";
import { backward, evaluate, targetOf } from "../src/derivative.ts";
import { knownOperators } from "../src/operators/index.ts";
import { compile } from "../src/program.ts";
import { readOnnx } from "../src/read-onnx.ts";
import { openSession } from "../src/runtime.ts";
import { tensor } from "../src/tensor.ts";
import { largestDifference, normalNumbers } from "./support/numbers.ts";
import {
  type AttributeValue,
  type NodeText,
  type Weights,
  writeOnnx,
} from "./support/write-onnx.ts";

interface Case {
  readonly name: string;
  readonly shape: readonly number[];
  readonly nodes: readonly NodeText[];
  readonly weights?: Readonly<Record<string, Weights>>;
  readonly opset?: number;
  /** Moves the inputs away from 0, where a function has no slope or is not defined. */
  readonly shift?: number;
}

const normal = (...dims: number[]): Weights => ({
  dims,
  data: normalNumbers(
    dims.reduce((product, d) => product * d, 1),
    dims.length + dims[0],
    0.5,
  ),
});
const whole = (...data: number[]): Weights => ({ dims: [data.length], data, type: "int64" });

/** One operator from x to y, its other inputs being weights. */
function one(
  op: string,
  shape: readonly number[],
  attributes: Readonly<Record<string, AttributeValue>> = {},
  weights: Readonly<Record<string, Weights>> = {},
  more: Partial<Case> = {},
): Case {
  const inputs = ["x", ...Object.keys(weights)];
  const settings = Object.entries(attributes).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  return {
    name: [op, `(${shape.join(", ")})`, ...settings, more.opset ? `opset ${more.opset}` : ""]
      .join(" ")
      .trim(),
    shape,
    nodes: [{ op, inputs, outputs: ["y"], attributes }],
    weights,
    ...more,
  };
}

/** Two tensors that both depend on x: x and x·s. */
function both(
  op: string,
  shape: readonly number[],
  more: Partial<Case> = {},
  attributes: Readonly<Record<string, AttributeValue>> = {},
): Case {
  return {
    name: `${op} of two tensors that depend on the input`,
    shape,
    nodes: [
      { op: "Tanh", inputs: ["x"], outputs: ["a"] },
      { op, inputs: ["x", "a"], outputs: ["y"], attributes },
    ],
    ...more,
  };
}

const image = [2, 3, 6, 5];
const cases: readonly Case[] = [
  one(
    "Gemm",
    [3, 4],
    { transB: 1, alpha: { float: 0.5 }, beta: { float: 2 } },
    { b: normal(5, 4), c: normal(5) },
  ),
  one("Gemm", [3, 4], {}, { b: normal(4, 5), c: normal(1) }),
  one("Gemm", [4, 3], { transA: 1 }, { b: normal(4, 5) }),
  one("Gemm", [4, 3], { transA: 1, transB: 1 }, { b: normal(5, 4) }),
  one("MatMul", [3, 4], {}, { b: normal(4, 2) }),
  one("MatMul", [3, 4], {}, { b: normal(4) }),
  one("MatMul", [2, 3, 4], {}, { b: normal(4, 2) }),
  one("MatMul", [2, 3, 4], {}, { b: normal(2, 4, 2) }),
  one("MatMul", [3, 1, 2, 4], {}, { b: normal(2, 4, 2) }),
  {
    name: "MatMul of two tensors that depend on the input",
    shape: [2, 3, 4],
    nodes: [
      { op: "Transpose", inputs: ["x"], outputs: ["t"], attributes: { perm: [0, 2, 1] } },
      { op: "MatMul", inputs: ["x", "t"], outputs: ["y"] },
    ],
  },
  one("Add", [3, 4], {}, { b: normal(4) }),
  one("Add", [3, 4], {}, { b: normal(3, 1) }),
  one("Add", [4], {}, { b: normal(3, 4) }),
  both("Add", [3, 4]),
  one("Sub", [2, 3, 4], {}, { b: normal(3, 1) }),
  both("Sub", [3, 4]),
  both("Mul", [3, 4]),
  one("Mul", [2, 3], {}, { b: normal(1) }),
  both("Div", [3, 4], { shift: 2 }),
  one("Pow", [3, 4], {}, { b: { dims: [], data: [3] } }, { shift: 2 }),
  one("Pow", [3, 4], {}, { b: { dims: [], data: [2] } }),
  both("Pow", [3, 4], { shift: 2 }),
  one("Conv", image, { kernel_shape: [3, 3] }, { w: normal(4, 3, 3, 3), b: normal(4) }),
  one(
    "Conv",
    image,
    { kernel_shape: [3, 2], pads: [1, 0, 2, 1], strides: [2, 1], dilations: [1, 2] },
    { w: normal(4, 3, 3, 2) },
  ),
  one(
    "Conv",
    [2, 4, 5, 5],
    { group: 2, pads: [1, 1, 1, 1] },
    { w: normal(6, 2, 3, 3), b: normal(6) },
  ),
  one("Conv", image, { auto_pad: "SAME_UPPER", strides: [2, 2] }, { w: normal(2, 3, 4, 2) }),
  one("Conv", image, { auto_pad: "SAME_LOWER" }, { w: normal(2, 3, 2, 2) }),
  one("Conv", image, { auto_pad: "VALID" }, { w: normal(2, 3, 2, 2) }),
  one("Conv", [2, 3, 8], { strides: [2], pads: [1, 1] }, { w: normal(4, 3, 3), b: normal(4) }),
  one(
    "BatchNormalization",
    image,
    { epsilon: { float: 0.01 } },
    {
      scale: normal(3),
      b: normal(3),
      mean: normal(3),
      variance: { dims: [3], data: [0.5, 1, 2] },
    },
  ),
  one("MaxPool", image, { kernel_shape: [2, 2], strides: [2, 2] }),
  one("MaxPool", image, {
    kernel_shape: [3, 3],
    strides: [2, 2],
    pads: [1, 1, 1, 1],
    ceil_mode: 1,
  }),
  one("MaxPool", [2, 3, 9], { kernel_shape: [3], strides: [3] }),
  one("AveragePool", image, { kernel_shape: [2, 2], strides: [2, 2] }),
  one("AveragePool", image, { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }),
  one("AveragePool", image, { kernel_shape: [3, 3], pads: [1, 1, 1, 1], count_include_pad: 1 }),
  one("GlobalAveragePool", image),
  one("GlobalMaxPool", image),
  one("Relu", [3, 4]),
  one("LeakyRelu", [3, 4], { alpha: { float: 0.2 } }),
  one("LeakyRelu", [3, 4]),
  one("Elu", [3, 4], { alpha: { float: 0.7 } }),
  one("Gelu", [3, 4], {}, {}, { opset: 20 }),
  one("Gelu", [3, 4], { approximate: "tanh" }, {}, { opset: 20 }),
  one("Erf", [5, 8]),
  one("Tanh", [3, 4]),
  one("Sigmoid", [3, 4]),
  one("Softplus", [3, 4]),
  one("Clip", [3, 4], {}, { low: { dims: [], data: [-0.5] }, high: { dims: [], data: [0.6] } }),
  one("Clip", [3, 4], { min: { float: 0 }, max: { float: 0.6 } }, {}, { opset: 9 }),
  one("Exp", [3, 4]),
  one("Log", [3, 4], {}, {}, { shift: 4 }),
  one("Sqrt", [3, 4], {}, {}, { shift: 4 }),
  one("Neg", [3, 4]),
  one("Softmax", [3, 4]),
  one("Softmax", [2, 3, 4], { axis: 1 }),
  one("Softmax", [2, 3, 4], { axis: 1 }, {}, { opset: 11 }),
  one("LogSoftmax", [3, 4]),
  one("ReduceMean", [2, 3, 4], { axes: [1], keepdims: 0 }),
  one("ReduceMean", [2, 3, 4], { axes: [-1, -2] }),
  one("ReduceSum", [2, 3, 4], { keepdims: 0 }, { axes: whole(2) }),
  one("Flatten", image),
  one("Flatten", image, { axis: 2 }),
  one("Reshape", image, {}, { shape: whole(0, -1) }),
  one("Reshape", image, {}, { shape: whole(3, 2, 30) }),
  one("Transpose", [2, 3, 4], { perm: [2, 0, 1] }),
  one("Transpose", [2, 3, 4]),
  one("Squeeze", [2, 1, 3], {}, { axes: whole(1) }),
  one("Squeeze", [2, 1, 3], { axes: [1] }, {}, { opset: 11 }),
  one("Unsqueeze", [2, 3], {}, { axes: whole(0, -1) }),
  one("Identity", [3, 4]),
  one("Dropout", [3, 4]),
  one("Dropout", [3, 4], { ratio: { float: 0.5 } }, {}, { opset: 11 }),
  both("Concat", [3, 4], {}, { axis: 1 }),
  both("Concat", [2, 3, 2], {}, { axis: -2 }),
  one("Gather", [3, 4], { axis: 1 }, { which: whole(2, 0, -1, 2) }),
  one(
    "Slice",
    [4, 5],
    {},
    { starts: whole(1, 0), ends: whole(3, 1e9), axes: whole(0, 1), steps: whole(1, 2) },
  ),
  one(
    "Slice",
    [4, 5],
    {},
    { starts: whole(-1), ends: whole(-6), axes: whole(1), steps: whole(-1) },
  ),
  one("Slice", [4, 5], { starts: [1], ends: [-1], axes: [1] }, {}, { opset: 9 }),
  one("Cast", [3, 4], { to: 1 }),
  {
    name: "shapes computed by the graph itself (Shape, Gather, Mod, Constant, ConstantOfShape)",
    shape: [6, 2, 2],
    nodes: [
      { op: "Shape", inputs: ["x"], outputs: ["shape"] },
      { op: "Constant", inputs: [], outputs: ["first"], attributes: { value_ints: [0] } },
      { op: "Gather", inputs: ["shape", "first"], outputs: ["rows"] },
      {
        op: "Constant",
        inputs: [],
        outputs: ["four"],
        attributes: { value: { tensor: whole(4) } },
      },
      { op: "Mod", inputs: ["rows", "four"], outputs: ["two"] },
      { op: "Constant", inputs: [], outputs: ["one"], attributes: { value: { tensor: whole(1) } } },
      {
        op: "ConstantOfShape",
        inputs: ["one"],
        outputs: ["rest"],
        attributes: { value: { tensor: whole(-1) } },
      },
      { op: "Concat", inputs: ["two", "rest"], outputs: ["to"], attributes: { axis: 0 } },
      { op: "Reshape", inputs: ["x", "to"], outputs: ["y"] },
    ],
  },
  {
    name: "a residual link, where slopes add up",
    shape: [3, 4],
    nodes: [
      { op: "MatMul", inputs: ["x", "w"], outputs: ["a"] },
      { op: "Tanh", inputs: ["a"], outputs: ["b"] },
      { op: "Add", inputs: ["x", "b"], outputs: ["c"] },
      { op: "Mul", inputs: ["c", "c"], outputs: ["y"] },
    ],
    weights: { w: normal(4, 4) },
  },
];

function prepare({ shape, nodes, weights = {}, opset = 17, shift = 0 }: Case) {
  const bytes = writeOnnx({ opset, nodes, weights, inputs: [{ name: "x", shape }] });
  const model = readOnnx(bytes);
  const files = new Map<string, Uint8Array>();
  const { program } = compile(model, files, "x", "y");
  const size = shape.reduce((product, d) => product * d, 1);
  const x = tensor(
    shape,
    Float64Array.from(normalNumbers(size, 7), (v) => Math.fround(v + shift)),
  );
  const network = { bytes, files, model, detected: { input: model.inputs[0] } };
  return { program: program!, x, network: network as unknown as Parameters<typeof openSession>[0] };
}

describe.each(cases.map((one) => [one.name, one] as const))("%s", (_, given) => {
  const { program, x, network } = prepare(given);

  test("gives what onnxruntime gives", async () => {
    const session = await openSession(network, ["y"]);
    const [expected] = await session.run(x, ["y"]);
    await session.close();
    const found = targetOf(program, evaluate(program, x));
    expect(found.dims).toEqual(expected.dims);
    expect(largestDifference(found.data, expected.data)).toBeLessThan(
      2e-6 * Math.max(1, ...expected.data.map(Math.abs)),
    );
  });

  test("has the slopes of central differences", () => {
    const values = evaluate(program, x);
    const out = targetOf(program, values);
    const direction = Float64Array.from(normalNumbers(out.data.length, 11));
    const slopes = backward(program, values, tensor(out.dims, direction));
    const along = (at: Float64Array) =>
      targetOf(program, evaluate(program, tensor(x.dims, at))).data.reduce(
        (sum, value, e) => sum + value * direction[e],
        0,
      );
    const h = 1e-6;
    const numeric = x.data.map((_, e) => {
      const moved = (step: number) => along(x.data.map((v, k) => (k === e ? v + step : v)));
      return (moved(h) - moved(-h)) / (2 * h);
    });
    expect(slopes.dims).toEqual(x.dims);
    expect(largestDifference(slopes.data, numeric)).toBeLessThan(
      1e-7 * Math.max(1, ...numeric.map(Math.abs)),
    );
    expect(Math.max(...numeric.map(Math.abs))).toBeGreaterThan(1e-3);
  });
});

test("every operator that is known is among these", () => {
  const tried = new Set(cases.flatMap(({ nodes }) => nodes.map(({ op }) => op)));
  expect(knownOperators.filter((name) => !tried.has(name))).toEqual([]);
});
