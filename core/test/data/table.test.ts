import { describe, expect, test } from "vitest";
import { encode, selectDesignRows } from "../../src/data/design.ts";
import { variableOfColumn } from "../../src/data/encoding.ts";
import { fitEncoding } from "../../src/data/fit-encoding.ts";
import {
  columnBuilder,
  columnNamed,
  excludeColumns,
  missingCount,
  splitRows,
  table,
} from "../../src/data/index.ts";
import { splitRowsByClass } from "../../src/data/split.ts";
import { keyFromSeed } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const numbers = (name: string, ...values: number[]) => ({
  kind: "number" as const,
  name,
  values: Float64Array.from(values),
});
const categories = (name: string, ...values: (string | null)[]) => {
  const levels = [...new Set(values.filter((v) => v !== null))];
  const codes = Int32Array.from(values, (v) => (v === null ? -1 : levels.indexOf(v)));
  return { kind: "category" as const, name, levels, codes };
};
const rowsUpTo = (n: number) => Uint32Array.from({ length: n }, (_, i) => i);
const built = (cells: string[], asCategory = false) => {
  const builder = columnBuilder("x", "f.csv", { category: asCategory });
  cells.forEach((cell, i) => {
    builder.add(cell, i + 2);
  });
  return builder.finish();
};

describe("a column of text cells", () => {
  test("becomes numbers, with what people write for missing as NaN", () => {
    const column = built(["1", " -2.5 ", "1e3", ".5", "+7.", "", "NA", "n/a", "?", "NaN", "null"]);
    expect(column).toEqual(numbers("x", 1, -2.5, 1000, 0.5, 7, ...Array(6).fill(Number.NaN)));
    expect(missingCount(column)).toBe(6);
  });

  test("becomes categories in order of appearance, also when asked to", () => {
    expect(built(["b", "a", "", "b"])).toEqual(categories("x", "b", "a", null, "b"));
    expect(built(["2", "1", "2"], true)).toEqual(categories("x", "2", "1", "2"));
    // Number("0x10") is 16, but a table that says 0x10 does not mean a decimal number.
    expect(built(["0x10", "0b1"]).kind).toBe("category");
  });

  test("that is numbers but for a slip names the first line that is not", () => {
    const cells = [...Array(30).fill("1"), "oops", "2"];
    expect(() => built(cells)).toThrow(
      'f.csv, line 32: column "x" holds numbers, but this cell holds "oops"',
    );
    expect(() => built([...Array(1500).fill("1"), "late"])).toThrow("line 1502");
    expect(() => built([...Array(30).fill("1"), "1,5"])).toThrow("write decimals with a point");
    expect(() => built(["1", "inf"])).toThrow("only finite numbers");
  });

  test("keeps 5,000 rows in order past the first decision", () => {
    const column = built(Array.from({ length: 5000 }, (_, i) => `${i}`));
    expect(column.kind === "number" && column.values[4999]).toBe(4999);
  });
});

test("a table refuses columns of different lengths and repeated names, and finds columns by name", () => {
  expect(() => table([])).toThrow("at least one column");
  expect(() => table([numbers("a", 1), numbers("b", 1, 2)])).toThrow('1 rows in column "b"');
  expect(() => table([numbers("a", 1), numbers("a", 2)])).toThrow('two columns are named "a"');
  const t = table([numbers("a", 1, 2, 3), categories("b", "x", "y", "x")]);
  expect(() => columnNamed(t, "z")).toThrow('no column "z"; the columns are a, b');
});

test("constants, dates, row counters and identifiers are left out, each with its reason", () => {
  const n = 20;
  const count = Array.from({ length: n }, (_, i) => i);
  const t = table([
    numbers("constant", ...count.map(() => 3)),
    numbers("counter", ...count.map((i) => i + 5)),
    numbers("patient_id", ...count.map((i) => (i * 7919) % 104729)),
    numbers("integers", ...count.map((i) => (i * 7919) % 104729)),
    numbers("gone", ...count.map(() => Number.NaN)),
    categories("day", ...count.map((i) => `2024-01-${i + 1}`)),
    categories("note", ...count.map((i) => `text ${i}`)),
    categories("same", ...count.map(() => "a")),
    categories("group", ...count.map((i) => (i % 2 ? "a" : "b"))),
  ]);
  const reasons = Object.fromEntries(excludeColumns(t).map((e) => [e.name, e.reason]));
  expect(Object.keys(reasons)).toEqual([
    "constant",
    "counter",
    "patient_id",
    "gone",
    "day",
    "note",
    "same",
  ]);
  expect(reasons.constant).toContain("constant: 3");
  expect(reasons.day).toContain("dates");
  expect(reasons.note).toContain("identifier or free text: 20 different texts in 20 rows");
  expect(excludeColumns(t, new Set(["counter"])).map((e) => e.name)).not.toContain("counter");
});

