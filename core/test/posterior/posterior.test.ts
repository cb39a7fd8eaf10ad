import { describe, expect, test } from "vitest";
import { type Matrix, matrix, multiplyTranspose } from "../../src/linalg/index.ts";
import { mixtureGaussian } from "../../src/posterior/ensemble.ts";
import type { LowRankGaussian } from "../../src/posterior/low-rank-gaussian.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const next = normals(keyFromSeed(1));
const draw = (rows: number, cols: number): Matrix =>
  matrix(rows, cols, Float64Array.from({ length: rows * cols }, next));
const members: LowRankGaussian[] = [2, 3, 1].map((width) => ({
  mean: draw(1, 4).data,
  factor: draw(4, width),
}));
const covariance = ({ factor }: LowRankGaussian) => multiplyTranspose(factor, factor).data;

/** Moments of many draws of w from all members, combined by `combine`. */
function sampled(
  count: number,
  combine: (values: readonly Float64Array[], pick: number) => Float64Array,
) {
  const draws = members.map((_, k) => normals(fold(keyFromSeed(2), k)));
  const mean = new Float64Array(4);
  const second = new Float64Array(16);
  for (let s = 0; s < count; s++) {
    const values = members.map(({ mean: mu, factor }, k) => {
      const z = Float64Array.from({ length: factor.cols }, draws[k]);
      return mu.map((m, j) =>
        z.reduce((sum, e, c) => sum + factor.data[j * factor.cols + c] * e, m),
      );
    });
    const f = combine(values, s % members.length);
    for (let a = 0; a < 4; a++) {
      mean[a] += f[a] / count;
      for (let b = 0; b < 4; b++) second[a * 4 + b] += (f[a] * f[b]) / count;
    }
  }
  return { mean, covariance: second.map((v, e) => v - mean[Math.floor(e / 4)] * mean[e % 4]) };
}

describe("ensembles", () => {
  test("the mixture has the moments of draws from a random member", () => {
    const mixture = mixtureGaussian(members);
    const { mean, covariance: expected } = sampled(300_000, (values, pick) => values[pick]);
    expectClose(mixture.mean, mean, { atol: 0.02 });
    expectClose(covariance(mixture), expected, { atol: 0.05 });
    expect(mixture.factor.cols).toBe(2 + 3 + 1 + 3);
  });

  test("one member is itself", () => {
    const [one] = members;
    expectClose(covariance(mixtureGaussian([one])), covariance(one));
    expectClose(mixtureGaussian([one]).mean, one.mean);
  });

  test("members of different sizes or with NaN are refused", () => {
    const short = { mean: new Float64Array(3), factor: matrix(3, 1) };
    expect(() => mixtureGaussian([members[0], short])).toThrow("4 quantities in every member");
    const broken = { ...members[0], mean: Float64Array.of(1, Number.NaN, 2, 3) };
    expect(() => mixtureGaussian([broken])).toThrow("in member 0");
    expect(() => mixtureGaussian([])).toThrow("at least one member");
  });
});
