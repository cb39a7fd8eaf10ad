import { expect, test } from "vitest";
import { type Activation, connect } from "../../src/network/index.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { keyFromSeed } from "../../src/random/index.ts";

const key = keyFromSeed(1);
const architecture = (activation: Activation) => ({
  inputs: 300,
  layers: [{ kind: "dense" as const, units: 100, activation }],
  link: "identity" as const,
});
const moments = (values: Float64Array) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, variance, largest: Math.max(...values.map(Math.abs)) };
};

test.each([
  ["relu", "he", 2 / 300, Number.POSITIVE_INFINITY],
  ["gelu", "he", 2 / 300, Number.POSITIVE_INFINITY],
  ["tanh", "he", 2 / 400, Math.sqrt(6 / 400)],
  ["relu", "glorot", 2 / 400, Math.sqrt(6 / 400)],
] as const)(
  "%s from %s: the variance and the range of its 30,000 weights",
  (activation, initial, variance, range) => {
    const theta = initialParameters(architecture(activation), key, initial);
    const found = moments(theta.subarray(0, 30_000));
    expect(Math.abs(found.mean)).toBeLessThan(5 * Math.sqrt(variance / 30_000));
    expect(Math.abs(found.variance / variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 30_000));
    expect(found.largest).toBeLessThanOrEqual(range);
    expect(theta.subarray(30_000, 30_100).every((bias) => bias === 0)).toBe(true);
  },
);

test("a masked unit counts the inputs it is joined to, not all of them", () => {
  const pairs = Array.from({ length: 3000 }, (_, i) => [i, Math.floor(i / 10)] as const);
  const masked = {
    inputs: 3000,
    layers: [
      {
        kind: "masked-dense" as const,
        units: 300,
        activation: "relu" as const,
        connectivity: connect(pairs),
      },
    ],
    link: "identity" as const,
  };
  const { variance } = moments(initialParameters(masked, key, "he").subarray(0, 3000));
  expect(Math.abs(variance / (2 / 10) - 1)).toBeLessThan(5 * Math.sqrt(2 / 3000));
});

test("output means have variance 1/l and different keys differ", () => {
  const wide = {
    ...architecture("relu"),
    layers: [{ kind: "dense" as const, units: 4000, activation: "relu" as const }],
  };
  const layout = layoutOf(wide);
  const theta = initialParameters(wide, key, "glorot");
  const { variance } = moments(theta.subarray(layout.mean, layout.mean + 4000));
  expect(Math.abs(variance * 4000 - 1)).toBeLessThan(5 * Math.sqrt(2 / 4000));
  expect(initialParameters(wide, keyFromSeed(2), "glorot")).not.toEqual(theta);
});
