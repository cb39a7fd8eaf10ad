import { describe, expect, test } from "vitest";
import {
  effectsFromCovariance,
  effectsFromDraws,
  effectsFromFactor,
  effectsFromFunctionDraws,
  logisticNoiseVariance,
  project,
  residualNoiseVariance,
  softmaxContrastNoiseVariance,
  softmaxNoiseVariance,
} from "../../src/effects/index.ts";
import { type Matrix, matrix } from "../../src/linalg/matrix.ts";
import { fold, keyFromSeed, uniforms } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { centred, times, toRows, transposed } from "./dense-projection.ts";
import { normalTable, outer } from "./tables.ts";

const square = (p: number, ...numbers: number[]): Matrix =>
  matrix(p, p, Float64Array.from(numbers));
const failure = (code: string, text: string, details: object = {}) =>
  expect.objectContaining({
    code,
    message: expect.stringContaining(text),
    details: expect.objectContaining(details),
  });

describe("effects from draws", () => {
  test.each([
    ["fewer draws than variables", 5, 9],
    ["more", 40, 6],
  ])("have the sample mean and covariance, with %s", (_, s, p) => {
    const draws = normalTable(1, "draws", s, p);
    for (let e = 0; e < draws.data.length; e++) draws.data[e] += e % p;
    const { mean, factor, noise, names } = effectsFromDraws(draws);
    const Z = centred(toRows(draws));
    const covariance = times(transposed(Z), Z)
      .flat()
      .map((sum) => sum / (s - 1));
    expectClose(
      mean,
      toRows(draws).reduce((sum, row) => sum.map((a, j) => a + row[j] / s), new Array(p).fill(0)),
    );
    expectClose(outer(factor), covariance, { rtol: 0, atol: 1e-14 * s });
    expect(factor.cols).toBe(Math.min(s, p));
    expect(noise).toBeNull();
    expect(names[p - 1]).toBe(`x${p}`);
  });

  test("of f are those of the projected draws, with the projection's noise", () => {
    const X = normalTable(2, "X", 20, 3);
    const F = normalTable(2, "f", 7, 20);
    for (const projection of ["covariance", "linear", { ridge: 3 }] as const) {
      const { hidden, squaredNorms } = project(
        X,
        matrix(20, 7, Float64Array.from(transposed(toRows(F)).flat())),
        { projection },
      );
      const expected = effectsFromDraws(
        matrix(7, 3, Float64Array.from(transposed(toRows(hidden)).flat())),
      );
      const actual = effectsFromFunctionDraws(X, F, { projection, noiseVariance: 0.5 });
      expectClose(actual.mean, expected.mean);
      expectClose(outer(actual.factor), outer(expected.factor));
      expectClose(
        actual.noise ?? [],
        squaredNorms.map((norm) => 0.5 * norm),
      );
      expect(effectsFromFunctionDraws(X, F, { projection }).noise).toBeNull();
    }
  });

  test("need two draws, all of them finite, at every row of X", () => {
    expect(() => effectsFromDraws(matrix(1, 3))).toThrow(failure("shape", "at least 2 draws"));
    const draws = matrix(2, 2, Float64Array.of(1, 2, 3, Number.NaN));
    expect(() => effectsFromDraws(draws)).toThrow(
      failure("domain", "the draws, got NaN or infinity in row 1, column 1"),
    );
    expect(() => effectsFromFunctionDraws(matrix(5, 2), matrix(3, 4))).toThrow(
      failure("shape", "all 5 rows of X, one draw per row, got 4"),
    );
  });
});

