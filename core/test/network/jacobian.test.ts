import { describe, expect, test } from "vitest";
import { type Architecture, connect } from "../../src/network/architecture.ts";
import { type JacobianRows, jacobianBlocks, type Network } from "../../src/network/index.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { stageForward } from "./naive/stages.ts";

const P = 5;

function networkOf(layers: Architecture["layers"], seed = 1): Network {
  const architecture: Architecture = { inputs: P, layers, link: "identity" };
  const parameters = Float32Array.from(initialParameters(architecture, keyFromSeed(seed)));
  return { kind: "network", architecture, parameters };
}

const rowsOf = (rows: number, cols = P) => ({
  data: Float64Array.from({ length: rows * cols }, normals(keyFromSeed(3))),
  rows,
  cols,
});

/** h of one row, in double precision. */
function hiddenOf({ architecture, parameters }: Network, x: Float64Array): Float64Array {
  const theta = Float64Array.from(parameters);
  let values: Float64Array = x.slice();
  layoutOf(architecture).stages.forEach((stage, at) => {
    values = stageForward(stage, at, theta, values, 1, null).output;
  });
  return values;
}

/** (h(x + s) − h(x − s))/2s at the place of block entries. */
function differences(network: Network, data: Float64Array, rows: number): Float64Array {
  const { hidden: l, inputs: p } = layoutOf(network.architecture);
  const out = new Float64Array(p * rows * l);
  const s = 1e-5;
  for (let j = 0; j < p; j++)
    for (let i = 0; i < rows; i++) {
      const x = data.slice(i * p, (i + 1) * p);
      x[j] += s;
      const above = hiddenOf(network, x);
      x[j] -= 2 * s;
      const below = hiddenOf(network, x);
      for (let k = 0; k < l; k++) out[(j * rows + i) * l + k] = (above[k] - below[k]) / (2 * s);
    }
  return out;
}

const check = (network: Network) => {
  const X = rowsOf(9, network.architecture.inputs);
  const blocks: JacobianRows[] = [];
  for (const each of jacobianBlocks([network], X))
    blocks.push({ ...each, data: Float32Array.from(each.data) });
  expect(blocks.length).toBe(1);
  const [block] = blocks;
  expect(block.data.some((d) => Math.abs(d) > 0.05)).toBe(true);
  expectClose(block.data, differences(network, X.data, 9), { rtol: 1e-4, atol: 2e-6 });
};

describe("derivatives of the last hidden layer agree with central differences", () => {
  test("through dense layers of each activation", () => {
    check(
      networkOf([
        { kind: "dense", units: 7, activation: "tanh" },
        { kind: "dropout", rate: 0.5 },
        { kind: "dense", units: 6, activation: "gelu" },
        { kind: "dense", units: 4, activation: "sigmoid" },
        { kind: "dense", units: 3, activation: "identity" },
      ]),
    );
    check(
      networkOf([
        { kind: "dense", units: 7, activation: "relu" },
        { kind: "dense", units: 4, activation: "relu" },
      ]),
    );
  });

  test("through a masked layer and a single layer", () => {
    const connectivity = connect([0, 1, 2, 3, 4].flatMap((j) => [[j, j % 3] as const, [j, 3]]));
    check(
      networkOf([
        { kind: "masked-dense", units: 4, activation: "tanh", connectivity },
        { kind: "dense", units: 3, activation: "tanh" },
      ]),
    );
    check(networkOf([{ kind: "dense", units: 4, activation: "tanh" }]));
  });

  test("beside a linear part, whose derivatives are the same in every row and not among them", () => {
    const hidden: Architecture["layers"] = [{ kind: "dense", units: 3, activation: "tanh" }];
    const blocks = (layers: Architecture["layers"]) => {
      const network = { ...networkOf(hidden), architecture: networkOf(layers).architecture };
      return [...jacobianBlocks([network], rowsOf(4))].map(({ hidden, data }) => [
        hidden,
        [...data],
      ]);
    };
    expect(blocks([...hidden, { kind: "skip" }])).toEqual(blocks(hidden));
    expect(blocks([])).toEqual([[0, []]]);
  });
});

describe("through layers of images", () => {
  const image = { height: 4, width: 5, channels: 2 };
  const picture = (layers: Architecture["layers"]): Network => {
    const architecture: Architecture = { inputs: 40, image, layers, link: "identity" };
    const next = normals(keyFromSeed(8));
    const parameters = Float32Array.from(
      initialParameters(architecture, keyFromSeed(1)),
      (value) => value + 0.1 * Math.abs(next()),
    );
    return { kind: "network", architecture, parameters };
  };
  const convolution = {
    kind: "convolution",
    filters: 3,
    kernel: [2, 3],
    stride: [1, 2],
    padding: [1, 0, 0, 1],
    activation: "tanh",
  } as const;

  test("a padded convolution, a normalisation, both poolings and a dense layer", () => {
    for (const kind of ["max-pool", "average-pool"] as const)
      check(
        picture([
          convolution,
          { kind: "batch-normalisation", activation: "sigmoid" },
          { kind, kernel: 2, stride: 1 },
          { kind: "flatten" },
          { kind: "dense", units: 4, activation: "tanh" },
        ]),
      );
  });

  test("a last hidden layer that is an image, or a normalisation", () => {
    check(picture([convolution]));
    check(picture([{ kind: "max-pool", kernel: [2, 3], padding: [0, 1, 0, 0] }]));
    check(picture([{ kind: "flatten" }, { kind: "batch-normalisation" }]));
  });
});

test("blocks cover all rows in order and an ensemble stands side by side, divided by its size", () => {
  const layers: Architecture["layers"] = [{ kind: "dense", units: 3, activation: "tanh" }];
  const members = [networkOf(layers, 1), networkOf(layers, 2)];
  const X = rowsOf(1100);
  const blocks: JacobianRows[] = [];
  for (const block of jacobianBlocks(members, X))
    blocks.push({ ...block, data: block.data.slice() });
  expect(blocks.map((block) => block.rows).reduce((a, b) => a + b)).toBe(1100);
  expect(blocks.length).toBeGreaterThan(1);
  expect(blocks[0].hidden).toBe(6);
  const last = blocks[blocks.length - 1];
  const tail = X.data.slice((1100 - last.rows) * P);
  members.forEach((member, k) => {
    const expected = differences(member, tail, last.rows);
    const actual = Float64Array.from(
      { length: expected.length },
      (_, e) => 2 * last.data[Math.floor(e / 3) * 6 + 3 * k + (e % 3)],
    );
    expectClose(actual, expected, { rtol: 1e-4, atol: 2e-6 });
  });
});
