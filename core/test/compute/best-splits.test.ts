import { afterAll, describe, expect, test } from "vitest";
import { Arena } from "../../src/compute/arena.ts";
import {
  bestSplitsInto,
  bestSplitsOfRows,
  MISSING_BIN,
  SPLIT_ANSWER,
  SPLIT_ROOM,
} from "../../src/compute/best-splits.ts";
import { binValuesInto, partitionInPlace } from "../../src/compute/bins.ts";
import {
  featureStart,
  GROUP,
  HISTOGRAM_BINS,
  histogramsInto,
  wholeGroups,
} from "../../src/compute/histogram.ts";
import { useThreads } from "../../src/compute/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../src/random/index.ts";
import { expectSameBytes } from "./random-arrays.ts";

afterAll(closeWorkers);

const [features, stride] = [5, 4000];
const held = wholeGroups(features);
const at = (feature: number, row: number): number => featureStart(feature, stride) + GROUP * row;

/** A node of `count` rows; gradients and Hessians are eighths, so that sums are exact in any order. */
function node(arena: Arena, count: number, missing: boolean, spread = HISTOGRAM_BINS - 1) {
  const next = uniforms(fold(keyFromSeed(2), "node", count));
  const bins = arena.bytes(held * stride);
  for (let i = 0; i < bins.length; i++)
    bins[i] = missing && next() < 0.2 ? MISSING_BIN : Math.floor(spread * next());
  const rows = arena.int32(count);
  for (let i = 0; i < count; i++) rows[i] = Math.floor(i * (stride / count));
  const pairs = arena.float64(2 * count);
  for (let i = 0; i < count; i++) {
    pairs[2 * i] = Math.floor(16 * next() - 8) / 8;
    pairs[2 * i + 1] = Math.ceil(8 * next()) / 8;
  }
  let [gradient, hessian] = [0, 0];
  for (let i = 0; i < count; i++) {
    gradient += pairs[2 * i];
    hessian += pairs[2 * i + 1];
  }
  return { bins, stride, rows, pairs, totals: { gradient, hessian, count } };
}

/** Tries every bin and both ways for missing rows, over all rows each time. */
function naive(
  { bins, rows, pairs }: ReturnType<typeof node>,
  feature: number,
  l2: number,
  leastHessian: number,
  leastRows: number,
): number[] {
  let best = [0, 0, 0, 0];
  const own = [...rows].map((row) => bins[at(feature, row)]);
  const present = [...new Set(own)].filter((bin) => bin !== MISSING_BIN).sort((a, b) => a - b);
  for (const missingLeft of own.includes(MISSING_BIN) ? [1, 0] : [0])
    present.forEach((bin, k) => {
      const sides = [
        [0, 0, 0],
        [0, 0, 0],
      ];
      own.forEach((here, i) => {
        const left = here === MISSING_BIN ? missingLeft === 1 : here <= bin;
        const side = sides[left ? 0 : 1];
        side[0] += pairs[2 * i];
        side[1] += pairs[2 * i + 1];
        side[2]++;
      });
      if (sides.some(([, h, m]) => h < leastHessian || m < leastRows)) return;
      const gain = sides.reduce((sum, [g, h]) => sum + (g * g) / (h + l2), 0);
      if (gain > best[0]) best = [gain, bin, present[k + 1] ?? -1, missingLeft];
    });
  return best;
}

describe.each([false, true])("the best cut, some values missing: %s", (missing) => {
  test.each([2, 3, 7, 8, 9, 16, 17, 32, 33, 64, 65, 200, 1500])(
    "of %s rows is that of trying all",
    (count) => {
      const arena = new Arena();
      const own = node(arena, count, missing);
      // Three rows of other nodes lie before.
      const start = 3;
      const rows = arena.int32(count + start);
      rows.set(own.rows, start);
      const pairs = arena.float64(2 * (count + start)).fill(9);
      pairs.set(own.pairs, 2 * start);
      const list = arena.int32(features);
      list.set([3, 0, 4, 1, 2]);
      const answers = arena.float64(features * SPLIT_ANSWER).fill(7);
      const room = arena.float64(SPLIT_ROOM);
      const limits = { l2: 0.5, leastHessian: 0.75, leastRows: 1 };
      for (let turn = 0; turn < 2; turn++) {
        bestSplitsOfRows(
          answers,
          list,
          features,
          { ...own, rows, pairs, start },
          room,
          own.totals,
          limits,
        );
        list.forEach((feature, f) => {
          const answer = [...answers.subarray(f * SPLIT_ANSWER, (f + 1) * SPLIT_ANSWER)];
          const expected = naive(own, feature, 0.5, 0.75, 1);
          if (expected[0] === 0) expect(answer[0]).toBe(-1);
          else expect(answer).toEqual(expected);
        });
      }
      arena.free();
    },
  );

  test("from histograms with counts keeps the least number of rows", () => {
    const arena = new Arena();
    const own = node(arena, 900, missing, 40);
    const sums = arena.float64(held * HISTOGRAM_BINS * 2);
    const counts = arena.int32(held * HISTOGRAM_BINS);
    histogramsInto({ ...own, sums, counts }, features, 900);
    const answers = arena.float64(features * SPLIT_ANSWER);
    const limits = { l2: 0, leastHessian: 1e-3, leastRows: 300 };
    bestSplitsInto(
      [{ answers, histograms: { sums, counts }, totals: own.totals }],
      features,
      limits,
    );
    for (let f = 0; f < features; f++)
      expect([...answers.subarray(f * SPLIT_ANSWER, (f + 1) * SPLIT_ANSWER)]).toEqual(
        naive(own, f, 0, 1e-3, 300),
      );
    arena.free();
  });
});

