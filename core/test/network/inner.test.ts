import { describe, expect, test } from "vitest";
import { matrix } from "../../src/linalg/index.ts";
import {
  type Architecture,
  activations,
  forward,
  type Network,
  networkAfter,
  saliency,
} from "../../src/network/index.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const architecture: Architecture = {
  inputs: 24,
  image: { height: 3, width: 4, channels: 2 },
  layers: [
    { kind: "convolution", filters: 3, kernel: 2, activation: "tanh" },
    { kind: "batch-normalisation" },
    { kind: "average-pool", kernel: [2, 1] },
    { kind: "flatten" },
    { kind: "dropout", rate: 0.5 },
    { kind: "dense", units: 5, activation: "relu" },
    { kind: "dense", units: 4, activation: "tanh" },
  ],
  link: "softmax",
  classes: 3,
};
const network: Network = {
  kind: "network",
  architecture,
  parameters: Float32Array.from(initialParameters(architecture, keyFromSeed(1))),
};
const X = matrix(7, 24, Float64Array.from({ length: 7 * 24 }, normals(keyFromSeed(2))));

describe("the rest of a network on a layer's activations", () => {
  for (let layer = 0; layer < architecture.layers.length; layer++)
    test(`gives what the network gives: after layer ${layer + 1}`, () => {
      const inner = activations(network, X, layer);
      expect(inner.cols).toBe(layoutOf(architecture).stages[layer].units);
      expect(inner.data.some((a) => Math.abs(a) > 0.05)).toBe(true);
      const rest = networkAfter(network, layer);
      expect(rest.architecture.layers.length).toBe(architecture.layers.length - layer - 1);
      const [whole, part] = [forward(network, X), forward(rest, inner)];
      expectClose(part.hidden.data, whole.hidden.data, { rtol: 1e-5, atol: 1e-6 });
      expectClose(part.mean.data, whole.mean.data, { rtol: 1e-5, atol: 1e-6 });
    });

  test("keeps images images as long as they are", () => {
    expect(networkAfter(network, 1).architecture.image).toEqual({
      height: 2,
      width: 3,
      channels: 3,
    });
    expect(networkAfter(network, 3).architecture.image).toBeUndefined();
  });

  test("has saliencies of its own: those of the last layer are the output weights", async () => {
    const last = architecture.layers.length - 1;
    const { data } = await saliency([networkAfter(network, last)], activations(network, X, last), {
      method: "gradient",
      class: 1,
    });
    const { mean } = layoutOf(architecture);
    const weights = [...network.parameters.subarray(mean + 4, mean + 8)];
    expectClose(data, Array.from({ length: 7 }, () => weights).flat());
  });
});

test("a layer that is not there is refused", () => {
  expect(() => activations(network, X, 7)).toThrow("activations: needs a layer from 0 to 6, got 7");
  expect(() => networkAfter(network, -1)).toThrow(
    "networkAfter: needs a layer from 0 to 6, got -1",
  );
});

test("the rest of a network with a linear part is refused: it sees the columns, not the units", () => {
  const dense = { kind: "dense", units: 3, activation: "relu" } as const;
  const beside: Architecture = {
    inputs: 4,
    layers: [dense, { kind: "skip" }],
    link: "identity",
  };
  const parameters = Float32Array.from(initialParameters(beside, keyFromSeed(1)));
  const joined: Network = { kind: "network", architecture: beside, parameters };
  expect(() => networkAfter(joined, 0)).toThrow("got one with a linear part");
  expect(networkAfter(joined, 1).architecture.layers).toEqual([]);
});
