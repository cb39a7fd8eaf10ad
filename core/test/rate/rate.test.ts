import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromRows, matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, permutation } from "../../src/random/index.ts";
import { rate } from "../../src/rate/index.ts";
import { expectClose } from "../support/close.ts";
import { divergence, exactly } from "./definition.ts";
import { randomEffects, reorder } from "./random-effects.ts";

const present = <T>(value: T | null): T => {
  if (value === null) throw new Error("null");
  return value;
};

describe("a closed form", () => {
  // Ω = [[1, ρ], [ρ, 1]]: δ = 1/(1 − ρ²) − 1 for both, so KLD_j = ½ μ_j² ρ²/(1 − ρ²).
  const rho = 0.6;
  const two = {
    names: ["a", "b"],
    mean: Float64Array.of(3, -1),
    factor: matrix(2, 2, Float64Array.of(1, 0, rho, Math.sqrt(1 - rho * rho))),
    noise: null,
  };

  test("two correlated effects", () => {
    const { variables, delta, ess, posteriorRank, variant } = rate(two);
    const excess = (rho * rho) / (1 - rho * rho);
    expect(variant).toBe("exact");
    expect(posteriorRank).toBe(2);
    expectClose(variables.kld, [4.5 * excess, 0.5 * excess]);
    expectClose(variables.rate, [0.9, 0.1]);
    const information = -0.5 * Math.log(1 - rho * rho);
    expectClose(present(variables.mutualInformation), [information, information]);
    const spread = 0.5 * excess - information;
    expectClose(present(variables.kldExact), [4.5 * excess + spread, 0.5 * excess + spread]);
    expectClose(variables.sd, [1, 1]);
    expect([...variables.rank]).toEqual([1, 2]);
    expect([...variables.mean]).toEqual([3, -1]);
    const expected = 0.9 * Math.log(1.8) + 0.1 * Math.log(0.2);
    expectClose([present(delta)], [expected]);
    expectClose([present(ess)], [100 / (1 + expected)]);
  });

  test("an effect independent of the others has RATE 0 however large it is", () => {
    const factor = matrix(3, 3, Float64Array.of(1, 0, 0, rho, 0.8, 0, 0, 0, 1));
    const { variables, diagnostics } = rate({
      names: ["a", "b", "alone"],
      mean: Float64Array.of(0.1, 0.2, 1000),
      factor,
      noise: null,
    });
    expectClose(variables.rate, [0.2, 0.8, 0]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: "strong-but-not-central", names: ["alone"] }),
    );
  });
});

