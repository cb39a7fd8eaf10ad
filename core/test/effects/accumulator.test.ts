import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accumulatedProjection, mergeAccumulators } from "../../src/effects/accumulator.ts";
import { addColumns, columnAccumulator } from "../../src/effects/column-accumulator.ts";
import {
  addRows,
  type Block,
  type CovarianceAccumulator,
  type EffectSizes,
  effectSizes,
  finishAccumulator,
  rowAccumulator,
} from "../../src/effects/index.ts";
import { type Matrix, matrix, rowBlock, selectColumns } from "../../src/linalg/matrix.ts";
import { fold, keyFromSeed, permutation, uniforms } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { fullWeights, normalTable, sparseTable, toSparse } from "./tables.ts";

const [n, p, l] = [60, 13, 3];
const weights = fullWeights(1, l);
const options = { noiseVariance: 2 };

/** Neighbouring blocks of 0 … total − 1, in random order. */
function randomSpans(seed: number, label: string, total: number): [number, number][] {
  const key = fold(keyFromSeed(seed), label);
  const next = uniforms(fold(key, "cuts"));
  const cuts = [0];
  while (cuts[cuts.length - 1] < total)
    cuts.push(Math.min(total, cuts[cuts.length - 1] + 1 + Math.floor(next() * 20)));
  const order = permutation(fold(key, "order"), cuts.length - 1);
  return Array.from(order, (i) => [cuts[i], cuts[i + 1]]);
}

const columnsOf = (X: Matrix, start: number, end: number) =>
  selectColumns(
    X,
    Array.from({ length: end - start }, (_, j) => start + j),
  );

const formats: Record<string, (X: Matrix) => Block> = {
  f64: (X) => X,
  f32: (X) => ({ ...X, data: Float32Array.from(X.data) }),
  csr: toSparse,
};

function streamRows(seed: number, X: Matrix, H: Matrix, as: (X: Matrix) => Block) {
  const accumulator = rowAccumulator({ columns: X.cols, width: H.cols, rows: X.rows });
  for (const [start, end] of randomSpans(seed, "rows", X.rows))
    addRows(accumulator, start, as(rowBlock(X, start, end)), rowBlock(H, start, end));
  return accumulator;
}

function streamColumns(seed: number, X: Matrix, H: Matrix, as: (X: Matrix) => Block) {
  const accumulator = columnAccumulator({ columns: X.cols, hidden: H });
  for (const [start, end] of randomSpans(seed, "columns", X.cols))
    addColumns(accumulator, start, as(columnsOf(X, start, end)));
  return accumulator;
}

function expectEqualEffects(actual: EffectSizes, expected: EffectSizes, share = 1e-12): void {
  const size = (values: Float64Array) => share * Math.max(...values.map(Math.abs));
  expectClose(actual.mean, expected.mean, { rtol: 0, atol: size(expected.mean) });
  expectClose(actual.factor.data, expected.factor.data, {
    rtol: 0,
    atol: size(expected.factor.data),
  });
  expectClose(actual.noise ?? [], expected.noise ?? [Number.NaN], { rtol: share });
}

describe.each(Object.keys(formats))("blocks of %s", (format) => {
  test("in any order, by rows or columns, equal the dense whole to 1e-12", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.constantFrom(0.05, 0.5, 1), (seed, density) => {
        const table = sparseTable(seed, n, p, density);
        const X = matrix(n, p, Float64Array.from(Float32Array.from(table.data)));
        const H = normalTable(seed, "H", n, l);
        const whole = effectSizes(X, H, weights, options);
        for (const stream of [streamRows, streamColumns])
          expectEqualEffects(
            finishAccumulator(stream(seed, X, H, formats[format]), weights, options),
            whole,
          );
      }),
      { seed: 1, numRuns: 25 },
    );
  });
});

test("tables wider and longer than a tile are summed to their edges", () => {
  const X = normalTable(9, "X", 271, 300);
  const H = normalTable(9, "H", 271, l);
  const { hidden, squaredNorms } = accumulatedProjection(streamColumns(9, X, H, formats.f64));
  const whole = columnAccumulator({ columns: 300, hidden: H });
  addColumns(whole, 0, X);
  const actual = accumulatedProjection(whole);
  expectClose(actual.hidden.data, hidden.data, { rtol: 0, atol: 1e-14 });
  expectClose(actual.squaredNorms, squaredNorms);
});

test("hidden units may come in single precision", () => {
  const X = normalTable(10, "X", n, p);
  const single = { data: Float32Array.from(normalTable(10, "H", n, l).data), rows: n, cols: l };
  const H = matrix(n, l, Float64Array.from(single.data));
  const accumulator = rowAccumulator({ columns: p, width: l });
  addRows(accumulator, 0, X, single);
  expectEqualEffects(
    finishAccumulator(accumulator, weights, options),
    effectSizes(X, H, weights, options),
  );
});

test("dense and CSR blocks may be mixed", () => {
  const X = sparseTable(2, n, p, 0.3);
  const H = normalTable(2, "H", n, l);
  let turn = 0;
  const mixed = streamRows(2, X, H, (block) => (turn++ % 2 ? block : toSparse(block)));
  expectEqualEffects(
    finishAccumulator(mixed, weights, options),
    effectSizes(X, H, weights, options),
  );
});

