import { afterAll, expect, test } from "vitest";
import { Arena } from "../../src/compute/arena.ts";
import {
  featureStart,
  GROUP,
  HISTOGRAM_BINS,
  histogramsInto,
  wholeGroups,
} from "../../src/compute/histogram.ts";
import { useThreads } from "../../src/compute/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, uniforms } from "../../src/random/index.ts";
import { expectSameBytes, gaussian } from "./random-arrays.ts";

afterAll(closeWorkers);

const [features, stride] = [7, 50_000];

/** About a third of the rows: an even number of them, or an odd one. */
function leaf(arena: Arena, parity: "even" | "odd") {
  const next = uniforms(fold(keyFromSeed(6), "bins"));
  const bins = arena.bytes(wholeGroups(features) * stride);
  for (let i = 0; i < bins.length; i++) bins[i] = Math.floor(HISTOGRAM_BINS * next() ** 2);
  const chosen = Array.from({ length: stride }, (_, i) => i).filter(() => next() < 0.3);
  if (chosen.length % 2 !== (parity === "odd" ? 1 : 0)) chosen.pop();
  const rows = arena.int32(chosen.length);
  rows.set(chosen);
  const pairs = arena.float64(2 * chosen.length);
  pairs.set(gaussian("f64", pairs.length, "pairs"));
  const sums = arena.float64(wholeGroups(features) * HISTOGRAM_BINS * 2).fill(7);
  const counts = arena.int32(wholeGroups(features) * HISTOGRAM_BINS).fill(7);
  return { bins, stride, rows, pairs, sums, counts, chosen };
}

test.each(["even", "odd"] as const)(
  "sums and counts are those of one row after another, of an %s number",
  (parity) => {
    const arena = new Arena();
    const { chosen, ...arrays } = leaf(arena, parity);
    const sums = new Float64Array(arrays.sums.length);
    const counts = new Int32Array(arrays.counts.length);
    for (let f = 0; f < wholeGroups(features); f++)
      chosen.forEach((row, i) => {
        const at = f * HISTOGRAM_BINS + arrays.bins[featureStart(f, stride) + GROUP * row];
        sums[2 * at] += arrays.pairs[2 * i];
        sums[2 * at + 1] += arrays.pairs[2 * i + 1];
        counts[at]++;
      });
    histogramsInto(arrays, features, chosen.length);
    expectSameBytes(arrays.sums, sums);
    expectSameBytes(arrays.counts, counts);
    arena.free();
  },
);

test("1, 2 and 3 threads give the same bytes", async () => {
  const arena = new Arena();
  const { chosen, ...arrays } = leaf(arena, "odd");
  const results = [];
  for (const threads of [1, 2, 3]) {
    await useThreads(threads);
    histogramsInto(arrays, features, chosen.length);
    results.push(arrays.sums.slice());
    arrays.sums.fill(1);
  }
  for (const result of results) expectSameBytes(result, results[0]);
  expect(results[0].some((value) => value !== 0)).toBe(true);
  arena.free();
});

test("an empty leaf has empty histograms", () => {
  const arena = new Arena();
  const { chosen: _, ...arrays } = leaf(arena, "odd");
  histogramsInto(arrays, features, 0);
  expect(arrays.sums.every((value) => value === 0)).toBe(true);
  expect(arrays.counts.every((value) => value === 0)).toBe(true);
  arena.free();
});