describe("limits", () => {
  /** Shares of weight(j). */
  const proportional = (p: number, weight: (j: number) => number): number[] => {
    const weights = Array.from({ length: p }, (_, j) => weight(j));
    const total = weights.reduce((sum, value) => sum + value, 0);
    return weights.map((value) => value / total);
  };

  test("noise to zero with p > l: as μ̃_j²(1 − leverage_j)", () => {
    const noise = 1e-12; // corrections are of order 1/r_j, at most 10⁻⁹ here
    const effects = randomEffects(31, { p: 10, l: 1, noise });
    const u = effects.factor.data.map((value, j) => value / Math.sqrt(effects.noise?.[j] ?? 0));
    const total = u.reduce((sum, value) => sum + value * value, 0);
    const expected = proportional(
      10,
      (j) => (effects.mean[j] ** 2 / (effects.noise?.[j] ?? 0)) * (1 - u[j] ** 2 / total),
    );
    expectClose(rate(effects).variables.rate, expected, { rtol: 1e-7 });
    // and not small at all with as much noise as signal
    const near = rate(randomEffects(31, { p: 10, l: 1, noise: 1 })).variables.rate;
    expect(Math.max(...near.map((value, j) => Math.abs(value - expected[j])))).toBeGreaterThan(
      0.01,
    );
  });

  test("noise to infinity: as μ̃_j² Σ_{k≠j}(u_jᵀu_k)²", () => {
    const effects = randomEffects(32, { p: 8, l: 3, noise: 1e9 });
    const { factor, mean, noise } = effects;
    const variance = present(noise);
    const inner = (i: number, j: number): number =>
      [0, 1, 2].reduce((sum, k) => sum + factor.data[i * 3 + k] * factor.data[j * 3 + k], 0) ** 2 /
      (variance[i] * variance[j]);
    const expected = proportional(8, (j) => {
      let sum = 0;
      for (let k = 0; k < 8; k++) if (k !== j) sum += inner(j, k);
      return (mean[j] ** 2 / variance[j]) * sum;
    });
    expectClose(rate(effects).variables.rate, expected, { rtol: 1e-7 });
  });

  test("many weak variables: as μ̃_j² r_j, up to r_j and 1/λ_min(S)", () => {
    const p = 20_000;
    const effects = randomEffects(33, { p, l: 1, noise: 300 });
    const variance = present(effects.noise);
    const r = effects.factor.data.map((value, j) => value ** 2 / variance[j]);
    const lambda = r.reduce((sum, value) => sum + value, 0);
    expect(lambda).toBeGreaterThan(50);
    const { kld } = rate(effects).variables;
    const weak = r.map((value, j) => (0.5 * value * effects.mean[j] ** 2) / variance[j]);
    for (let j = 0; j < p; j++) {
      const share = kld[j] / weak[j];
      if (!(share <= 1 && share >= 1 - r[j] - 1 / lambda)) expect.fail(`variable ${j}: ${share}`);
    }
  });
});

describe("invariance", () => {
  test("the units of a column change nothing by more than 1e-9 of the largest RATE", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.constantFrom([8, 3], [6, 6], [5, 11]),
        fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 8, maxLength: 8 }),
        (seed, [p, l], powers) => {
          const effects = randomEffects(seed, { p, l });
          const units = powers.map((power) => 10 ** power);
          const scaled = {
            ...effects,
            mean: effects.mean.map((value, j) => value * units[j]),
            factor: matrix(
              p,
              l,
              effects.factor.data.map((value, at) => value * units[Math.floor(at / l)]),
            ),
            noise: present(effects.noise).map((value, j) => value * units[j] ** 2),
          };
          const groups = [{ name: "g", members: [0, 2, 3] }];
          const [a, b] = [rate(effects, { groups }), rate(scaled, { groups })];
          expectClose(b.variables.rate, a.variables.rate, {
            rtol: 0,
            atol: 1e-9 * Math.max(...a.variables.rate),
          });
          expectClose(present(b.groups).kld, present(a.groups).kld, { rtol: 1e-9 });
        },
      ),
      { seed: 11, numRuns: 60 },
    );
  });

  test("permuting the variables permutes the scores", () => {
    for (const [p, l] of [
      [20, 4],
      [6, 9],
    ]) {
      const effects = randomEffects(41, { p, l });
      const order = permutation(fold(keyFromSeed(41), "order"), p);
      const place = (j: number): number => order.indexOf(j);
      const before = rate(effects, { groups: [{ name: "g", members: [1, 5] }] });
      const after = rate(reorder(effects, order), {
        groups: [{ name: "g", members: [place(1), place(5)] }],
      });
      for (const key of ["rate", "kld", "sd", "rank"] as const)
        expectClose(
          after.variables[key],
          Array.from(order, (j) => before.variables[key][j]),
          { rtol: 1e-10 },
        );
      expectClose(present(after.groups).kld, present(before.groups).kld, { rtol: 1e-10 });
    }
  });
});