describe("splitting rows", () => {
  test("puts every row in exactly one part of the size asked for", () => {
    const { train, test: held } = splitRows(keyFromSeed(1), 10, 0.3);
    expect([train.length, held.length]).toEqual([7, 3]);
    expect([...train, ...held].sort((a, b) => a - b)).toEqual([...rowsUpTo(10)]);
    expect(splitRows(keyFromSeed(2), 10, 0.3)).not.toEqual({ train, test: held });
    expect(() => splitRows(keyFromSeed(1), 1, 0.3)).toThrow("at least 2 rows");
    expect(() => splitRows(keyFromSeed(1), 10, 1)).toThrow("between 0 and 1");
  });

  test("by class keeps the shares and a class of one in training", () => {
    const labels = [...Array(80).fill(0), ...Array(20).fill(1), 2];
    const { train, test: held } = splitRowsByClass(keyFromSeed(1), labels, 3, 0.25);
    const share = (rows: Uint32Array, k: number) => rows.filter((row) => labels[row] === k).length;
    expect([share(held, 0), share(held, 1), share(held, 2)]).toEqual([20, 5, 0]);
    expect(train.length + held.length).toBe(101);
  });
});

describe("the encoding", () => {
  const t = table([
    numbers("a", 1, 2, 3, 100),
    categories("c", "u", "v", "u", "w"),
    numbers("b", 5, Number.NaN, 7, 9),
  ]);
  const train = Uint32Array.of(0, 1, 2);

  test("standardises with the training rows alone and fills what is missing with the mean", () => {
    const encoding = fitEncoding(t, ["a", "b"], train);
    const X = encode(encoding, t, rowsUpTo(4));
    // a: mean 2, sd 1; b: mean 6, sd √2 over the two present
    expectClose(X.data, [-1, -1 / Math.SQRT2, 0, 0, 1, 1 / Math.SQRT2, 98, 3 / Math.SQRT2], {
      rtol: 1e-7,
    });
  });

  test("gives a category one centred column a level, the commonest first, and keeps them together", () => {
    const five = table([
      numbers("a", 1, 2, 3, 4, 100),
      categories("c", "v", "u", "t", "u", "w"),
      numbers("b", 5, 6, 7, 9, 9),
    ]);
    const four = Uint32Array.of(0, 1, 2, 3);
    const encoding = fitEncoding(five, ["a", "c", "b"], four);
    expect([...variableOfColumn(encoding)]).toEqual([0, 1, 1, 1, 2]);
    const X = encode(encoding, five, four);
    expect(X.cols).toBe(5);
    // Shares ½ of u, ¼ of v and of t; v is met before t.
    const scale = Math.sqrt((1 / 4 + 3 / 16 + 3 / 16) / 3);
    const first = [-1 / 2 / scale, 3 / 4 / scale, -1 / 4 / scale];
    expectClose([...X.data.subarray(1, 4)], first, { rtol: 1e-6 });
    // "w" was never seen in training: no level, so all indicators are off.
    const unseen = encode(encoding, five, Uint32Array.of(4));
    const off = [-1 / 2 / scale, -1 / 4 / scale, -1 / 4 / scale];
    expectClose([...unseen.data.subarray(1, 4)], off, { rtol: 1e-6 });
  });

  test("pools rare levels of a wide category", () => {
    const wide = table([categories("c", ...Array.from({ length: 200 }, (_, i) => `l${i % 50}`))]);
    const encoding = fitEncoding(wide, ["c"], rowsUpTo(200));
    expect(encoding.width).toBe(30);
    const X = encode(encoding, wide, rowsUpTo(200));
    const sums = Array.from({ length: 30 }, (_, k) =>
      rowsUpTo(200).reduce((s, i) => s + X.data[i * 30 + k], 0),
    );
    expectClose(sums, new Float64Array(30), { atol: 1e-4 });
  });

  test("refuses a column whose kind changed, and picks rows", () => {
    const encoding = fitEncoding(t, ["a"], train);
    const other = table([categories("a", "x")]);
    expect(() => encode(encoding, other, rowsUpTo(1))).toThrow(
      'column "a" holds texts, but the model was trained with numbers',
    );
    const X = encode(encoding, t, rowsUpTo(4));
    expect(selectDesignRows(X, Uint32Array.of(3, 0)).data).toEqual(Float32Array.of(98, -1));
  });
});
