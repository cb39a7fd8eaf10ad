import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appendRows } from "../../src/data/append-rows.ts";
import { table } from "../../src/data/index.ts";
import { structureOfColumn } from "../../src/data/row-columns.ts";
import { foldsOfGroups, splitByStructure, structureOfRows } from "../../src/data/row-structure.ts";
import { foldRows } from "../../src/data/split.ts";
import { secondsOf } from "../../src/data/time-text.ts";
import { keyFromSeed, uniforms } from "../../src/random/index.ts";

const key = keyFromSeed(1);
const groupsOf = (values: readonly number[]) =>
  ({ kind: "groups", values: Int32Array.from(values) }) as const;
const timesOf = (values: readonly number[]) =>
  ({ kind: "time", values: Float64Array.from(values) }) as const;

describe("a split by groups", () => {
  const some = fc.array(fc.integer({ min: -3, max: 12 }), { minLength: 2, maxLength: 60 });

  test("keeps each group whole, each row in one part, and neither part empty", () => {
    fc.assert(
      fc.property(some, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (values, fraction) => {
        const split = splitByStructure(key, groupsOf(values), fraction);
        if (new Set(values).size === 1) return split === null;
        const { train, test: held } = split!;
        const [left, out] = [train, held].map((part) => new Set([...part].map((i) => values[i])));
        return (
          train.length > 0 &&
          held.length > 0 &&
          [...train, ...held].sort((a, b) => a - b).every((row, at) => row === at) &&
          train.length + held.length === values.length &&
          [...out].every((group) => !left.has(group))
        );
      }),
      { seed: 1 },
    );
  });

  test("comes within half a group of the share, draws groups by the key, and does not see their order", () => {
    const values = Array.from({ length: 600 }, (_, i) => (7 * i) % 60);
    const held = (seed: number, of = values) =>
      splitByStructure(keyFromSeed(seed), groupsOf(of), 0.3)!.test;
    for (let seed = 1; seed <= 20; seed++) expect(held(seed)).toHaveLength(180);
    const counts = new Float64Array(60);
    for (let seed = 1; seed <= 400; seed++)
      for (const group of new Set([...held(seed)].map((i) => values[i]))) counts[group]++;
    // Each of 60 groups in 0.3 of 400 draws, within five standard errors.
    for (const count of counts)
      expect(Math.abs(count / 400 - 0.3)).toBeLessThan(5 * Math.sqrt((0.3 * 0.7) / 400));
    const back = values.toReversed();
    expect([...held(3, back)].map((i) => back[i]).sort()).toEqual(
      [...held(3)].map((i) => values[i]).sort(),
    );
  });

  test("holds out the smallest where every group is larger than what is wanted", () => {
    const values = [...Array(50).fill(1), ...Array(40).fill(2), ...Array(60).fill(3)];
    const { test: held } = splitByStructure(key, groupsOf(values), 0.05)!;
    expect(new Set([...held].map((i) => values[i]))).toEqual(new Set([2]));
  });

  test("takes a group of a million rows", () => {
    const values = Array.from({ length: 1_000_010 }, (_, i) => Number(i >= 1_000_000));
    expect(splitByStructure(key, groupsOf(values), 0.9)!.test.length).toBe(1_000_000);
  });
});

