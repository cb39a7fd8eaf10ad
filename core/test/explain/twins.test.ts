import { describe, expect, test } from "vitest";
import { encode } from "../../src/data/design.ts";
import { fitEncoding } from "../../src/data/fit-encoding.ts";
import { type Column, table } from "../../src/data/index.ts";
import { effectsFromFactor } from "../../src/effects/index.ts";
import { explain } from "../../src/explain/explain.ts";
import { predictTable } from "../../src/explain/fit/model.ts";
import { columnsInTableUnits, inTableUnits } from "../../src/explain/fit/table-units.ts";
import { matrix } from "../../src/linalg/index.ts";
import { forward } from "../../src/network/forward.ts";
import { fold, keyFromSeed, normals, permutation, uniforms } from "../../src/random/index.ts";
import { rate } from "../../src/rate/index.ts";

const n = 240;
const next = normals(fold(keyFromSeed(4), "normal"));
const uniform = uniforms(fold(keyFromSeed(4), "uniform"));
const a = Float64Array.from({ length: n }, next);
const b = Float64Array.from({ length: n }, next);
/** Whether a row is one of the rarer, 30%, with effect −2; and one of five groups. */
const rare = Array.from({ length: n }, () => uniform() < 0.3);
const group = Array.from({ length: n }, () => Math.floor(5 * uniform() ** 1.5));
const y = a.map((v, i) => v + 0.5 * b[i] - (rare[i] ? 2 : 0) + 0.4 * group[i] + 0.3 * next());

const numbers = (name: string, values: ArrayLike<number>): Column => ({
  kind: "number",
  name,
  values: Float64Array.from(values),
});
const texts = (name: string, values: readonly string[], levels = [...new Set(values)]): Column => ({
  kind: "category",
  name,
  levels,
  codes: Int32Array.from(values, (value) => levels.indexOf(value)),
});
const twoNumbers = (common: number, other: number) =>
  numbers(
    "two",
    rare.map((is) => (is ? other : common)),
  );
const twoTexts = (common: string, other: string, levels?: string[]) =>
  texts(
    "two",
    rare.map((is) => (is ? other : common)),
    levels,
  );
const LEVELS = ["red", "green", "blue", "white", "black"];
const colours = (names: readonly string[], levels?: string[]) =>
  texts(
    "colour",
    group.map((g) => names[g]),
    levels,
  );

const explained = async (two: Column, colour = colours(LEVELS)) => {
  const source = table([numbers("a", a), two, numbers("b", b), colour, numbers("y", y)]);
  const answer = await explain(source, { target: "y", hidden: [12, 6], seed: 2 });
  return { source, ...answer };
};
const first = await explained(twoNumbers(0, 1));
const shares = ({ document }: Pick<typeof first, "document">) =>
  document.variables.map(({ name, rate: share, direct }) => ({
    name,
    share,
    direct: direct!.rate,
  }));
const expectSameShares = (actual: Pick<typeof first, "document">) => {
  shares(actual).forEach(({ name, share, direct }, v) => {
    const expected = shares(first)[v];
    expect(name).toBe(expected.name);
    expect(Math.abs(share! - expected.share!)).toBeLessThan(1e-9);
    expect(Math.abs(direct - expected.direct)).toBeLessThan(1e-9);
  });
};

describe("a column of two values has the same RATE and direct share", () => {
  test("as text, whatever the texts and their order", async () => {
    expect(shares(first)[1].share).toBeGreaterThan(0.05);
    expectSameShares(await explained(twoTexts("no", "yes")));
    expectSameShares(await explained(twoTexts("yes", "no", ["no", "yes"])));
  });

  test("as other numbers, also where the commoner is the larger; means and curves stay in the table's terms", async () => {
    const turned = await explained(twoNumbers(7, 3));
    expectSameShares(turned);
    const [up, down] = [first, turned].map(({ document }) => document.variables[1]);
    // The rarer lowers y: 0 → 1 falls, and so 3 → 7 rises.
    expect(up.mean!).toBeLessThan(-0.1);
    expect(down.mean).toBe(-up.mean!);
    expect(down.sd).toBe(up.sd);
    const curve = ({ document }: typeof first) =>
      document.shapes.find(({ name }) => name === "two")!;
    expect([curve(first).values, curve(turned).values]).toEqual([
      [0, 1],
      [3, 7],
    ]);
    expect(curve(turned).curves[0].mean).toEqual(curve(first).curves[0].mean.toReversed());
    expect([curve(first), curve(turned)].map(({ curves }) => curves[0].shape)).toEqual([
      "falls",
      "rises",
    ]);
  });
});

test("a category has the same shares whatever its levels are called and whichever is listed first", async () => {
  const renamed = ["white", "red", "black", "green", "blue"];
  expectSameShares(await explained(twoNumbers(0, 1), colours(renamed, LEVELS)));
  expectSameShares(await explained(twoNumbers(0, 1), colours(LEVELS, renamed)));
});

test("the RATE of a category does not depend on the order of its columns", () => {
  const source = table([colours(LEVELS), numbers("a", a), numbers("b", b)]);
  const rows = Uint32Array.from({ length: n }, (_, i) => i);
  const X = encode(fitEncoding(source, ["colour", "a", "b"], rows), source, rows);
  expect(X.cols).toBe(7);
  const H = Float64Array.from({ length: n * 3 }, (_, e) => Math.tanh(X.data[e] + next()));
  const rateOf = (order: readonly number[]) => {
    const mean = new Float64Array(7);
    const factor = matrix(7, 3);
    order.forEach((column, j) => {
      for (let i = 0; i < n; i++) {
        mean[j] += (X.data[i * 7 + column] * y[i]) / n;
        for (let k = 0; k < 3; k++)
          factor.data[j * 3 + k] += (X.data[i * 7 + column] * H[i * 3 + k]) / n;
      }
    });
    const effects = effectsFromFactor(mean, factor, { noise: new Float64Array(7).fill(1 / n) });
    const groups = [
      { name: "colour", members: [0, 1, 2, 3, 4] },
      { name: "a", members: [5] },
      { name: "b", members: [6] },
    ];
    return rate(effects, { groups }).groups!;
  };
  const expected = rateOf([0, 1, 2, 3, 4, 5, 6]);
  expect(expected.rate[0]).toBeGreaterThan(0.05);
  for (const seed of [1, 2, 3]) {
    const permuted = rateOf([...permutation(keyFromSeed(seed), 5), 5, 6]);
    for (let g = 0; g < 3; g++) {
      expect(Math.abs(permuted.rate[g] - expected.rate[g])).toBeLessThan(1e-9);
      expect(Math.abs(permuted.kldExact![g] - expected.kldExact![g])).toBeLessThan(1e-9);
    }
  }
});

test("models of two values predict new rows and become functions of the table's own numbers", async () => {
  for (const two of [twoNumbers(7, 3), twoTexts("no", "yes")]) {
    const { source, model } = await explained(two);
    const { mean } = predictTable(model, source);
    const [network] = model.networks;
    const { architecture, parameters } = inTableUnits(network, model.encoding);
    const raw = forward(
      { kind: "network", architecture, parameters: Float32Array.from(parameters) },
      columnsInTableUnits(model.encoding, source),
    );
    for (let i = 0; i < n; i++) expect(Math.abs(raw.mean.data[i] - mean![i])).toBeLessThan(1e-3);
  }
});
