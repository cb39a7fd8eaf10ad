import { describe, expect, test } from "vitest";
import { encode } from "../../src/data/design.ts";
import { lineOf, textVariables } from "../../src/data/encoding.ts";
import { fitEncoding } from "../../src/data/fit-encoding.ts";
import { type Column, table } from "../../src/data/index.ts";
import { keyFromSeed, permutation } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const numbers = (name: string, values: readonly number[]): Column => ({
  kind: "number",
  name,
  values: Float64Array.from(values),
});
/** Levels in the order given, so that codes say nothing of the rows. */
const texts = (name: string, levels: readonly string[], values: readonly (string | null)[]) =>
  ({
    kind: "category",
    name,
    levels,
    codes: Int32Array.from(values, (value) => (value === null ? -1 : levels.indexOf(value))),
  }) as const;
const all = (n: number) => Uint32Array.from({ length: n }, (_, i) => i);
const columnOf = (column: Column, rows: number, trained = rows) => {
  const source = table([column]);
  const encoding = fitEncoding(source, [column.name], all(trained));
  return { encoding, X: encode(encoding, source, all(rows)) };
};

describe("a column of two values", () => {
  // 0 is the commoner: 5 of 8 present.
  const pattern = [1, 0, 0, null, 1, 0, 1, 0, 0];
  const zeroOne = columnOf(
    numbers(
      "x",
      pattern.map((value) => value ?? Number.NaN),
    ),
    9,
  );

  test("is 0 for the commoner and 1 for the other, then standardised; missing is the mean", () => {
    const sd = Math.sqrt((8 * (3 / 8) * (5 / 8)) / 7);
    expect(zeroOne.X.cols).toBe(1);
    expectClose(
      zeroOne.X.data,
      pattern.map((value) => (value === null ? 0 : (value - 3 / 8) / sd)),
      { rtol: 1e-7, atol: 1e-9 },
    );
  });

  test("has the same bits as any other that is cut alike, numbers or texts", () => {
    for (const [zero, one] of [
      [1, 0],
      [3, 17],
      [0.1, 0.3],
      [5, -7],
    ]) {
      const values = pattern.map((v) => (v === null ? Number.NaN : v === 1 ? one : zero));
      expect(columnOf(numbers("x", values), 9).X.data).toEqual(zeroOne.X.data);
    }
    for (const [zero, one] of [
      ["no", "yes"],
      ["yes", "no"],
    ])
      for (const levels of [
        [zero, one],
        [one, zero],
      ]) {
        const values = pattern.map((v) => (v === null ? null : v === 1 ? one : zero));
        const { encoding, X } = columnOf(texts("x", levels, values), 9);
        expect(X.data).toEqual(zeroOne.X.data);
        expect(encoding.variables[0]).toMatchObject({ kind: "pair", values: [zero, one] });
      }
  });

  test("that are met as often is 0 where the first row is", () => {
    const a = columnOf(texts("x", ["a", "b"], ["b", "a", "a", "b"]), 4);
    expect(a.encoding.variables[0]).toMatchObject({ values: ["b", "a"], mean: 0.5 });
    const b = columnOf(numbers("x", [9, 2, 2, 9]), 4);
    expect(b.X.data).toEqual(a.X.data);
  });

  test("takes a number elsewhere along the line, and a text that training did not meet for the mean", () => {
    const { encoding, X } = columnOf(numbers("x", [2, 2, 4, 8]), 4, 3);
    const { centre, scale } = lineOf(encoding.variables[0] as Parameters<typeof lineOf>[0]);
    expectClose(
      X.data,
      [2, 2, 4, 8].map((x) => (x - centre) / scale),
      { rtol: 1e-6 },
    );
    expect(X.data[3]).toBeCloseTo((3 - 1 / 3) / Math.sqrt(1 / 3), 5);
    const text = columnOf(texts("x", ["u", "v", "w"], ["u", "u", "v", "w"]), 4, 3);
    expect(text.X.data[3]).toBe(0);
    expect(text.X.data[0]).toBeCloseTo(-1 / Math.sqrt(3), 6);
    const falling = columnOf(numbers("x", [1, 1, 0]), 3).encoding.variables[0];
    expect(lineOf(falling as Parameters<typeof lineOf>[0]).scale).toBeLessThan(0);
  });

  test("keeps its kind: texts that look like numbers have to be read as texts again", () => {
    const source = table([texts("t", ["1", "2"], ["1", "2", "1"]), numbers("n", [1, 2, 1])]);
    const encoding = fitEncoding(source, ["t", "n"], all(3));
    expect(textVariables(encoding)).toEqual(["t"]);
    const other = table([numbers("t", [1]), numbers("n", [1])]);
    expect(() => encode(encoding, other, all(1))).toThrow(
      'column "t" holds numbers, but the model was trained with texts',
    );
  });
});

describe("a category", () => {
  const n = 600;
  const drawn = Array.from({ length: n }, (_, i) => (i * i + (i >> 3)) % 41);
  const bits = (names: readonly string[], levels = names) => {
    const used = [...new Set(levels)];
    return columnOf(
      texts(
        "x",
        used,
        drawn.map((k) => names[k]),
      ),
      n,
    ).X.data;
  };
  const names = Array.from({ length: 41 }, (_, k) => `level ${k}`);

  test("has the same bits whatever its levels are called and whichever is listed first", () => {
    const expected = bits(names);
    for (const seed of [1, 2, 3]) {
      const order = [...permutation(keyFromSeed(seed), names.length)];
      const renamed = order.map((k) => names[k]);
      expect(bits(renamed, names)).toEqual(expected);
      expect(bits(names, renamed)).toEqual(expected);
    }
  });
});

test("an encoding of version 0.1, with a column for each of two texts, encodes as it did", () => {
  const source = table([texts("x", ["no", "yes", "other"], ["yes", "no", null, "other"])]);
  const old = { kind: "category", name: "x", first: 0, levels: ["no", "yes"] } as const;
  const encoding = { variables: [{ ...old, shares: [0.75, 0.25], scale: 0.5 }], width: 2 };
  expect([...encode(encoding, source, all(4)).data]).toEqual([
    ...[-1.5, 1.5],
    ...[0.5, -0.5],
    ...[0, 0],
    ...[-1.5, -0.5],
  ]);
});