describe("a split by time", () => {
  test("holds out the latest rows, wherever they stand", () => {
    const { train, test: held } = splitByStructure(
      key,
      timesOf([5, 1, 9, 2, 8, 3, 7, 4, 6, 0]),
      0.3,
    )!;
    expect([...held]).toEqual([2, 4, 6]);
    expect([...train]).toEqual([0, 1, 3, 5, 7, 8, 9]);
  });

  test("keeps ties together, on the side that comes nearer to the share", () => {
    const sizes = (times: number[], fraction: number) =>
      splitByStructure(key, timesOf(times), fraction)!.test.length;
    expect(sizes([1, 2, 3, 4, 5, 6, 7, 8, 8, 8], 0.2)).toBe(3);
    expect(sizes([1, 2, 3, 4, 5, 5, 5, 5, 5, 6], 0.3)).toBe(1);
    expect(sizes([1, 2, 3, 4, 5, 5, 5, 5, 5, 6], 0.4)).toBe(6);
    expect(sizes([1, 2, 2, 2, 2, 2, 2, 2, 2, 2], 0.1)).toBe(9);
    expect(splitByStructure(key, timesOf([4, 4, 4]), 0.3)).toBeNull();
  });

  test("no held-out row is earlier than any other", () => {
    const draws = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 2, maxLength: 80 });
    fc.assert(
      fc.property(draws, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (times, fraction) => {
        const split = splitByStructure(key, timesOf(times), fraction);
        if (!split) return new Set(times).size === 1;
        const last = Math.max(...[...split.train].map((i) => times[i]));
        return [...split.test].every((i) => times[i] > last) && split.test.length > 0;
      }),
      { seed: 2 },
    );
  });
});

describe("folds", () => {
  test("hold each row once, in parts of nearly equal size", () => {
    const parts = foldRows(key, 103, 5);
    expect(parts.map((part) => part.length).sort()).toEqual([20, 20, 21, 21, 21]);
    expect(parts.flatMap((part) => [...part]).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 103 }, (_, i) => i),
    );
    expect(foldRows(keyFromSeed(2), 103, 5)).not.toEqual(parts);
    expect(() => foldRows(key, 3, 4)).toThrow("from 2 to 3 folds");
  });

  test("spread every class over all parts", () => {
    const next = uniforms(key);
    const labels = Int32Array.from({ length: 200 }, () => (next() < 0.1 ? 1 : 0));
    const ones = labels.reduce((sum, label) => sum + label, 0);
    for (const part of foldRows(key, 200, 5, labels)) {
      const count = part.reduce((sum, row) => sum + labels[row], 0);
      expect(Math.abs(count - ones / 5)).toBeLessThan(1);
      expect(part).toHaveLength(40);
    }
  });

  test("of groups keep them whole and the parts even", () => {
    const values = Int32Array.from({ length: 500 }, (_, i) => Math.floor(Math.sqrt(i)));
    const parts = foldsOfGroups(key, values, 5)!;
    const owner = new Map<number, number>();
    parts.forEach((part, p) => {
      for (const row of part) expect(owner.get(values[row]) ?? p).toBe(p);
      for (const row of part) owner.set(values[row], p);
    });
    expect(parts.reduce((sum, part) => sum + part.length, 0)).toBe(500);
    for (const part of parts) expect(Math.abs(part.length - 100)).toBeLessThan(20);
    expect(foldsOfGroups(key, Int32Array.of(1, 1, 2), 3)).toBeNull();
  });
});

describe("times in texts", () => {
  test("are seconds since 1970, of a month, a day or a time, with an offset or in UTC", () => {
    expect(secondsOf("1970-01-01")).toBe(0);
    expect(secondsOf("2024-03")).toBe(secondsOf("2024-03-01"));
    expect(secondsOf("2024-02-29T12:30")! - secondsOf("2024-02-29")!).toBe(12.5 * 3600);
    expect(secondsOf(" 2024-02-29 12:30:01.5Z ")! - secondsOf("2024-02-29T12:30")!).toBe(1.5);
    expect(secondsOf("2024-02-29T12:30+02:00")).toBe(secondsOf("2024-02-29T10:30"));
    expect(secondsOf("2024-02-29T12:30-0130")).toBe(secondsOf("2024-02-29T14:00Z"));
    expect(secondsOf("2000-01-01")! - secondsOf("1999-12-31")!).toBe(86_400);
  });

  test("are nothing else", () => {
    for (const text of [
      "3/4/2024",
      "2024-13-01",
      "2023-02-29",
      "2024-04-31",
      "2024-01-00",
      "2024",
      "2024-1-1",
      "today",
      "2024-01-01T25:00",
      "2024-01-01T10:60",
    ])
      expect(secondsOf(text), text).toBeNull();
  });
});

