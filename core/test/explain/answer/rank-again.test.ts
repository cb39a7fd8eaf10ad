import { describe, expect, test } from "vitest";
import { effectsFromFactor } from "../../../src/effects/index.ts";
import { rankAgain } from "../../../src/explain/index.ts";
import { fromRows } from "../../../src/linalg/index.ts";
import { rate } from "../../../src/rate/index.ts";

/** Four columns, two outputs; the last two columns are one category. */
const factor = fromRows([
  [0.3, 0.1],
  [0.25, -0.15],
  [0.2, 0.05],
  [0.01, 0.4],
]);
const noise = Float64Array.of(0.01, 0.02, 0.01, 0.03);
const names = ["a", "b", "c=0", "c=1"];
const sizes = (...mean: number[]) =>
  effectsFromFactor(Float64Array.from(mean), factor, { noise, names });
const one = { effects: [sizes(0.9, 0.8, 0.4, 0.1)] };
const two = { effects: [...one.effects, sizes(-0.2, 0.5, 0.3, 0.6)] };
const variables = [
  { name: "a", members: [0] },
  { name: "b", members: [1] },
  { name: "c", members: [2, 3] },
];

describe("a ranking made again", () => {
  test("without options is rate's own, categories as groups", () => {
    const { groups } = rate(one.effects[0], { groups: variables });
    expect(rankAgain({ ...one, variables })).toEqual(
      variables.map(({ name }, j) => ({
        name,
        rank: groups!.rank[j],
        rate: groups!.rate[j],
        kld: groups!.kld[j],
        kldExact: groups!.kldExact![j],
        mutualInformation: groups!.mutualInformation![j],
      })),
    );
  });

  test("adds the divergences of several outputs", () => {
    const klds = two.effects.map((effects) => rate(effects, { groups: variables }).groups!.kld);
    const sums = variables.map((_, j) => klds[0][j] + klds[1][j]);
    const total = sums.reduce((sum, kld) => sum + kld, 0);
    rankAgain({ ...two, variables }).forEach((row, j) => {
      expect(row.kld).toBeCloseTo(sums[j], 14);
      expect(row.rate).toBeCloseTo(sums[j] / total, 14);
    });
  });

  test("with a category nullified scores the others together with both its columns", () => {
    const nullified = rate(one.effects[0], { groups: variables, nullify: [2, 3] }).groups!;
    const rows = rankAgain({ ...one, variables }, { nullify: ["c"] });
    expect(rows.map((row) => row.kld)).toEqual([nullified.kld[0], nullified.kld[1], null]);
    expect(rows[0].rate! + rows[1].rate!).toBeCloseTo(1, 14);
    expect(rows[2]).toMatchObject({ name: "c", rank: null, rate: null });
    expect(rows.map((row) => row.rank)).not.toContain(0);
  });

  test("by a variant without an exact divergence has null for it", () => {
    const rows = rankAgain({ ...one, variables }, { variant: "published" });
    expect(rows.map((row) => row.kldExact)).toEqual([null, null, null]);
    expect(rows.map((row) => row.rate)).not.toEqual(
      rankAgain({ ...one, variables }).map((row) => row.rate),
    );
  });

  test("refuses a name that is not there", () => {
    expect(() => rankAgain({ ...one, variables }, { nullify: ["c=0"] })).toThrow(
      'rankAgain: there is no variable "c=0"',
    );
  });
});
