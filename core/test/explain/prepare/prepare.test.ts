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
const withGaps = (name: string, present: (i: number) => boolean) =>
  numbers(
    name,
    Float64Array.from({ length: n }, (_, i) => (present(i) ? next() : Number.NaN)),
  );
const texts = (name: string, of: (i: number) => string | null): Column => {
  const values = Array.from({ length: n }, (_, i) => of(i));
  const levels = [...new Set(values.filter((value) => value !== null))];
  const codes = Int32Array.from(values, (value) => (value === null ? -1 : levels.indexOf(value)));
  return { kind: "category", name, levels, codes };
};
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

  test("columns that are constant in the rows left leave with a word, and drop no rows", () => {
    // Where b is there, the ward is north; where c is there too, d is 7.
    const source = table([
      noise("a"),
      noise("e"),
      withGaps("b", (i) => i % 2 === 0),
      texts("ward", (i) => (i % 2 === 0 ? "north" : "south")),
      withGaps("c", (i) => i % 4 === 0),
      numbers(
        "d",
        Float64Array.from({ length: n }, (_, i) => (i % 4 === 0 ? 7 : i === 2 ? Number.NaN : i)),
      ),
      noise("y"),
    ]);
    const { encoding, excluded, diagnostics, train, test: held } = prepare(source, options);
    expect(encoding.variables.map(({ name }) => name)).toEqual(["a", "e", "b", "c"]);
    expect(excluded).toEqual([
      { name: "ward", reason: 'constant: "north" in every row that is left' },
      { name: "d", reason: "constant: 7 in every row that is left" },
    ]);
    expect(train.X.rows + held.X.rows).toBe(10);
    const note = diagnostics.find(({ code }) => code === "constant-in-rows-left")!;
    expect(note.message).toBe(
      'Left out because only one value remains in the 10 of 40 rows that are used: "ward" ("north"), "d" (7).',
    );
    const kept = prepare(source, { ...options, keep: ["ward"] });
    expect(kept.encoding.variables.map(({ name }) => name)).toContain("ward");
    const few = { ...options, exclude: ["a", "e", "c"] };
    expect(() => prepare(source, few)).not.toThrow();
    expect(() => prepare(source, { ...few, exclude: ["a", "e", "c", "d"] })).toThrow(
      'needs at least 2 predictors beside "y", got 1; left out',
    );
  });

  test("a column that leaves gives back the rows that it alone dropped", () => {
    const source = table([
      noise("a"),
      withGaps("b", (i) => i % 2 === 0),
      noise("c"),
      // Constant where b is there, and missing in some of those rows.
      texts("d", (i) => (i % 2 === 1 ? "south" : i % 8 === 0 ? null : "north")),
      noise("y"),
    ]);
    const { train, test: held, excluded } = prepare(source, options);
    expect(excluded.map(({ name }) => name)).toEqual(["d"]);
    expect(train.X.rows + held.X.rows).toBe(20);
  });

  test("pooled levels are told of: which column, how many levels and rows", () => {
    const rows = 400;
    const wide = (name: string, levels: number): Column => ({
      kind: "category",
      name,
      levels: Array.from({ length: levels }, (_, k) => `l${k}`),
      // Level k in about as many rows as 1/(k + 1) says.
      codes: Int32Array.from({ length: rows }, (_, i) =>
        Math.min(levels - 1, Math.floor(levels ** ((i + 0.5) / rows)) - 1),
      ),
    });
    const other = (name: string) =>
      numbers(
        name,
        Float64Array.from({ length: rows }, () => next()),
      );
    const source = table([other("a"), wide("few", 30), wide("postcode", 60), other("y")]);
    const { diagnostics, encoding } = prepare(source, options);
    const [note, ...more] = diagnostics.filter(({ code }) => code === "rare-levels-pooled");
    expect(more).toEqual([]);
    const postcode = encoding.variables[2];
    if (postcode.kind !== "category") throw new Error("a category");
    const [, levels, of, share] = /"postcode" (\d+) of (\d+) levels \((\d+)% of the rows\)/.exec(
      note.message,
    )!;
    expect(Number(of) - Number(levels)).toBe(29);
    expect(Number(of)).toBeLessThanOrEqual(60);
    expect(Math.abs(Number(share) / 100 - postcode.shares[29])).toBeLessThan(0.005);
    expect(note).toMatchObject({ names: ["postcode"] });
  });

  test("rows times classes are bounded by what fits into memory", () => {
    const rows = 70_000;
    const sequence = (of: (i: number) => number) =>
      Float64Array.from({ length: rows }, (_, i) => of(i));
    const source = table([
      numbers(
        "a",
        sequence((i) => i % 13),
      ),
      numbers(
        "b",
        sequence((i) => i % 11),
      ),
      numbers(
        "y",
        sequence((i) => i % 1000),
      ),
    ]);
    expect(() => prepare(source, { ...options, task: "classification" })).toThrow(
      "needs at most 67108864 rows × classes, got 70000 × 1000",
    );
  });
});