describe("a column that ties rows", () => {
  const when = {
    kind: "category" as const,
    name: "when",
    levels: ["2024-01-02", "2023-12-31"],
    codes: Int32Array.of(0, 1, -1, 0),
  };

  test("gives times of numbers or of dates, groups of numbers or texts", () => {
    const rows = Uint32Array.of(3, 1);
    const { values } = structureOfColumn("time", when, rows);
    expect(values[0] - values[1]).toBe(2 * 86_400);
    const numbers = { kind: "number" as const, name: "n", values: Float64Array.of(7, 0.5, 7, 0.5) };
    expect(structureOfColumn("time", numbers, rows)).toEqual(timesOf([0.5, 0.5]));
    expect(structureOfColumn("groups", numbers, Uint32Array.of(0, 1, 2))).toEqual(
      groupsOf([0, 1, 0]),
    );
    expect(structureOfColumn("groups", when, rows)).toEqual(groupsOf([0, 1]));
    expect(structureOfRows(timesOf([4, 5, 6]), Uint32Array.of(2, 0))).toEqual(timesOf([6, 4]));
  });

  test("is refused where a row has no time, or a text that is no date", () => {
    expect(() => structureOfColumn("time", when, Uint32Array.of(1, 2))).toThrow(
      'needs a time in every row in use, got 1 missing in column "when"; fill them in',
    );
    const other = { ...when, levels: ["2024-01-02", "31.12.2023"] };
    expect(() => structureOfColumn("time", other, Uint32Array.of(0, 1))).toThrow(
      'row 2 holds "31.12.2023", which is neither a number nor a date such as 2024-03-31',
    );
  });
});

describe("rows of a second table", () => {
  const main = table([
    { kind: "number", name: "a", values: Float64Array.of(1, 2) },
    { kind: "category", name: "c", levels: ["x", "y"], codes: Int32Array.of(0, 1) },
    { kind: "number", name: "id", values: Float64Array.of(1, 2) },
  ]);

  test("come after those of the first, in its columns and with its levels", () => {
    const more = table([
      { kind: "category", name: "c", levels: ["z", "y"], codes: Int32Array.of(1, 0, -1) },
      { kind: "number", name: "unknown", values: Float64Array.of(0, 0, 0) },
      { kind: "number", name: "a", values: Float64Array.of(3, 4, 5) },
    ]);
    expect(appendRows(main, more, new Set(["a", "c"]))).toEqual({
      rows: 5,
      columns: [
        { kind: "number", name: "a", values: Float64Array.of(1, 2, 3, 4, 5) },
        {
          kind: "category",
          name: "c",
          levels: ["x", "y", "z"],
          codes: Int32Array.of(0, 1, 1, 2, -1),
        },
        {
          kind: "number",
          name: "id",
          values: Float64Array.of(1, 2, Number.NaN, Number.NaN, Number.NaN),
        },
      ],
    });
  });

  test("need the columns that are used, with values of the same kind", () => {
    const texts = table([
      { kind: "category", name: "a", levels: ["?"], codes: Int32Array.of(0) },
      { kind: "number", name: "d", values: Float64Array.of(1) },
    ]);
    expect(() => appendRows(main, texts, new Set(["a", "c"]))).toThrow(
      'the test table: has no column "c"; its columns are a, d',
    );
    expect(() => appendRows(main, texts, new Set(["a"]))).toThrow(
      'the test table: column "a" holds texts, but in the table to learn from it holds numbers',
    );
    const empty = table([{ kind: "number", name: "c", values: Float64Array.of(Number.NaN) }]);
    expect(appendRows(main, empty, new Set(["c"])).columns[1]).toMatchObject({
      codes: Int32Array.of(0, 1, -1),
    });
  });
});
