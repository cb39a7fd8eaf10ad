import { describe, expect, test } from "vitest";
import type { Architecture } from "../../src/network/architecture.ts";
import { checkArchitecture } from "../../src/network/check-architecture.ts";
import { forward, type Network } from "../../src/network/index.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { penaltyGroups } from "../../src/network/penalty.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { stageForward } from "./naive/stages.ts";

const image = { height: 3, width: 3, channels: 1 };
const of = (layers: Architecture["layers"], shape = image): Architecture => ({
  inputs: shape.height * shape.width * shape.channels,
  image: shape,
  layers,
  link: "identity",
});

/** The hidden layer of one row in double precision. */
function hidden(architecture: Architecture, theta: Float64Array, x: number[]): number[] {
  let values = Float64Array.from(x);
  layoutOf(architecture).stages.forEach((stage, at) => {
    values = Float64Array.from(stageForward(stage, at, theta, values, 1, null).output);
  });
  return [...values];
}

describe("by hand", () => {
  const x = [1, 2, 3, 4, 5, 6, 7, 8, 9];

  test("a 2×2 filter weighs four neighbours and adds a bias", () => {
    const architecture = of([
      { kind: "convolution", filters: 1, kernel: 2, activation: "identity" },
    ]);
    const theta = new Float64Array(layoutOf(architecture).size);
    theta.set([1, 10, 100, 1000, 0.5]);
    expect(hidden(architecture, theta, x)).toEqual([5421.5, 6532.5, 8754.5, 9865.5]);
  });

  test("padding is zero, and a stride leaves places out", () => {
    const architecture = of([
      {
        kind: "convolution",
        filters: 1,
        kernel: 2,
        stride: 2,
        padding: 1,
        activation: "identity",
      },
    ]);
    const theta = new Float64Array(layoutOf(architecture).size);
    theta.set([1, 10, 100, 1000]);
    expect(hidden(architecture, theta, x)).toEqual([1000, 3200, 7040, 9865]);
  });

  test("pooling takes the largest and the mean of what lies inside", () => {
    const theta = new Float64Array(100);
    const window = { kernel: 2, stride: 2, padding: [1, 1, 0, 0] } as const;
    expect(hidden(of([{ kind: "max-pool", ...window }]), theta, x)).toEqual([1, 3, 7, 9]);
    expect(hidden(of([{ kind: "average-pool", ...window }]), theta, x)).toEqual([1, 2.5, 5.5, 7]);
  });

  test("a filter's weights run over kernel rows, kernel columns and channels, in this order", () => {
    const shape = { height: 1, width: 2, channels: 2 };
    const architecture = of(
      [{ kind: "convolution", filters: 2, kernel: [1, 2], activation: "identity" }],
      shape,
    );
    const theta = new Float64Array(layoutOf(architecture).size);
    theta.set([1, 0, 10, 0, 100, 0, 1000, 2]);
    expect(hidden(architecture, theta, [1, 2, 3, 4])).toEqual([4321, 8]);
  });
});

test("batch normalisation: the batch's moments in training, their running averages in prediction", () => {
  const shape = { height: 1, width: 2, channels: 2 };
  const architecture = of([{ kind: "batch-normalisation" }], shape);
  const [stage] = layoutOf(architecture).stages;
  if (stage.kind !== "batch-normalisation") throw new Error("no normalisation");
  const theta = initialParameters(architecture, keyFromSeed(1));
  theta.set([2, 1], stage.weights);
  theta.set([10, 0], stage.bias);
  theta.set([1, 0], stage.mean);
  theta.set([4 - 1e-5, 1 - 1e-5], stage.variance);
  // Channel 0 holds 0, 2, 4, 6 (mean 3, variance 5), channel 1 holds 1 throughout.
  const X = Float64Array.of(0, 1, 2, 1, 4, 1, 6, 1);
  const noise = { key: keyFromSeed(1), step: 0 };
  const unit = 2 / Math.sqrt(5 + 1e-5);
  expectClose(
    stageForward(stage, 0, theta, X, 2, noise).output,
    [10 - 3 * unit, 0, 10 - unit, 0, 10 + unit, 0, 10 + 3 * unit, 0],
    { rtol: 1e-12 },
  );
  expectClose(stageForward(stage, 0, theta, X, 2, null).output, [9, 1, 11, 1, 13, 1, 15, 1]);
});

