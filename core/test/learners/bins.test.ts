import { expect, test } from "vitest";
import { binCuts, binOf, VALUE_BINS } from "../../src/learners/bin-cuts.ts";
import { binAt, binColumnsInto } from "../../src/learners/binned-columns.ts";
import { sparseMatrix } from "../../src/learners/index.ts";
import { fromRows } from "../../src/linalg/index.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";

const key = keyFromSeed(8);

test("few values are cut halfway between neighbours", () => {
  expect([...binCuts(Float64Array.of(-1, 0, 0, 2, 2, 7))]).toEqual([-0.5, 1, 4.5]);
  expect([...binCuts(Float64Array.of(3, 3, 3))]).toEqual([]);
  expect([...binCuts(Float64Array.of())]).toEqual([]);
});

test("a cut lies between values that are next to each other among the doubles", () => {
  const next = 1 + Number.EPSILON;
  const cuts = binCuts(Float64Array.of(1, next));
  expect([binOf(cuts, 1), binOf(cuts, next)]).toEqual([0, 1]);
});

function binSizes(values: Float64Array, cuts: Float64Array): Float64Array {
  const sizes = new Float64Array(cuts.length + 1);
  for (const value of values) sizes[binOf(cuts, value)]++;
  return sizes;
}

test("many values have 255 bins of as many rows, however they are spread", () => {
  const even = Float64Array.from({ length: 5100 }, (_, i) => i / 7);
  const uneven = Float64Array.from({ length: 5100 }, normals(key)).sort();
  for (const values of [even, uneven]) {
    const sizes = binSizes(values, binCuts(values));
    expect(sizes).toHaveLength(VALUE_BINS);
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([20, 20]);
  }
});

test("a share of the range cuts tails finer than the middle", () => {
  const values = Float64Array.from({ length: 5100 }, normals(key)).sort();
  const sizes = binSizes(values, binCuts(values, 0, 0.5));
  expect(sizes.length).toBeGreaterThan(250);
  expect(Math.max(...sizes.subarray(0, 5), ...sizes.subarray(-5))).toBeLessThan(10);
  expect(Math.max(...sizes)).toBeLessThan(40);
  // One value far away takes one bin and no more.
  values[5099] = 1e9;
  const others = binSizes(values, binCuts(values, 0, 0.5));
  expect(others.length).toBeGreaterThan(250);
  expect(others.at(-1)).toBe(1);
  expect(Math.max(...others)).toBeLessThan(30);
});

test("a value that fills half of the rows has a bin of its own and leaves the others theirs", () => {
  const values = Float64Array.from({ length: 3000 }, normals(key));
  const cuts = binCuts(values.sort(), 3000);
  const sizes = binSizes(values, cuts);
  expect(sizes[binOf(cuts, 0)]).toBe(0);
  expect(cuts.length).toBeGreaterThan(240);
  expect(Math.max(...sizes)).toBeLessThan(40);
});

test("columns stand by name, missing values have bin 255, and sparse rows give the same bytes", () => {
  const dense = fromRows([
    [0, 5, 0],
    [2, 0, Number.NaN],
    [0, 0, 1],
    [-4, 0, 3],
  ]);
  const sparse = sparseMatrix(
    4,
    3,
    Int32Array.of(0, 1, 3, 4, 6),
    Int32Array.of(1, 2, 0, 2, 0, 2),
    Float64Array.of(5, Number.NaN, 2, 1, -4, 3),
  );
  const names = ["b", "c", "a"];
  const binned = [dense, sparse].map((X) => binColumnsInto(new Uint8Array(16), X, names, key));
  expect([...binned[0].order]).toEqual([2, 0, 1]);
  const byColumn = [0, 1, 2].map((c) => [0, 1, 2, 3].map((i) => binAt(binned[0], c, i)));
  expect(byColumn).toEqual([
    [0, 255, 1, 2],
    [1, 2, 1, 0],
    [1, 0, 0, 0],
  ]);
  expect(binned[1]).toEqual(binned[0]);
});

test("sparse matrices that are none are refused", () => {
  const make = (starts: number[], columns: number[], values: number[]) => () =>
    sparseMatrix(
      2,
      2,
      Int32Array.from(starts),
      Int32Array.from(columns),
      Float64Array.from(values),
    );
  expect(make([0, 1], [0], [1])).toThrow("sparseMatrix: needs 3 row starts from 0");
  expect(make([0, 1, 2], [0], [1])).toThrow("3 row starts from 0 to the number of values (1)");
  expect(make([0, 1, 2], [0], [1, 2])).toThrow("a column for each value of X");
  expect(make([0, 2, 1], [0], [1])).toThrow("row starts of X that never fall");
  expect(make([0, 1, 1], [2], [1])).toThrow("columns 0 … 1 in X, got 2 in row 0");
  expect(make([0, 2, 2], [1, 1], [1, 1])).toThrow("column 1 twice in row 0");
});
