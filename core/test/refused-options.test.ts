import { expect, test } from "vitest";
import { table } from "../src/data/index.ts";
import { targetFromColumn } from "../src/data/target.ts";
import { RatewiseError } from "../src/errors.ts";
import { explain } from "../src/explain/index.ts";
import { matrix } from "../src/linalg/index.ts";
import { refitLastLayer } from "../src/posterior/last-layer.ts";
import { keyFromSeed } from "../src/random/index.ts";
import { knockoffFilter, selectByKnockoffs, selectByPermutation } from "../src/select/index.ts";

const numbers = (name: string, of: (i: number) => number) => ({
  kind: "number" as const,
  name,
  values: Float64Array.from({ length: 60 }, (_, i) => of(i)),
});
const source = table([
  numbers("a", (i) => (i * 37) % 60),
  numbers("b", (i) => (i * 11) % 7),
  numbers("family", (i) => (i === 3 ? Number.NaN : i % 6)),
  numbers("y", (i) => ((i * 37) % 60) + ((i * 11) % 7)),
  numbers("few", (i) => i % 3),
]);
const text = { kind: "category" as const, name: "t", levels: ["u", "v"], codes: new Int32Array(9) };
const key = keyFromSeed(1);
const X = matrix(
  8,
  2,
  Float64Array.from({ length: 16 }, (_, e) => (e * 7) % 5),
);
const y = Float64Array.from({ length: 8 }, (_, i) => i);
const score = async () => Float64Array.of(1, 2);
const units = [[0], [1]];
const explained = (target: string, options: object) => explain(source, { target, ...options });

test.each<[string, () => unknown]>([
  ["task", () => targetFromColumn(text, "regression")],
  ["model", () => explained("few", { model: "gp" })],
  ["model", () => explained("y", { model: "gp", stability: true })],
  [
    "families",
    () => explained("y", { families: "family", select: { fdr: 0.1, by: "permutation" } }),
  ],
  ["copies", () => explained("y", { select: { fdr: 0.1, by: "knockoffs", copies: "genotype" } })],
  [
    "noiseVariance",
    () =>
      refitLastLayer(X, null, {
        link: "identity",
        network: { weights: matrix(1, 2), bias: Float64Array.of(0) },
      }),
  ],
  [
    "noiseVariance",
    () => refitLastLayer(X, y, { link: "logistic", around: "mode", noiseVariance: 1 }),
  ],
  ["around", () => refitLastLayer(X, y, { link: "identity", around: "network" })],
  ["draws", () => selectByKnockoffs(X, y, { key, score, fdr: 0.1, groups: units, draws: 0 })],
  [
    "permutations",
    () => selectByPermutation(X, y, { key, score, fdr: 0.1, units, permutations: 0 }),
  ],
  ["fdr", () => knockoffFilter(Float64Array.of(1, 2), 2)],
])("an error carries the option %s whose value it refuses", async (option, call) => {
  const error: unknown = await Promise.resolve()
    .then(call)
    .catch((reason) => reason);
  expect(error).toBeInstanceOf(RatewiseError);
  const { option: refused, message } = error as RatewiseError;
  expect(refused, message).toBe(option);
});