/** Layers of every kind at once, on two channels. */
const everything: Architecture = of(
  [
    { kind: "convolution", filters: 3, kernel: [3, 2], padding: [1, 0, 1, 1], activation: "relu" },
    { kind: "batch-normalisation", activation: "tanh" },
    { kind: "max-pool", kernel: 2, stride: 1 },
    { kind: "convolution", filters: 4, kernel: 2, stride: [1, 2], activation: "gelu" },
    { kind: "average-pool", kernel: [2, 1], padding: [1, 0, 0, 0] },
    { kind: "flatten" },
    { kind: "batch-normalisation" },
    { kind: "dense", units: 5, activation: "tanh" },
  ],
  { height: 6, width: 7, channels: 2 },
);

test("products over patches give what the plain loops give", () => {
  const next = normals(keyFromSeed(4));
  const theta = initialParameters(everything, keyFromSeed(1)).map(
    (w) => w + 0.05 * Math.abs(next()),
  );
  const network: Network = {
    kind: "network",
    architecture: everything,
    parameters: Float32Array.from(theta),
  };
  const rows = 11;
  const data = Float64Array.from({ length: rows * 84 }, next);
  const expected = Array.from({ length: rows }, (_, i) =>
    hidden(everything, Float64Array.from(network.parameters), [
      ...data.slice(i * 84, (i + 1) * 84),
    ]),
  ).flat();
  expect(expected.some((h) => Math.abs(h) > 0.1)).toBe(true);
  expectClose(forward(network, { data, rows, cols: 84 }).hidden.data, expected, {
    rtol: 1e-5,
    atol: 2e-6,
  });
});

describe("the input penalty", () => {
  const stretchesOf = (architecture: Architecture) => {
    const { offsets, starts, ends } = penaltyGroups(layoutOf(architecture));
    return [...offsets.subarray(1)].map((end, g) =>
      [...starts.subarray(offsets[g], end)].map((start, s) => [start, ends[offsets[g] + s]]),
    );
  };

  test("takes a convolution's weights by input channel", () => {
    const shape = { height: 4, width: 4, channels: 2 };
    const conv = { kind: "convolution", filters: 3, kernel: [1, 2], activation: "relu" } as const;
    expect(stretchesOf(of([conv], shape))).toEqual([
      [
        [0, 3],
        [6, 9],
      ],
      [
        [3, 6],
        [9, 12],
      ],
    ]);
  });

  test("takes dense weights by pixel, or by channel after pooling", () => {
    const shape = { height: 2, width: 2, channels: 2 };
    const dense = { kind: "dense", units: 5, activation: "relu" } as const;
    expect(stretchesOf(of([{ kind: "flatten" }, dense], shape)).length).toBe(8);
    const pooled = of([{ kind: "max-pool", kernel: [2, 1] }, { kind: "flatten" }, dense], shape);
    expect(stretchesOf(pooled)).toEqual([
      [
        [0, 5],
        [10, 15],
      ],
      [
        [5, 10],
        [15, 20],
      ],
    ]);
  });
});

describe("an architecture is refused", () => {
  const refusal = (changes: Partial<Architecture>) => () =>
    checkArchitecture({ ...of([]), ...changes });
  const conv = { kind: "convolution", filters: 2, kernel: 2, activation: "relu" } as const;

  test("when the image is not the inputs", () => {
    expect(refusal({ inputs: 10 })).toThrow(
      "needs an image of 10 cells, as many as inputs, got 3×3×1",
    );
  });

  test("when a window stands on a list of units", () => {
    expect(refusal({ layers: [{ kind: "flatten" }, conv] })).toThrow(
      "needs an image before layer 2 (set `image`), got a list of units",
    );
  });

  test("when a window is larger than its image", () => {
    expect(refusal({ layers: [conv, { ...conv, kernel: 3 }] })).toThrow(
      "needs an image of at least 3×3 with its padding in layer 2, got 2×2",
    );
  });

  test("when windows of a pooling could lie outside the image", () => {
    expect(refusal({ layers: [{ kind: "max-pool", kernel: 2, padding: 2 }] })).toThrow(
      "needs a padding below the kernel (2×2) in layer 1, got 2,2,2,2",
    );
  });

  test("when counts are no counts", () => {
    expect(refusal({ layers: [{ ...conv, filters: 0 }] })).toThrow(
      "at least one filter in layer 1",
    );
    expect(refusal({ layers: [{ ...conv, stride: 0 }] })).toThrow("a stride of whole cells");
    expect(refusal({ layers: [{ ...conv, kernel: 1.5 }] })).toThrow("a kernel of whole cells");
    expect(refusal({ layers: [{ ...conv, padding: -1 }] })).toThrow("a padding of whole cells");
  });
});
