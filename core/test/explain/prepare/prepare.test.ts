import { describe, expect, test } from "vitest";
import { type Column, table } from "../../../src/data/index.ts";
import { prepare } from "../../../src/explain/prepare/prepare.ts";
import { keyFromSeed, normals } from "../../../src/random/index.ts";

const n = 40;
const next = normals(keyFromSeed(1));
const numbers = (name: string, values: ArrayLike<number>): Column => ({
  kind: "number",
  name,
  values: Float64Array.from(values),
});
const noise = (name: string) =>
  numbers(
    name,
    Float64Array.from({ length: n }, () => next()),
  );
const options = { key: keyFromSeed(1), target: "y" };

describe("prepare", () => {
  test("splits 70/30 and standardises with the training rows", () => {
    const {
      train,
      test: held,
      task,
    } = prepare(table([noise("a"), noise("b"), noise("y")]), options);
    expect([train.X.rows, held.X.rows, task]).toEqual([28, 12, "regression"]);
    for (const column of [0, 1]) {
      const values = Array.from({ length: 28 }, (_, i) => train.X.data[i * 2 + column]);
      const mean = values.reduce((s, v) => s + v, 0) / 28;
      const variance = values.reduce((s, v) => s + (v - mean) ** 2, 0) / 27;
      expect(Math.abs(mean)).toBeLessThan(1e-6);
      expect(Math.abs(variance - 1)).toBeLessThan(1e-5);
    }
  });

  test("rows and responses stay together", () => {
    const a = noise("a");
    const y = numbers(
      "y",
      (a as { values: Float64Array }).values.map((v) => 3 * v),
    );
    const { train, test: held } = prepare(table([a, noise("b"), y]), options);
    for (const part of [train, held])
      for (let i = 1; i < part.X.rows; i++) {
        const slope = (part.y[i] - part.y[0]) / (part.X.data[i * 2] - part.X.data[0]);
        const expected = (part.y[1] - part.y[0]) / (part.X.data[2] - part.X.data[0]);
        expect(Math.abs(slope / expected - 1)).toBeLessThan(1e-3);
      }
  });

  test("drops, fills or refuses rows with missing predictors, and always drops rows without a response", () => {
    const a = noise("a") as { values: Float64Array } & Column;
    a.values[3] = Number.NaN;
    const y = noise("y") as { values: Float64Array } & Column;
    y.values[5] = Number.NaN;
    const source = table([a, noise("b"), y]);
    const rowsWith = (missing: "drop" | "mean") => {
      const { train, test: held, diagnostics } = prepare(source, { ...options, missing });
      return [train.X.rows + held.X.rows, ...diagnostics.map((d) => d.code)];
    };
    expect(rowsWith("drop")).toEqual([38, "target-missing", "predictors-missing"]);
    expect(rowsWith("mean")).toEqual([39, "target-missing", "predictors-missing"]);
    expect(() => prepare(source, { ...options, missing: "error" })).toThrow(
      '"a" is missing in row 4',
    );
  });

  test("leaves out what is asked and what cannot help, and needs two predictors and ten rows", () => {
    const counter = numbers(
      "i",
      Float64Array.from({ length: n }, (_, i) => i),
    );
    const source = table([noise("a"), noise("b"), noise("c"), counter, noise("y")]);
    const { encoding, excluded } = prepare(source, { ...options, exclude: ["b"] });
    expect(encoding.variables.map((v) => v.name)).toEqual(["a", "c"]);
    expect(excluded).toEqual([
      { name: "b", reason: "left out as asked" },
      { name: "i", reason: "counts the rows" },
    ]);
    expect(() => prepare(source, { ...options, exclude: ["b", "c"] })).toThrow(
      'needs at least 2 predictors beside "y", got 1; left out: "b" (left out as asked)',
    );
    expect(() => prepare(source, { ...options, exclude: ["z"] })).toThrow('no column "z"');
    const few = table(["a", "b", "y"].map((name) => numbers(name, [1, 2, 4, 3, 5])));
    expect(() => prepare(few, { ...options, task: "regression" })).toThrow(
      "at least 10 usable rows, got 5",
    );
  });
});
