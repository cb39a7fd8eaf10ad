import { describe, expect, test } from "vitest";
import { type Diagnostic, diagnosticOf } from "../../src/diagnostic.ts";
import type { EffectSizes } from "../../src/effects/index.ts";
import { spearman } from "../../src/evaluate/index.ts";
import { matrix } from "../../src/linalg/index.ts";
import { duplicatedVariables } from "../../src/rate/duplicates.ts";
import { rate } from "../../src/rate/index.ts";
import { rankDescending } from "../../src/rate/ranking.ts";
import { rowNorms } from "../../src/rate/vector.ts";
import { randomEffects, reorder } from "./random-effects.ts";

const codes = (diagnostics: readonly Diagnostic[]): string[] => diagnostics.map(({ code }) => code);

const duplicates = (effects: EffectSizes): number[][] =>
  duplicatedVariables(
    effects,
    rowNorms(effects.factor.data, effects.factor.rows, effects.factor.cols),
  );

describe("diagnostics", () => {
  const effects = randomEffects(5, { p: 9, l: 3 });

  test("a plain posterior has its rank and the comparison with the published code, and no warning", () => {
    const { diagnostics } = rate(effects);
    expect(codes(diagnostics)).toEqual(["posterior-rank", "published-rank-correlation"]);
    expect(diagnostics[0]).toMatchObject({ rank: 3, variables: 9, regime: "rank-deficient" });
    expect(diagnostics[0].message).toMatch(
      /posterior covariance of the 9 effects has rank 3.*depend on the noise/,
    );
  });

  test("the regime is told for each way out of a singular covariance, and for none needed", () => {
    const regime = (options: Parameters<typeof rate>[1]): string | undefined =>
      diagnosticOf(rate({ ...effects, noise: null }, options).diagnostics, "posterior-rank")
        ?.message;
    expect(regime({ nugget: 1 })).toMatch(/depend on the nugget/);
    expect(regime({ variant: "pseudo-inverse" })).toMatch(/infinite/);
    expect(regime({ variant: "published" })).toMatch(/infinite/);
    const wide = randomEffects(5, { p: 4, l: 9, noise: 0 });
    expect(diagnosticOf(rate(wide).diagnostics, "posterior-rank")).toMatchObject({
      regime: "full-rank",
    });
  });

  test("the correlation with the published code is Spearman's between the two results", () => {
    const found = diagnosticOf(rate(effects).diagnostics, "published-rank-correlation");
    expect(found!.message).toContain("published code uses another formula");
    const published = rate(effects, { variant: "published" });
    const expected = spearman(rate(effects).variables.rate, published.variables.rate);
    expect(found?.spearman).toBeCloseTo(expected, 12);
    expect(codes(published.diagnostics)).not.toContain("published-rank-correlation");
  });

  test("copies of a column are named once as a set", () => {
    const copies = reorder(effects, [0, 1, 0, 2, 3, 1, 0]);
    const named = { ...copies, names: ["a", "b", "c", "d", "e", "f", "g"] };
    const found = diagnosticOf(rate(named).diagnostics, "duplicated-variables");
    expect(found).toMatchObject({
      count: 2,
      names: [
        ["a", "c", "g"],
        ["b", "f"],
      ],
    });
    expect(found?.message).toMatch(/2 sets.*a = c = g, b = f\./);
  });

  test("a strong effect with a fair part of an equal share is no reason to warn", () => {
    const two = {
      names: ["a", "b"],
      mean: Float64Array.of(3, 9),
      factor: matrix(2, 2, Float64Array.of(1, 0, 0.6, 0.8)),
      noise: null,
    };
    // shares 0.1 and 0.9: a fifth of ½
    expect(codes(rate(two).diagnostics)).not.toContain("strong-but-not-central");
    const weaker = { ...two, mean: Float64Array.of(3, 15) };
    expect(diagnosticOf(rate(weaker).diagnostics, "strong-but-not-central")?.names).toEqual(["a"]);
  });

  test("long lists are cut at twenty, with the rest counted", () => {
    const p = 64;
    const strong = {
      ...randomEffects(6, { p, l: 2, noise: 1e-3 }),
      mean: new Float64Array(p).fill(100),
    };
    for (let j = 4; j < p; j++) {
      strong.factor.data.fill(0, 2 * j, 2 * j + 2);
      if (strong.noise) strong.noise[j] = 1;
    }
    const found = diagnosticOf(rate(strong).diagnostics, "strong-but-not-central");
    expect(found?.count).toBe(60);
    expect(found?.names).toHaveLength(20);
    expect(found?.message).toMatch(/60 variables have.* and 40 more/);
  });
});

describe("identical effects", () => {
  test("differ by mean, by any entry of the factor, or by noise; 0 and −0 are the same", () => {
    const noise = new Float64Array(6).fill(1);
    noise[4] = 2;
    const effects = {
      names: [..."abcdef"],
      mean: Float64Array.of(1, 1, 2, 1, 1, 1),
      factor: matrix(6, 2, Float64Array.of(0, 3, -0, 3, 0, 3, 0, 4, 0, 3, 0, 3)),
      noise,
    };
    expect(duplicates(effects)).toEqual([[0, 1, 5]]);
    expect(duplicates({ ...effects, noise: null })).toEqual([[0, 1, 4, 5]]);
  });

  test("are found among a hundred thousand", () => {
    const p = 100_000;
    const factor = matrix(p, 1);
    for (let j = 0; j < p; j++) factor.data[j] = j % 99_999;
    const effects = { names: [], mean: new Float64Array(p), factor, noise: null };
    expect(duplicates(effects)).toEqual([[0, 99_999]]);
  });
});

describe("ranks", () => {
  test("the largest is first, ties go by input order, NaN has none", () => {
    const scores = Float64Array.of(2, 5, Number.NaN, 2, 7, 2, 0, Number.NaN);
    expect([...rankDescending(scores)]).toEqual([3, 2, 0, 4, 1, 5, 6, 0]);
    expect([...rankDescending(new Float64Array(3))]).toEqual([1, 2, 3]);
  });
});
