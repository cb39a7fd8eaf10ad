import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Group, rate } from "../../src/rate/index.ts";
import { expectClose } from "../support/close.ts";
import { divergence, exactly } from "./definition.ts";
import { randomEffects, triangularEffects } from "./random-effects.ts";

const present = <T>(value: T | null): T => {
  if (value === null) throw new Error("null");
  return value;
};

/** All scores of all variables and groups beside the definition, to `rtol` of each number. */
function expectDefinition(
  effects: ReturnType<typeof randomEffects>,
  groups: readonly Group[],
  rtol: number,
): void {
  const gaussian = exactly(effects);
  const result = rate(effects, { groups });
  const sets = [
    ...effects.names.map((_, j) => [j]),
    ...groups.map(({ members }) => [...new Set(members)]),
  ];
  const expected = sets.map((members) => divergence(gaussian, members));
  for (const key of ["kld", "kldExact", "mutualInformation"] as const)
    expectClose(
      [...present(result.variables[key]), ...(result.groups?.[key] ?? [])],
      expected.map((score) => score[key]),
      { rtol },
    );
}

const group = (...members: number[]): Group => ({ name: members.join("+"), members });
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);

describe("the closed form equals the divergence of two Gaussians, partition by partition", () => {
  test("with noise and p > l: groups overlapping, nested, of one, at most l, more than l, nearly all, all", () => {
    expectDefinition(
      randomEffects(1, { p: 11, l: 3 }),
      [
        group(4),
        group(0, 1),
        group(1, 0, 2),
        group(2, 3, 4, 5),
        group(...range(0, 5)),
        group(...range(1, 11)),
        group(...range(0, 11)),
      ],
      1e-11,
    );
  });

  test("with noise and p far above l: groups of at most l, of more, of most variables", () => {
    expectDefinition(
      randomEffects(1, { p: 18, l: 2 }),
      [group(4), group(0, 1), group(1, 0, 2), group(...range(9, 15))],
      1e-11,
    );
    expectDefinition(randomEffects(1, { p: 18, l: 1 }), [group(...range(0, 12))], 1e-11);
  });

  test("with noise and p ≤ l", () => {
    expectDefinition(
      randomEffects(2, { p: 7, l: 7 }),
      [group(3), group(0, 1), group(6, 5, 4, 3), group(...range(0, 7))],
      1e-10,
    );
    expectDefinition(randomEffects(3, { p: 4, l: 30 }), [group(0, 3)], 1e-11);
  });

  test("without noise, from a p×p triangular factor and from a wide one", () => {
    const groups = [group(0, 1), group(5, 2, 4), group(...range(0, 6))];
    expectDefinition(triangularEffects(4, 6), groups, 1e-10);
    expectDefinition(randomEffects(5, { p: 6, l: 20, noise: 0 }), groups, 1e-11);
  });

  test("for posteriors and groups of every shape", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 2, max: 10 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: -3, max: 3 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 10 }),
        (seed, p, l, power, picked) => {
          const members = picked.filter((j) => j < p);
          expectDefinition(
            randomEffects(seed, { p, l, noise: 10 ** power }),
            members.length > 0 ? [group(...members)] : [],
            1e-9,
          );
        },
      ),
      { seed: 7, numRuns: 40 },
    );
  });
});

describe("digits", () => {
  const groups = [group(0, 1), group(2, 3, 4), group(...range(0, 5)), group(...range(2, 9))];

  test.each([1e-12, 1e-6, 1e6, 1e12])("noise %s times the factor", (noise) => {
    for (const [p, l] of [
      [14, 2],
      [12, 4],
      [10, 9],
      [9, 9],
      [9, 20],
    ])
      expectDefinition(randomEffects(p + l, { p, l, noise }), groups, 1e-9);
  });

  test("one variable, or a group, whose signal is 10⁸ times that of all others", () => {
    for (const [loud, l] of [
      [[3], 4],
      [[3, 4], 4],
      [[3, 4], 2],
    ] as const) {
      const effects = randomEffects(8, { p: 14, l });
      for (const j of loud) for (let k = 0; k < l; k++) effects.factor.data[j * l + k] *= 1e4;
      expectDefinition(effects, [group(3, 4), group(3, 5), group(3, 4, 5, 6, 7)], 1e-9);
    }
  });

  test("one hidden unit whose signal is 10¹² times that of the others", () => {
    for (const [p, l] of [
      [14, 2],
      [12, 4],
    ]) {
      const effects = randomEffects(13, { p, l });
      for (let j = 0; j < p; j++) effects.factor.data[j * l] *= 1e6;
      expectDefinition(effects, [group(0, 1), group(2, 3, 4)], 1e-9);
    }
  });

  test("correlations of a millionth, without noise", () => {
    const effects = triangularEffects(9, 6);
    for (let i = 0; i < 6; i++) for (let j = 0; j < i; j++) effects.factor.data[i * 6 + j] *= 1e-6;
    expectDefinition(effects, [group(0, 1), group(2, 3, 4)], 1e-9);
  });

  test("correlations of all but a millionth, without noise", () => {
    const effects = randomEffects(10, { p: 6, l: 12, noise: 0 });
    for (let k = 0; k < 12; k++)
      effects.factor.data[12 + k] = effects.factor.data[k] + 1e-6 * effects.factor.data[12 + k];
    expectDefinition(effects, [group(0, 1), group(1, 2, 3)], 1e-8);
  });

  test("no divergence is negative, even where independence makes it zero", () => {
    const effects = randomEffects(11, { p: 6, l: 6 });
    for (let i = 0; i < 6; i++)
      for (let k = 0; k < 6; k++) if (i !== k) effects.factor.data[i * 6 + k] = 0;
    const tall = randomEffects(12, { p: 6, l: 3 });
    for (let i = 0; i < 6; i++)
      for (let k = 0; k < 3; k++) if (i !== 2 * k) tall.factor.data[i * 3 + k] = 0;
    for (const independent of [effects, tall]) {
      const { variables, groups } = rate(independent, { groups: [group(0, 2), group(1, 3, 4, 5)] });
      for (const scores of [variables, present(groups)])
        for (const values of [scores.kld, scores.kldExact, scores.mutualInformation])
          expect([...present(values)]).toEqual([...present(values)].map(() => 0));
    }
  });
});
