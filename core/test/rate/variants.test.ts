import { describe, expect, test } from "vitest";
import type { EffectSizes } from "../../src/effects/effect-sizes.ts";
import { matrix } from "../../src/linalg/index.ts";
import {
  type Group,
  type RateOptions,
  rate,
  type Variant,
  variants,
} from "../../src/rate/index.ts";
import { expectClose } from "../support/close.ts";
import { divergence, exactly, pseudoInverseKld, publishedKld, r2020Kld } from "./definition.ts";
import { randomEffects } from "./random-effects.ts";

const groups: Group[] = [
  { name: "few", members: [0, 4] },
  { name: "many", members: [1, 2, 3, 5, 6] },
];
const sets = (effects: EffectSizes): number[][] => [
  ...effects.names.map((_, j) => [j]),
  ...groups.map(({ members }) => [...members]),
];

/** kld of all variables, then of the groups. */
function klds(effects: EffectSizes, options: RateOptions): number[] {
  const result = rate(effects, { ...options, groups });
  return [...result.variables.kld, ...(result.groups?.kld ?? [])];
}

const tall = randomEffects(21, { p: 9, l: 3 });
const square = randomEffects(22, { p: 7, l: 7 });
const wide = randomEffects(23, { p: 7, l: 15 });
const silent = (effects: EffectSizes): EffectSizes => ({ ...effects, noise: null });

describe("each variant equals its definition", () => {
  test.each([
    ["p > l", tall],
    ["p = l", square],
    ["p < l", wide],
  ])("nugget: the divergence with ε added to every variance, %s", (_, effects) => {
    for (const given of [effects, silent(effects)]) {
      const gaussian = exactly(given, 0.25);
      const expected = sets(given).map((members) => divergence(gaussian, members).kld);
      expectClose(klds(given, { nugget: 0.25 }), expected, { rtol: 1e-9 });
      expectClose(klds(given, { nugget: 0.25, variant: "nugget" }), expected, { rtol: 1e-9 });
    }
  });

  test("exact, without noise and with it", () => {
    for (const given of [silent(wide), wide, tall]) {
      const gaussian = exactly(given);
      const expected = sets(given).map((members) => divergence(gaussian, members).kld);
      expectClose(klds(given, { variant: "exact" }), expected, { rtol: 1e-9 });
    }
  });

  test("r-2020: an inverse is missing", () => {
    for (const given of [tall, square, wide, silent(wide)]) {
      const gaussian = exactly(given);
      const expected = sets(given).map((members) => r2020Kld(gaussian, members));
      expectClose(klds(given, { variant: "r-2020" }), expected, { rtol: 1e-9 });
    }
  });

  test("published, full rank: the covariance in the place of the precision", () => {
    for (const given of [tall, square, wide, silent(wide)]) {
      const gaussian = exactly(given);
      const expected = sets(given).map((members) => publishedKld(gaussian, members));
      expectClose(klds(given, { variant: "published" }), expected, { rtol: 1e-9 });
    }
  });

  test("published, p above the rank: half of μᵀΩμ", () => {
    const { mean, factor } = tall;
    const expected = sets(tall).map((members) => {
      let sum = 0;
      for (let k = 0; k < factor.cols; k++)
        sum += members.reduce((dot, j) => dot + factor.data[j * 3 + k] * mean[j], 0) ** 2 / 2;
      return sum;
    });
    expectClose(klds(silent(tall), { variant: "published" }), expected);
  });

  test("pseudo-inverse, p above the rank and noise ignored", () => {
    const expected = sets(tall).map((members) => pseudoInverseKld(tall, members));
    expectClose(klds(tall, { variant: "pseudo-inverse" }), expected, { rtol: 1e-6 });
    expectClose(klds(silent(tall), { variant: "pseudo-inverse" }), expected, { rtol: 1e-6 });
  });

  test("pseudo-inverse of a full rank is the exact mean term of A Aᵀ alone", () => {
    const expected = klds(silent(wide), { variant: "exact" });
    expectClose(klds(wide, { variant: "pseudo-inverse" }), expected);
  });

  test("pseudo-inverse of a factor with more columns than its rank", () => {
    const doubled = matrix(9, 6);
    for (let j = 0; j < 9; j++)
      for (let k = 0; k < 6; k++)
        doubled.data[j * 6 + k] = tall.factor.data[j * 3 + (k % 3)] * Math.SQRT1_2;
    const result = rate({ ...tall, factor: doubled }, { variant: "pseudo-inverse" });
    expect(result.posteriorRank).toBe(3);
    expectClose(
      result.variables.kld,
      tall.names.map((_, j) => pseudoInverseKld(tall, [j])),
      { rtol: 1e-6 },
    );
  });
});

describe("which variant", () => {
  test("noise when noise is given, exact when the covariance has full rank, nugget when one is given", () => {
    expect(rate(tall).variant).toBe("noise");
    expect(rate(silent(wide)).variant).toBe("exact");
    expect(rate(silent(tall), { nugget: 1 }).variant).toBe("nugget");
    expect(rate(tall, { nugget: 1 }).variant).toBe("nugget");
  });

  test("a singular covariance without noise is an error that names the ways out", () => {
    const repeated = silent(randomEffects(24, { p: 5, l: 5 }));
    repeated.factor.data.copyWithin(5, 0, 5);
    for (const given of [silent(tall), repeated])
      for (const options of [{}, { variant: "exact" }, { variant: "r-2020" }] as const)
        expect(() => rate(given, options)).toThrow(
          expect.objectContaining({
            code: "not-positive-definite",
            message: expect.stringMatching(/rank [34] for [95].*noise.*nugget.*pseudo-inverse/),
          }),
        );
  });

  test("noise without noise is an error", () => {
    expect(() => rate(silent(wide), { variant: "noise" })).toThrow(/needs noise variances/);
  });

  test("zero noise on an effect that varies is an error where p > l, with its position", () => {
    const noise = tall.noise?.slice() ?? new Float64Array(9);
    noise[4] = 0;
    expect(() => rate({ ...tall, noise })).toThrow(/variable 4 \("x5"\)/);
  });

  test("no two variants give the same shares", () => {
    const effects = randomEffects(25, { p: 9, l: 3 });
    const shares = (variant: Variant): Float64Array =>
      rate(effects, variant === "nugget" ? { nugget: 0.1 } : { variant }).variables.rate;
    // With noise `exact` acts on the same covariance as `noise`: it differs in asking for no noise.
    const distinct = variants.filter((variant) => variant !== "exact");
    for (const a of distinct)
      for (const b of distinct)
        if (a < b) {
          const [x, y] = [shares(a), shares(b)];
          const gap = Math.max(...x.map((value, j) => Math.abs(value - y[j])));
          expect(gap, `${a} and ${b}`).toBeGreaterThan(1e-3);
        }
    const bare = randomEffects(26, { p: 6, l: 9 });
    const gap = rate(silent(bare)).variables.rate.map(
      (value, j) => value - rate(bare).variables.rate[j],
    );
    expect(Math.max(...gap), "exact without noise and noise").toBeGreaterThan(1e-3);
  });

  test("only the divergences have an exact form and a mutual information", () => {
    for (const variant of variants) {
      const result = rate(tall, {
        ...(variant === "nugget" ? { nugget: 1 } : { variant }),
        groups,
      });
      const has = ["noise", "exact", "nugget"].includes(variant);
      expect(result.variant).toBe(variant);
      for (const scores of [result.variables, result.groups]) {
        expect(scores?.kldExact !== null).toBe(has);
        expect(scores?.mutualInformation !== null).toBe(has);
      }
    }
  });
});