describe("effects from a covariance", () => {
  const random = (seed: number, p: number, rank: number) => {
    const A = normalTable(seed, "A", p, rank);
    const next = uniforms(fold(keyFromSeed(seed), "units"));
    for (let j = 0; j < p; j++) {
      const unit = 10 ** Math.floor(8 * next() - 4);
      for (let k = 0; k < rank; k++) A.data[j * rank + k] *= unit;
    }
    return matrix(p, p, outer(A));
  };

  test.each([
    ["positive definite", 7],
    ["of rank 3", 3],
    ["of rank 1", 1],
  ])("give back one that is %s, with a factor of its rank, whatever the units", (_, rank) => {
    const omega = random(3, 7, rank);
    const mean = normalTable(3, "mean", 1, 7).data;
    const effects = effectsFromCovariance(mean, omega);
    expect(effects.factor.cols).toBe(rank);
    expect(effects.mean).toEqual(mean);
    const back = outer(effects.factor);
    const scaled = (values: Float64Array) =>
      values.map(
        (v, e) => v / Math.sqrt(omega.data[(e % 7) * 8] * omega.data[Math.floor(e / 7) * 8]),
      );
    expectClose(scaled(back), scaled(omega.data), { rtol: 0, atol: 1e-13 });
  });

  test("take a variable without variance", () => {
    const { factor } = effectsFromCovariance(
      Float64Array.of(1, 2, 3),
      square(3, 4, 0, 2, 0, 0, 0, 2, 0, 9),
    );
    expectClose(outer(factor), [4, 0, 2, 0, 0, 0, 2, 0, 9], { rtol: 1e-14, atol: 1e-30 });
  });

  test("say where a matrix is no covariance", () => {
    const at =
      (...numbers: number[]) =>
      () =>
        effectsFromCovariance(new Float64Array(2), square(2, ...numbers));
    expect(at(1, Number.NaN, 0, 1)).toThrow(
      failure("domain", "got NaN in row 0, column 1", { row: 0, column: 1 }),
    );
    expect(at(1, 0.5, 0.4, 1)).toThrow(
      failure("domain", "symmetric covariance, got 0.4 and 0.5", { row: 1, column: 0 }),
    );
    expect(at(1, 0, 0, -2)).toThrow(
      failure("domain", "got -2 in row 1, column 1", { row: 1, column: 1 }),
    );
    expect(at(1, 2, 2, 1)).toThrow(
      failure("not-positive-definite", "row 1, column 0", { row: 1, column: 0 }),
    );
    expect(at(0, 1e-9, 1e-9, 1)).toThrow(failure("not-positive-definite", "row 1, column 0"));
    // Each pair of the first three is possible, the three together are not.
    const three = square(4, 1, 0.9, 0.1, 0, 0.9, 1, 0.9, 0, 0.1, 0.9, 1, 0, 0, 0, 0, 1);
    expect(() => effectsFromCovariance(new Float64Array(4), three)).toThrow(
      failure("not-positive-definite", "eigenvalue -0.2", { row: 1 }),
    );
  });

  test("need a square one as long as the mean", () => {
    expect(() => effectsFromCovariance(new Float64Array(3), square(2, 1, 0, 0, 1))).toThrow(
      failure("shape", "3×3 covariance, as long as the mean, got 2×2"),
    );
    expect(() => effectsFromCovariance(new Float64Array(2), matrix(2, 3))).toThrow(
      failure("shape", "a square"),
    );
  });

  test("allow for the rounding of a file, and no more", () => {
    const omega = (gap: number) => square(2, 4, 1 + gap, 1, 9);
    expect(effectsFromCovariance(new Float64Array(2), omega(1e-9)).factor.cols).toBe(2);
    expect(() => effectsFromCovariance(new Float64Array(2), omega(1e-6))).toThrow("symmetric");
  });
});

test("effects from a factor are kept as they are, once they fit", () => {
  const mean = Float64Array.of(1, 2);
  const factor = matrix(2, 1, Float64Array.of(3, 4));
  const noise = Float64Array.of(0, 0.5);
  expect(effectsFromFactor(mean, factor, { noise, names: ["a", "b"] })).toEqual({
    mean,
    factor,
    noise,
    names: ["a", "b"],
  });
  expect(() => effectsFromFactor(mean, matrix(3, 1))).toThrow(failure("shape", "got 3 and none"));
  expect(() => effectsFromFactor(mean, factor, { noise: mean.subarray(1) })).toThrow(
    failure("shape", "got 2 and 1"),
  );
  expect(() => effectsFromFactor(Float64Array.of(1, Number.NaN), factor)).toThrow(
    failure("domain", "mean, got NaN for variable 1"),
  );
  expect(() => effectsFromFactor(mean, matrix(2, 1, Float64Array.of(1, Number.NaN)))).toThrow(
    failure("domain", "NaN in row 1, column 0"),
  );
  expect(() => effectsFromFactor(mean, factor, { noise: Float64Array.of(0, -1) })).toThrow(
    failure("domain", "noise variances ≥ 0, got -1 for variable 1"),
  );
});

test("noise variances are those of the logistic, the Gumbel and the residuals", () => {
  // ∫ x² dF by the quantile function, midpoints of a million equal probabilities.
  const variance = (quantile: (u: number) => number) => {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < 1e6; i++) {
      const x = quantile((i + 0.5) / 1e6);
      sum += x / 1e6;
      squares += (x * x) / 1e6;
    }
    return squares - sum * sum;
  };
  const logistic = variance((u) => Math.log(u / (1 - u)));
  expectClose([logisticNoiseVariance, softmaxContrastNoiseVariance], [logistic, logistic], {
    rtol: 1e-4,
  });
  expectClose([softmaxNoiseVariance], [variance((u) => -Math.log(-Math.log(u)))], { rtol: 1e-4 });
  expect(residualNoiseVariance(Float64Array.of(1, 2, 3), Float64Array.of(1, 4, 2))).toBe(5 / 3);
  expect(() => residualNoiseVariance(Float64Array.of(1), Float64Array.of(1, 2))).toThrow(
    failure("shape", "2 and 1"),
  );
  expect(() =>
    residualNoiseVariance(Float64Array.of(1, Number.NaN), Float64Array.of(1, 2)),
  ).toThrow(failure("domain", "in row 1", { row: 1 }));
});
