import { expect, test } from "vitest";
import { readBundle, writeBundle } from "../../src/data/index.ts";
import {
  type Architecture,
  fit,
  type Network,
  predict,
  type Recipe,
} from "../../src/network/index.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";

const rows = 400;
const image = { height: 6, width: 6, channels: 2 };
const architecture: Architecture = {
  inputs: 72,
  image,
  layers: [
    { kind: "convolution", filters: 4, kernel: 3, activation: "relu" },
    { kind: "batch-normalisation" },
    { kind: "max-pool", kernel: 2 },
    { kind: "flatten" },
    { kind: "dense", units: 8, activation: "relu" },
  ],
  link: "logistic",
};

/** A bright cell of channel 0 is in the upper or the lower half; channel 1 is noise. */
const next = normals(keyFromSeed(1));
const X = { data: Float32Array.from({ length: rows * 72 }, () => 0.3 * next()), rows, cols: 72 };
const y = Float64Array.from({ length: rows }, (_, i) => {
  const cell = (i * 23) % 36;
  X.data[i * 72 + 2 * cell] += 3;
  return cell < 18 ? 1 : 0;
});

const trained = async (network: Architecture, changes: Partial<Recipe>) =>
  (await fit(X, y, { key: keyFromSeed(1), architecture: network, changes })).network;
const accuracy = (network: Network) => {
  const { probabilities } = predict(network, X);
  return (
    y.filter((label, i) => probabilities!.data[2 * i + 1] > 0.5 === (label === 1)).length / rows
  );
};

test("a network of images learns, predicts with running moments, and survives a file", async () => {
  const network = await trained(architecture, { penalties: [0], epochs: 40 });
  expect(accuracy(network)).toBeGreaterThan(0.95);
  const stage = layoutOf(architecture).stages[1];
  if (stage.kind !== "batch-normalisation") throw new Error("no normalisation");
  const moments = network.parameters.subarray(stage.mean, stage.variance + stage.channels);
  expect(moments.every((m) => m !== 0 && m !== 1)).toBe(true);
  const again = readBundle(writeBundle(network), "memory") as Network;
  expect(again).toEqual(network);
  expect(predict(again, X)).toEqual(predict(network, X));
});

test("the input penalty empties the channel that does not matter", async () => {
  // A normalisation would undo any common shrinkage of the filters, so there is none.
  const plain = { ...architecture, layers: architecture.layers.toSpliced(1, 1) };
  const long = { epochs: 60, patience: 60, keep: "last" } as const;
  const network = await trained(plain, { penalties: [1], ...long });
  const { window, filters, weights } = layoutOf(plain).stages[0] as Extract<
    ReturnType<typeof layoutOf>["stages"][number],
    { kind: "convolution" }
  >;
  const norms = [0, 0];
  for (let row = 0; row < 9 * window.channels; row++)
    for (let f = 0; f < filters; f++)
      norms[row % 2] += network.parameters[weights + row * filters + f] ** 2;
  expect(norms[0]).toBeGreaterThan(0.1);
  expect(norms[1]).toBeLessThan(1e-3 * norms[0]);
  expect(accuracy(network)).toBeGreaterThan(0.95);
});
