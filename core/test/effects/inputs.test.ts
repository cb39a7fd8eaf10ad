import { describe, expect, test } from "vitest";
import { addColumns, columnAccumulator } from "../../src/effects/column-accumulator.ts";
import {
  addRows,
  type Block,
  effectSizes,
  finishAccumulator,
  rowAccumulator,
} from "../../src/effects/index.ts";
import { projectRidge } from "../../src/effects/linear.ts";
import { type Matrix, matrix } from "../../src/linalg/matrix.ts";
import { diagonalWeights, normalTable, toSparse } from "./tables.ts";

const X = normalTable(1, "X", 8, 3);
const H = normalTable(1, "H", 8, 2);
const weights = diagonalWeights(1, 2);

const withValue = (table: Matrix, at: number, value: number): Matrix =>
  matrix(table.rows, table.cols, table.data.with(at, value));
const shape = (text: string) =>
  expect.objectContaining({ code: "shape", message: expect.stringContaining(text) });
const domain = (text: string, details: object = {}) =>
  expect.objectContaining({
    code: "domain",
    message: expect.stringContaining(text),
    details: expect.objectContaining(details),
  });

describe.each(["covariance", "linear", { ridge: 1 }] as const)("projection %j", (projection) => {
  const effects = (x: Block, h: Matrix) => effectSizes(x, h, weights, { projection });

  test("refuses an H of other rows", () => {
    expect(() => effects(X, normalTable(1, "H", 7, 2))).toThrow(shape("rows"));
  });

  test("refuses a single row", () => {
    expect(() => effects(normalTable(1, "X", 1, 3), normalTable(1, "H", 1, 2))).toThrow(
      shape("at least 2 rows, got 1"),
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("says where X or H holds %d", (value) => {
    const X2 = withValue(X, 7, value);
    expect(() => effects(X2, H)).toThrow(domain("row 2, column 1", { row: 2, column: 1 }));
    expect(() => effects(toSparse(X2), H)).toThrow(domain("row 2, column 1"));
    expect(() => effects(X, withValue(H, 0, value))).toThrow(
      domain("in H, got NaN or infinity in row 0, column 0"),
    );
  });

  test("refuses arrays that are not as long as they say, and names that are not as many", () => {
    expect(() => effects({ ...X, rows: 8, cols: 2 }, H)).toThrow(shape("16 numbers"));
    expect(() => effectSizes(X, H, weights, { projection, names: ["a"] })).toThrow(
      shape("3 names, one per variable, got 1"),
    );
  });
});

test("weights must fit H, be finite and have variances that are not negative", () => {
  const effects = (mean: number[], covariance: Float64Array | Matrix) => () =>
    effectSizes(X, H, { mean: Float64Array.from(mean), covariance });
  expect(effects([1], Float64Array.of(1, 1))).toThrow(
    shape("2 weights, one per hidden unit, got 1"),
  );
  expect(effects([1, Number.NaN], Float64Array.of(1, 1))).toThrow(domain("NaN for unit 1"));
  expect(effects([1, 2], Float64Array.of(1))).toThrow(shape("2 variances"));
  expect(effects([1, 2], Float64Array.of(1, -1))).toThrow(domain("got -1 for unit 1"));
  expect(effects([1, 2], matrix(3, 3))).toThrow(shape("2×2 covariance of the weights, got 3×3"));
  expect(effects([1, 2], matrix(2, 2, Float64Array.of(1, 0.5, 0.4, 1)))).toThrow(
    domain("a symmetric covariance of the weights", { row: 1, column: 0 }),
  );
});

test("a noise variance and a ridge penalty must be positive", () => {
  for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => effectSizes(X, H, weights, { noiseVariance: bad })).toThrow(
      domain("noise variance"),
    );
    expect(() => projectRidge(X, H, bad)).toThrow(domain("penalty"));
  }
});

test("numbers too large to multiply are named, not passed on as infinity", () => {
  const huge = matrix(
    8,
    3,
    X.data.map((x, e) => (e % 3 === 1 ? x * 1e200 : x)),
  );
  expect(() => effectSizes(huge, H, weights, { noiseVariance: 1 })).toThrow(
    domain('overflow for variable "x2"'),
  );
});

describe("compressed sparse rows", () => {
  const block = toSparse(matrix(2, 3, Float64Array.of(1, 0, 2, 0, 3, 0)));
  const add = (changes: object) => () =>
    addRows(
      rowAccumulator({ columns: 3, width: 1 }),
      0,
      { ...block, ...changes } as Block,
      matrix(2, 1),
    );

  test("are refused when their parts disagree", () => {
    expect(add({ starts: Int32Array.of(0, 2) })).toThrow(shape("3 row starts from 0"));
    expect(add({ starts: Int32Array.of(1, 2, 3) })).toThrow(shape("3 row starts from 0"));
    expect(add({ starts: Int32Array.of(0, 4, 3) })).toThrow(shape("a fall after row 1"));
    expect(add({ columns: Int32Array.of(0, 2) })).toThrow(shape("a column for each value"));
    expect(add({ columns: Int32Array.of(0, 3, 1) })).toThrow(
      shape("columns 0 … 2 in X, got 3 in row 0"),
    );
    expect(add({ columns: Int32Array.of(0, -1, 1) })).toThrow(shape("got -1 in row 0"));
  });

  test("are refused when an entry comes twice", () => {
    expect(add({ columns: Int32Array.of(2, 2, 1) })).toThrow(
      domain("column 2 twice in row 0", { row: 0, column: 2 }),
    );
  });
});

describe("an accumulator", () => {
  const rows = (start: number, end: number): [number, Matrix, Matrix] => [
    start,
    normalTable(2, "X", end - start, 3),
    normalTable(2, "H", end - start, 2),
  ];

  test("refuses rows it has seen, and keeps what it had", () => {
    const accumulator = rowAccumulator({ columns: 3, width: 2 });
    addRows(accumulator, ...rows(0, 4));
    addRows(accumulator, ...rows(6, 8));
    const before = structuredClone(accumulator);
    expect(() => addRows(accumulator, ...rows(3, 5))).toThrow(domain("rows 3 … 3 a second time"));
    expect(() => addRows(accumulator, ...rows(5, 12))).toThrow(domain("rows 6 … 7 a second time"));
    expect(() =>
      addRows(accumulator, 4, withValue(normalTable(2, "X", 2, 3), 4, Number.NaN), matrix(2, 2)),
    ).toThrow(domain("row 5, column 1", { row: 5, column: 1 }));
    expect(accumulator).toEqual(before);
    addRows(accumulator, ...rows(4, 6));
    expect(finishAccumulator(accumulator, weights).mean.length).toBe(3);
  });

  test("names the rows that are missing, in the middle, at either end, and all of them", () => {
    const finish =
      (total: number | null, ...spans: [number, number][]) =>
      () => {
        const accumulator = rowAccumulator({ columns: 3, width: 2, rows: total });
        for (const [start, end] of spans) addRows(accumulator, ...rows(start, end));
        return finishAccumulator(accumulator, weights);
      };
    expect(finish(null, [0, 3], [5, 8])).toThrow(domain("rows 3 … 4"));
    expect(finish(null, [2, 8])).toThrow(domain("rows 0 … 1"));
    expect(finish(10, [0, 8])).toThrow(domain("needs all 10 rows, got none of rows 8 … 9"));
    expect(finish(10)).toThrow(domain("rows 0 … 9"));
    expect(finish(null)).toThrow(shape("at least 2 rows, got 0"));
    expect(finish(4, [0, 8])).toThrow(shape("rows from 0 to 3, got rows 0 … 7"));
  });

  test("names the columns that come twice or are missing", () => {
    const accumulator = columnAccumulator({ columns: 5, hidden: H });
    addColumns(accumulator, 1, X);
    expect(() => addColumns(accumulator, 0, X)).toThrow(domain("columns 1 … 2 a second time"));
    expect(() => finishAccumulator(accumulator, weights)).toThrow(domain("columns 0 … 0"));
    addColumns(accumulator, 0, normalTable(3, "X", 8, 1));
    expect(() => finishAccumulator(accumulator, weights)).toThrow(domain("columns 4 … 4"));
    expect(() =>
      addColumns(accumulator, 4, withValue(normalTable(3, "X", 8, 1), 6, Number.NaN)),
    ).toThrow(domain("row 6, column 4"));
    expect(() => addColumns(accumulator, 4, X)).toThrow(
      shape("columns from 0 to 4, got columns 4 … 6"),
    );
    expect(() => addColumns(accumulator, 4, normalTable(3, "X", 7, 1))).toThrow(
      shape("all 8 rows"),
    );
  });

  test("refuses shapes that are not its own", () => {
    expect(() => rowAccumulator({ columns: 0, width: 2 })).toThrow(domain("columns ≥ 1"));
    expect(() => columnAccumulator({ columns: 1.5, hidden: H })).toThrow(domain("columns ≥ 1"));
    const accumulator = rowAccumulator({ columns: 3, width: 2 });
    expect(() => addRows(accumulator, 0, X, normalTable(1, "H", 8, 1))).toThrow(
      shape("3 columns of X and 2 of H, got 3 and 1"),
    );
    expect(() => addRows(accumulator, 0, X, normalTable(1, "H", 7, 2))).toThrow(
      shape("the same 8 rows"),
    );
    expect(() => addRows(accumulator, -1, X, H)).toThrow(shape("rows from 0"));
  });
});