test("histograms without counts are the same, and leave the other part of a leaf behind", async () => {
  const arena = new Arena();
  const [whole, part] = [node(arena, 4000, true), node(arena, 1000, true)];
  const sums = () => arena.float64(held * HISTOGRAM_BINS * 2);
  const counts = () => arena.int32(held * HISTOGRAM_BINS);
  const rest = { sums: sums(), counts: counts() };
  // The part's pairs must be those its rows have in the whole.
  part.rows.forEach((row, i) => {
    part.pairs.set(whole.pairs.subarray(2 * row, 2 * row + 2), 2 * i);
  });
  const others = whole.rows.filter((row) => row % 4 !== 0);
  const otherRows = arena.int32(others.length);
  otherRows.set(others);
  const otherPairs = arena.float64(2 * others.length);
  others.forEach((row, i) => {
    otherPairs.set(whole.pairs.subarray(2 * row, 2 * row + 2), 2 * i);
  });
  const expected = { sums: sums(), counts: counts() };
  const { bins } = whole;
  histogramsInto(
    { bins, stride, rows: otherRows, pairs: otherPairs, ...expected },
    features,
    others.length,
  );
  for (const threads of [1, 2]) {
    await useThreads(threads);
    histogramsInto({ ...whole, ...rest }, features, 4000);
    const [counted, plain] = [
      { sums: sums(), counts: counts() },
      { sums: sums(), counts: null },
    ];
    histogramsInto({ ...part, bins, ...plain }, features, 1000);
    histogramsInto({ ...part, bins, ...counted, rest }, features, 1000);
    expectSameBytes(plain.sums, counted.sums);
    expectSameBytes(rest.sums, expected.sums);
    expectSameBytes(rest.counts, expected.counts);
  }
  arena.free();
});

test("a value's bin is the number of cuts below it, and 255 where it is missing", () => {
  const arena = new Arena();
  const next = normals(keyFromSeed(4));
  const values = arena.float64(2000);
  for (let i = 0; i < 2000; i++) values[i] = i % 11 === 0 ? Number.NaN : next();
  for (const count of [0, 1, 100, 254]) {
    const own = Float64Array.from({ length: count }, next).sort();
    values[1] = own[0] ?? 0; // a value on a cut is below it
    values[2] = 1e300;
    const cuts = arena.float64(255).fill(Number.POSITIVE_INFINITY);
    cuts.set(own);
    const bins = arena.bytes(2000);
    binValuesInto(bins, values, cuts);
    values.forEach((value, i) => {
      const below = own.filter((cut) => cut < value).length;
      expect(bins[i]).toBe(Number.isNaN(value) ? MISSING_BIN : below);
    });
  }
  arena.free();
});

test.each([true, false])("parting rows keeps their order; missing ones left: %s", (missingLeft) => {
  for (const withMissing of [true, false]) {
    const arena = new Arena();
    const { bins, rows, pairs } = node(arena, 900, withMissing);
    const [start, end, column] = [100, 800, 2];
    const spareRows = arena.int32(700);
    const sparePairs = arena.float64(1400);
    const goesLeft = (row: number) =>
      bins[at(column, row)] === MISSING_BIN ? missingLeft : bins[at(column, row)] <= 99;
    const before = [...rows].map((row, i) => ({
      row,
      pair: [...pairs.subarray(2 * i, 2 * i + 2)],
    }));
    const own = before.slice(start, end);
    const left = own.filter(({ row }) => goesLeft(row));
    const expected = [
      ...before.slice(0, start),
      ...left,
      ...own.filter(({ row }) => !goesLeft(row)),
      ...before.slice(end),
    ];
    const arrays = { bins, rows, pairs, spareRows, sparePairs };
    const first = featureStart(column, stride);
    const answer = partitionInPlace(arrays, [start, end], first, 99, missingLeft);
    expect(answer).toEqual({ left: left.length, missing: withMissing });
    expect([...rows]).toEqual(expected.map(({ row }) => row));
    expect([...pairs]).toEqual(expected.flatMap(({ pair }) => pair));
    arena.free();
  }
});