/**
 * Columns of mean 10⁶ and sd 1 against the same columns less 10⁶, an exact subtraction. All that differs is
 * rounding: a mean of 10⁶ is known to ε·10⁶ = 2·10⁻¹⁰ of the sd, and blocks are joined by differences of
 * means. Sums of products as they stand would lose ε·10¹² = 2·10⁻⁴ in the variances.
 */
describe("a level of a million beside a spread of one", () => {
  const H = normalTable(3, "H", 400, l);
  const low = normalTable(3, "X", 400, p);
  const X = matrix(
    400,
    p,
    low.data.map((x) => x + 1e6),
  );
  const exact = effectSizes(
    matrix(
      400,
      p,
      X.data.map((x) => x - 1e6),
    ),
    H,
    weights,
    options,
  );

  test.each([
    ["rows", streamRows],
    ["columns", streamColumns],
  ])("costs no more than two digits of 1e-12, by %s", (_, stream) => {
    for (const as of [formats.f64, formats.csr])
      expectEqualEffects(finishAccumulator(stream(3, X, H, as), weights, options), exact, 1e-10);
  });

  test("costs as little when the level drifts from block to block", () => {
    const drift = matrix(
      400,
      p,
      low.data.map((x, e) => x + 1e6 * Math.floor(e / p / 100)),
    );
    const whole = effectSizes(drift, H, weights, options);
    expectEqualEffects(
      finishAccumulator(streamRows(4, drift, H, formats.f64), weights, options),
      whole,
    );
  });

  test("costs nothing when it is the hidden units that have it, CSR included", () => {
    const high = matrix(
      400,
      l,
      H.data.map((h) => h + 1e6),
    );
    const back = matrix(
      400,
      l,
      high.data.map((h) => h - 1e6),
    );
    const sparse = sparseTable(3, 400, p, 0.3);
    const expected = effectSizes(sparse, back, weights, options);
    const actual = finishAccumulator(streamColumns(6, sparse, high, formats.csr), weights, options);
    expectEqualEffects(actual, expected);
  });

  test("costs a column with one zero in it no digits in CSR", () => {
    const holed = matrix(400, p, X.data.slice());
    for (let j = 0; j < p; j++) holed.data[(17 * j + 5) * p + j] = 0;
    const whole = effectSizes(holed, H, weights, options);
    for (const stream of [streamRows, streamColumns])
      expectEqualEffects(
        finishAccumulator(stream(5, holed, H, formats.csr), weights, options),
        whole,
        1e-11,
      );
  });
});

test("a constant column stays exactly constant through every block", () => {
  const X = normalTable(6, "X", n, p);
  for (let i = 0; i < n; i++) X.data[i * p + 4] = 0.1;
  const H = normalTable(6, "H", n, l);
  for (const format of Object.values(formats)) {
    for (const stream of [streamRows, streamColumns]) {
      const { hidden, squaredNorms } = accumulatedProjection(stream(6, X, H, format));
      expect(squaredNorms[4]).toBe(0);
      expect(Array.from(hidden.data.subarray(4 * l, 5 * l), Math.abs)).toEqual([0, 0, 0]);
      expect(squaredNorms[3]).toBeGreaterThan(0);
    }
  }
});

describe("accumulators as plain data", () => {
  const X = normalTable(7, "X", n, p);
  const H = normalTable(7, "H", n, l);
  const byRows = [
    [0, 10],
    [10, 35],
    [35, n],
  ].map(([start, end]) => {
    const part = rowAccumulator({ columns: p, width: l, rows: n });
    addRows(part, start, rowBlock(X, start, end), rowBlock(H, start, end));
    return part;
  });
  const byColumns = [
    [0, 5],
    [5, 6],
    [6, p],
  ].map(([start, end]) => {
    const part = columnAccumulator({ columns: p, hidden: H });
    addColumns(part, start, columnsOf(X, start, end));
    return part;
  });

  test.each<[string, readonly CovarianceAccumulator[]]>([
    ["rows", byRows],
    ["columns", byColumns],
  ])("made apart, by %s, cloned and merged in any order give the same bytes", (_, parts) => {
    const merged = mergeAccumulators(parts);
    const shuffled = mergeAccumulators(
      [parts[2], parts[0], parts[1]].map((a) => structuredClone(a)),
    );
    expect(finishAccumulator(shuffled, weights)).toEqual(finishAccumulator(merged, weights));
    expectEqualEffects(
      finishAccumulator(merged, weights, options),
      effectSizes(X, H, weights, options),
    );
  });

  test("are left as they were by a merge", () => {
    const before = structuredClone(byRows[0]);
    mergeAccumulators(byRows);
    expect(byRows[0]).toEqual(before);
    expect(byColumns[0].pieces.length).toBe(1);
  });

  test("merge only with their kind, their shape and their H", () => {
    expect(() => mergeAccumulators([])).toThrow("mergeAccumulators: needs at least one");
    expect(() => mergeAccumulators([byRows[0], byColumns[1]])).toThrow("of one kind");
    expect(() => mergeAccumulators([byRows[0], rowAccumulator({ columns: p, width: 2 })])).toThrow(
      expect.objectContaining({ code: "shape" }),
    );
    const other = columnAccumulator({ columns: p, hidden: normalTable(8, "H", n, l) });
    expect(() => mergeAccumulators([byColumns[0], other])).toThrow("needs the same H");
    expect(() => mergeAccumulators([byRows[1], byRows[1]])).toThrow("rows 10 … 34 a second time");
    expect(() => mergeAccumulators([byColumns[2], byColumns[2]])).toThrow(
      "columns 6 … 12 a second time",
    );
  });
});
