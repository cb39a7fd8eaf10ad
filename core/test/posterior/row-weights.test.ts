import { describe, expect, test } from "vitest";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { selectRows } from "../../src/linalg/matrix.ts";
import { bayesianLinearRegression, laplace, laplaceContrast } from "../../src/posterior/index.ts";
import { linearClassifier } from "../../src/posterior/linear-classifier.ts";
import { swag } from "../../src/posterior/swag.ts";
import { keyFromSeed } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { hiddenValues, responses } from "./last-layer.ts";

const [n, p] = [60, 3];
const X = hiddenValues(n, p, 7);
/** 0 to 3 times each row. */
const counts = Float64Array.from({ length: n }, (_, i) => (i * i + (i >> 2)) % 4);
const again = [...counts.keys()].flatMap((i) => Array<number>(counts[i]).fill(i));
const repeatedX = selectRows(X, again);
const repeated = (y: Float64Array) => Float64Array.from(again, (row) => y[row]);
const numbers = responses(X, keyFromSeed(8), { link: "identity", noiseVariance: 0.4 }).y;
const two = Float64Array.from(numbers, (v) => Number(v > 0));
const three = Float64Array.from(numbers, (v) => (v > 0.5 ? 2 : v > -0.5 ? 1 : 0));
const data = (covariance: Float64Array | Matrix) =>
  covariance instanceof Float64Array ? covariance : covariance.data;

test("the rows that are counted are as many as are repeated, none of them evenly", () => {
  expect(repeatedX.rows).toBe(counts.reduce((sum, count) => sum + count, 0));
  expect(new Set(counts)).toEqual(new Set([0, 1, 2, 3]));
});

describe("whole weights are rows repeated", () => {
  for (const given of [
    { priorVariance: 1.5, noiseVariance: 0.4 },
    { priorVariance: 1.5, noiseVariance: 0.4, intercept: 0.3 },
    {},
  ])
    test(`in a Bayesian linear regression with ${Object.keys(given).join(", ") || "evidence alone"}`, () => {
      const weighted = bayesianLinearRegression(X, numbers, { ...given, weights: counts });
      const rows = bayesianLinearRegression(repeatedX, repeated(numbers), given);
      expectClose(weighted.weights.mean, rows.weights.mean, { rtol: 1e-9 });
      const { covariance } = rows.weights;
      expectClose(weighted.weights.covariance.data, covariance.data, { rtol: 1e-8, atol: 1e-13 });
      for (const name of ["intercept", "priorVariance", "noiseVariance", "logEvidence"] as const)
        expectClose([weighted[name]], [rows[name]], { rtol: 1e-9 });
      const plain = bayesianLinearRegression(X, numbers, given);
      expect(Math.abs(plain.weights.mean[0] - rows.weights.mean[0])).toBeGreaterThan(1e-3);
    });

  for (const [name, y, outputs] of [
    ["two", two, 1],
    ["three", three, 3],
  ] as const)
    test(`in a linear classifier of ${name} classes`, () => {
      const key = keyFromSeed(1);
      const weighted = linearClassifier(X, y, { outputs, key, weights: counts });
      const rows = linearClassifier(repeatedX, repeated(y), { outputs, key });
      expectClose(weighted.weights.data, rows.weights.data, { rtol: 1e-3, atol: 1e-4 });
      expectClose(weighted.bias, rows.bias, { rtol: 1e-3, atol: 1e-4 });
      expectClose([weighted.priorVariance], [rows.priorVariance], { rtol: 1e-3 });
      const plain = linearClassifier(X, y, { outputs, key });
      expect(Math.abs(plain.weights.data[0] - rows.weights.data[0])).toBeGreaterThan(0.01);
    });

  for (const [link, y, classes] of [
    ["identity", numbers, undefined],
    ["logistic", two, undefined],
    ["softmax", three, 3],
  ] as const)
    test(`in Laplace's approximation with the ${link} link`, () => {
      const options = {
        link,
        ...(classes && { classes }),
        ...(link === "identity" && { noiseVariance: 0.4 }),
        priorVariance: 2,
        bias: "integrated" as const,
      };
      const weighted = laplace(X, y, { ...options, weights: counts });
      const rows = laplace(repeatedX, repeated(y), options);
      rows.outputs.forEach(({ mean, covariance, bias }, c) => {
        const own = weighted.outputs[c];
        expectClose(own.mean, mean, { rtol: 1e-6, atol: 1e-8 });
        expectClose(data(own.covariance), data(covariance), { rtol: 1e-6, atol: 1e-9 });
        expect(own.bias).toBeCloseTo(bias, 6);
      });
    });
});

test("the contrast of two classes that are not held jointly counts rows by their weights", () => {
  const l = 700;
  const wide = matrix(n, l);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < l; k++) wide.data[i * l + k] = k < p ? X.data[i * p + k] : 0;
  const options = { link: "softmax", classes: 3, structure: "diagonal" } as const;
  const weighted = laplace(wide, three, { ...options, weights: counts });
  const rows = laplace(selectRows(wide, again), repeated(three), options);
  const expected = laplaceContrast(rows, selectRows(wide, again), 0, 2);
  const own = laplaceContrast(weighted, wide, 0, 2, counts);
  expectClose(data(own.covariance), data(expected.covariance), { rtol: 1e-6, atol: 1e-9 });
});

test("a SWAG walk with weights lies around their mode", async () => {
  const options = { link: "identity", noiseVariance: 0.4, priorVariance: 2 } as const;
  const { outputs } = await swag(X, numbers, {
    ...options,
    weights: counts,
    key: keyFromSeed(3),
    snapshots: 2000,
  });
  const [mode] = laplace(X, numbers, { ...options, weights: counts }).outputs;
  const [plain] = laplace(X, numbers, options).outputs;
  const off = (mean: Float64Array) =>
    outputs[0].mean.reduce((sum, value, k) => sum + (value - mean[k]) ** 2, 0);
  expect(off(mode.mean)).toBeLessThan(0.1 * off(plain.mean));
});

test("weights that are too few, negative or all zero are errors in words", () => {
  const fit = (weights: Float64Array) => () => bayesianLinearRegression(X, numbers, { weights });
  expect(fit(new Float64Array(3))).toThrow("60 weights");
  expect(fit(new Float64Array(n))).toThrow("some are above 0");
  expect(fit(counts.map((c, i) => (i === 4 ? -1 : c)))).toThrow("got -1 in row 4");
});
