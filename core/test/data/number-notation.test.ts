import { describe, expect, test } from "vitest";
import { type Column, columnBuilder, readingNotes } from "../../src/data/index.ts";

const built = (cells: readonly string[], decimalComma = false): Column => {
  const builder = columnBuilder("x", "f.csv", { decimalComma });
  cells.forEach((cell, i) => {
    builder.add(cell, i + 2);
  });
  return builder.finish();
};

test("percentages are numbers, and the column says so", () => {
  const column = built(["45%", " 5.5 % ", "", "-1%"]);
  expect(column).toEqual({
    kind: "number",
    name: "x",
    values: Float64Array.of(45, 5.5, Number.NaN, -1),
    notation: "percent",
  });
  expect(readingNotes([column])).toEqual([
    {
      code: "read-as-percent",
      severity: "note",
      message: '"x" is written in percent: 45% is read as 45.',
      name: "x",
    },
  ]);
  // A plain number among percentages is a hundred times something else.
  expect(() => built([...Array(20).fill("45%"), "0.45"])).toThrow('f.csv, line 22: column "x"');
});

describe("commas", () => {
  test("are refused at the first one where nobody says what they mean", () => {
    for (const cells of [
      ["1,5", "2,25"],
      ["1", "2", "1,234"],
      ["1,234.5", "2"],
    ])
      expect(() => built(cells)).toThrow(/^f\.csv, line \d: column "x" holds numbers with commas/);
    expect(() => built(["1", "2", "1,234"])).toThrow(
      'line 4: column "x" holds numbers with commas, such as "1,234"',
    );
  });

  test("are decimals where that was said, with points or blanks between thousands", () => {
    const column = built(["1,5", "1.234,5", "1 234,5", "-7", "", "1,5e3"], true);
    expect(column).toMatchObject({
      kind: "number",
      values: Float64Array.of(1.5, 1234.5, 1234.5, -7, Number.NaN, 1500),
    });
    expect(built(["12,5%", "3%"], true)).toMatchObject({ values: Float64Array.of(12.5, 3) });
    // 1.5 would be fifteen.
    expect(() => built([...Array(20).fill("1,5"), "1.5"], true)).toThrow('line 22: column "x"');
  });
});

test("numbers with units stay categories, which is said; honest categories are not mentioned", () => {
  const notes = (cells: readonly string[]) => readingNotes([built(cells)]).map(({ code }) => code);
  expect(notes(["45 kg", "50 kg", "61 kg", "7 kg", "81 kg", "90 kg"])).toEqual([
    "numbers-as-categories",
  ]);
  expect(notes(["$1.50", "$2", "$3", "$4", "$5", "$6"])).toEqual(["numbers-as-categories"]);
  expect(notes(["1st", "2nd", "3rd"])).toEqual([]);
  expect(notes(["a", "b", "c", "d", "e", "f"])).toEqual([]);
  expect(notes(["18-25", "26-35", "36-45", "46-55", "56-65", "66-75"])).toEqual([]);
  expect(notes(["1", "2", "3"])).toEqual([]);
});