describe("groups", () => {
  const effects = randomEffects(51, { p: 12, l: 3 });
  const groups = [
    { name: "one", members: [5] },
    { name: "twice", members: [5, 5, 5] },
    { name: "two", members: [5, 6] },
    { name: "four", members: [6, 5, 7, 8] },
    { name: "all", members: Array.from({ length: 12 }, (_, j) => j) },
  ];

  test("a group of one equals the variable, a member named twice counts once", () => {
    for (const shape of [
      { p: 12, l: 3 },
      { p: 8, l: 8 },
    ]) {
      const { variables, groups: scores } = rate(randomEffects(52, shape), {
        groups: groups.slice(0, 2),
      });
      const { kld, kldExact, mutualInformation, sizes } = present(scores);
      expect([...kld]).toEqual([variables.kld[5], variables.kld[5]]);
      expect(present(kldExact)[0]).toBe(present(variables.kldExact)[5]);
      expect(present(mutualInformation)[1]).toBe(present(variables.mutualInformation)[5]);
      expect([...sizes]).toEqual([1, 1]);
    }
  });

  test("shares sum to one over the groups given; all variables together have no others to inform", () => {
    const scores = present(rate(effects, { groups }).groups);
    expectClose([scores.rate.reduce((sum, value) => sum + value, 0)], [1]);
    expect(scores.names).toEqual(groups.map(({ name }) => name));
    expect([scores.kld[4], present(scores.kldExact)[4], scores.rank[4]]).toEqual([0, 0, 5]);
  });

  test("division by size changes shares and ranks, never the divergence", () => {
    const plain = present(rate(effects, { groups }).groups);
    const divided = present(rate(effects, { groups, divideByGroupSize: true }).groups);
    expect(divided.kld).toEqual(plain.kld);
    expect([...divided.sizes]).toEqual([1, 1, 2, 4, 12]);
    const each = plain.kld.map((kld, g) => kld / divided.sizes[g]);
    const total = each.reduce((sum, value) => sum + value, 0);
    expectClose(
      divided.rate,
      each.map((value) => value / total),
    );
    expect(divided.rate).not.toEqual(plain.rate);
  });

  test("no groups, no group scores", () => {
    expect(rate(effects).groups).toBeNull();
    expect(rate(effects, { groups: [] }).groups).toBeNull();
  });
});

describe("nullify", () => {
  const effects = randomEffects(61, { p: 9, l: 3 });
  const nullify = [2, 7, 2];
  const gaussian = exactly(effects);

  test("each variable is scored together with the nullified ones, signs kept", () => {
    const { variables, delta } = rate(effects, { nullify });
    for (let j = 0; j < 9; j++) {
      if (nullify.includes(j)) {
        expect([variables.rate[j], variables.kld[j], present(variables.kldExact)[j]]).toEqual([
          Number.NaN,
          Number.NaN,
          Number.NaN,
        ]);
        expect(variables.rank[j]).toBe(0);
        continue;
      }
      const expected = divergence(gaussian, [j, 2, 7]);
      expectClose([variables.kld[j]], [expected.kld], { rtol: 1e-9 });
      expectClose([present(variables.kldExact)[j]], [expected.kldExact], { rtol: 1e-9 });
    }
    const kept = variables.rate.filter((value) => !Number.isNaN(value));
    expectClose([kept.reduce((sum, value) => sum + value, 0)], [1]);
    expect([...variables.rank].sort((a, b) => a - b)).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7]);
    expectClose(
      [present(delta)],
      [kept.reduce((sum, share) => sum + share * Math.log(7 * share), 0)],
    );
    const flipped = { ...effects, mean: effects.mean.map((m, j) => (j === 2 ? -m : m)) };
    expect(rate(flipped, { nullify }).variables.kld[0]).not.toBeCloseTo(variables.kld[0], 6);
  });

  test("groups too; one with nothing else in it has no score", () => {
    const groups = [
      { name: "apart", members: [0, 1] },
      { name: "half", members: [0, 2] },
      { name: "only", members: [7, 2] },
    ];
    const { kld, rank } = present(rate(effects, { nullify, groups }).groups);
    expectClose(
      kld.subarray(0, 2),
      [
        [0, 1, 2, 7],
        [0, 2, 7],
      ].map((members) => divergence(gaussian, members).kld),
      { rtol: 1e-9 },
    );
    expect([kld[2], rank[2]]).toEqual([Number.NaN, 0]);
  });
});

