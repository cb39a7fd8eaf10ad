import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { combineDraws } from "../../src/select/combine-draws.ts";
import {
  adjustPValues,
  discoveries,
  knockoffFilter,
  knockoffStatistics,
} from "../../src/select/index.ts";
import { expectClose } from "../support/close.ts";

/** The definition, threshold by threshold. */
function naiveFilter(W: readonly number[], fdr: number, offset: number): number {
  const candidates = W.filter((w) => w !== 0)
    .map(Math.abs)
    .sort((a, b) => a - b);
  for (const t of candidates) {
    const negative = W.filter((w) => w <= -t).length;
    const positive = W.filter((w) => w >= t).length;
    if ((offset + negative) / Math.max(1, positive) <= fdr) return t;
  }
  return Number.POSITIVE_INFINITY;
}

const statistics = fc.array(fc.integer({ min: -6, max: 12 }), { minLength: 1, maxLength: 40 });
const rates = fc.constantFrom(0.05, 0.1, 0.2, 0.3, 0.5, 0.9);

describe("the knockoff filter", () => {
  test("takes the smallest threshold whose estimate is low enough", () => {
    fc.assert(
      fc.property(statistics, rates, fc.constantFrom(0 as const, 1 as const), (W, fdr, offset) => {
        const { threshold, selected } = knockoffFilter(W, fdr, offset);
        expect(threshold).toBe(naiveFilter(W, fdr, offset));
        expect(selected).toEqual(W.map((w) => w >= threshold));
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  test("gives q-values at which a variable is selected, and just below which it is not", () => {
    fc.assert(
      fc.property(statistics, (W) => {
        const { qValues } = knockoffFilter(W, 0.1);
        W.forEach((_, j) => {
          if (qValues[j] >= 1) return;
          expect(knockoffFilter(W, qValues[j]).selected[j]).toBe(true);
          expect(knockoffFilter(W, qValues[j] * (1 - 1e-9)).selected[j]).toBe(false);
        });
      }),
      { seed: 9, numRuns: 300 },
    );
  });

  test("needs ten winners before a rate of 0.1 selects anything", () => {
    const winners = (count: number) =>
      knockoffFilter(new Float64Array(count).fill(1), 0.1).selected;
    expect(winners(9).some(Boolean)).toBe(false);
    expect(winners(10).every(Boolean)).toBe(true);
  });

  test("says what a bad rate and a bad statistic are", () => {
    expect(() => knockoffFilter([1], 1)).toThrow(/rate inside \(0, 1\), got 1/);
    expect(() => knockoffFilter([1, Number.NaN], 0.1)).toThrow(/got NaN at 1/);
  });
});

test("W is the score less that of the copy", () => {
  expect([...knockoffStatistics(Float64Array.of(3, 1, 1, 4))]).toEqual([2, -3]);
});

describe("several draws", () => {
  test("of one are the filter", () => {
    const W = Array.from({ length: 20 }, (_, j) => (j < 15 ? 20 - j : -1));
    const { selected, qValues } = knockoffFilter(W, 0.2);
    expect(combineDraws([W], 0.2)).toMatchObject({ selected, qValues });
  });

  test("that agree select the same by e-values as by frequency", () => {
    const W = Array.from({ length: 100 }, (_, j) => (j < 30 ? 100 - j : 0));
    const byE = combineDraws([W, W, W], 0.1);
    expect(byE.selected.map(Number).slice(0, 30)).toEqual(new Array(30).fill(1));
    expect(byE.selected.slice(30)).not.toContain(true);
    // e = p/(1 + 0) for all thirty, so the procedure needs a rate of 1/30.
    expect(byE.eValues![0]).toBe(100);
    expect(byE.qValues![0]).toBeCloseTo(1 / 30, 12);
    expect(byE.qValues![99]).toBe(1);
    const half = combineDraws([W, W.map(() => 0), W], 0.1, "frequency");
    expect(half.selected.filter(Boolean).length).toBe(30);
    expect(half.frequency[0]).toBeCloseTo(2 / 3, 12);
    expect(combineDraws([W, W.map(() => 0)], 0.1, "frequency").selected).not.toContain(true);
  });

  test("by e-values keep the rate when the statistics of the nulls are symmetric", () => {
    let sum = 0;
    const repeats = 300;
    for (let r = 0; r < repeats; r++) {
      const next = normals(fold(keyFromSeed(3), r));
      const draws = Array.from({ length: 3 }, () =>
        Float64Array.from({ length: 100 }, (_, j) => (j < 30 ? 3 + next() : next())),
      );
      const { selected } = combineDraws(draws, 0.2);
      const truth = Array.from({ length: 100 }, (_, j) => j < 30);
      sum += discoveries(selected, truth).falseDiscoveryProportion / repeats;
    }
    expect(sum).toBeLessThan(0.2);
  });
});

describe("q-values of p-values", () => {
  test("are those of Benjamini and Hochberg's own example, and Yekutieli's are longer by Σ 1/i", () => {
    const p = [0.01, 0.04, 0.03, 0.005, 0.8];
    expectClose(adjustPValues(p), [0.025, 0.05, 0.05, 0.025, 0.8], { rtol: 1e-12 });
    const factor = 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5;
    expectClose(
      adjustPValues(p, "benjamini-yekutieli"),
      [0.025, 0.05, 0.05, 0.025, 1].map((q) => Math.min(1, q * factor)),
      { rtol: 1e-12 },
    );
  });

  test("select what the step-up procedure selects", () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 30 }), rates, (p, fdr) => {
        const sorted = [...p].sort((a, b) => a - b);
        let k = 0;
        sorted.forEach((value, i) => {
          if (value <= (fdr * (i + 1)) / p.length) k = i + 1;
        });
        const count = adjustPValues(p).filter((q) => q <= fdr * (1 + 1e-12)).length;
        expect(count).toBe(p.filter((value) => k > 0 && value <= sorted[k - 1]).length);
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  test("refuse what is no p-value", () => {
    expect(() => adjustPValues([0.5, 1.5])).toThrow(/from 0 to 1, got 1.5 at 1/);
  });
});

test("discoveries count what is false among the selected, and nothing when none is", () => {
  expect(discoveries([1, 1, 1, 0], [1, 0, 1, 1])).toEqual({
    falseDiscoveryProportion: 1 / 3,
    power: 2 / 3,
  });
  expect(discoveries([0, 0], [1, 0])).toEqual({ falseDiscoveryProportion: 0, power: 0 });
});