describe("edges", () => {
  test("a constant column has RATE 0 and leaves the others as they are without it", () => {
    for (const [p, l] of [
      [8, 3],
      [5, 7],
    ]) {
      const whole = randomEffects(71, { p, l });
      const kept = [0, 1, 3, ...Array.from({ length: p - 4 }, (_, i) => i + 4)];
      const factor = matrix(p, l, whole.factor.data.slice());
      factor.data.fill(0, 2 * l, 3 * l);
      const noise = present(whole.noise).slice();
      noise[2] = 0;
      const groups = [
        { name: "with", members: [1, 2] },
        { name: "constant", members: [2] },
      ];
      const result = rate({ ...whole, factor, noise }, { groups });
      const expected = rate(reorder(whole, kept)).variables;
      expectClose(
        kept.map((j) => result.variables.kld[j]),
        expected.kld,
      );
      expect([result.variables.rate[2], result.variables.sd[2]]).toEqual([0, 0]);
      expect([...present(result.groups).kld]).toEqual([result.variables.kld[1], 0]);
      expect(result.diagnostics).toContainEqual(
        expect.objectContaining({ code: "constant-variables", count: 1, names: ["x3"] }),
      );
      const nullified = rate({ ...whole, factor, noise }, { nullify: [1] }).variables;
      expect(nullified.kld[2]).toBe(0);
    }
  });

  test("nothing varies, or nothing depends on anything: shares 0, no spread, a diagnostic", () => {
    const noise = Float64Array.of(1, 2, 3);
    const independent = { ...randomEffects(72, { p: 3, l: 0 }), noise };
    const still = { ...randomEffects(72, { p: 3, l: 0 }), noise: new Float64Array(3) };
    for (const effects of [independent, still]) {
      const { variables, delta, ess, diagnostics, posteriorRank } = rate(effects);
      expect([...variables.rate, ...variables.kld]).toEqual([0, 0, 0, 0, 0, 0]);
      expect([...variables.rank]).toEqual([1, 2, 3]);
      expect([delta, ess, posteriorRank]).toEqual([null, null, 0]);
      expect(diagnostics).toContainEqual(expect.objectContaining({ code: "all-zero" }));
    }
  });

  test("the input is left as it was", () => {
    const effects = randomEffects(73, { p: 9, l: 3 });
    const copy = structuredClone(effects);
    rate(effects, { groups: [{ name: "g", members: [0, 1] }], nullify: [2] });
    expect(effects).toEqual(copy);
  });

  test("the rank of the posterior does not depend on units, nor on columns that add nothing", () => {
    const effects = randomEffects(74, { p: 9, l: 3 });
    expect(rate(effects).posteriorRank).toBe(3);
    const units = effects.mean.map((_, j) => (j === 0 ? 1e12 : 1));
    const scaled = matrix(
      9,
      3,
      effects.factor.data.map((value, at) => value * units[Math.floor(at / 3)]),
    );
    expect(rate({ ...effects, factor: scaled }, { variant: "published" }).posteriorRank).toBe(3);
    expect(rate({ ...effects, factor: scaled }, { variant: "pseudo-inverse" }).posteriorRank).toBe(
      3,
    );
    const padded = matrix(9, 12);
    for (let j = 0; j < 9; j++)
      for (let k = 0; k < 12; k++)
        padded.data[j * 12 + k] = effects.factor.data[j * 3 + (k % 3)] * (k + 1);
    expect(rate({ ...effects, factor: padded }).posteriorRank).toBe(3);
  });
});

test("means whose squares overflow are refused, not called nullified", () => {
  const overflowing = {
    names: ["a", "b"],
    mean: Float64Array.of(1e200, 1e200),
    factor: fromRows([
      [1, 0],
      [0.5, 0.8],
    ]),
    noise: null,
  };
  expect(() => rate(overflowing)).toThrow("got an overflow; rescale the means");
});
