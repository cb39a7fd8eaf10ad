import { describe, expect, test } from "vitest";
import { fitLinear, predictLinearModel } from "../../src/learners/index.ts";
import { matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const next = normals(fold(keyFromSeed(1), "linear"));
const n = 60;
const p = 5;
const X = matrix(n, p);
for (let i = 0; i < n; i++)
  for (let j = 0; j < p; j++) X.data[i * p + j] = j === 3 ? 4 : (j + 1) * next() + j;
const truth = [1, -2, 0.5, 0, 0.25];
const score = (i: number) => 3 + truth.reduce((sum, b, j) => sum + b * X.data[i * p + j], 0);

describe("fitLinear", () => {
  test("finds the line that the target lies on, a constant column getting exactly 0", () => {
    const y = Float64Array.from({ length: n }, (_, i) => score(i));
    const model = fitLinear(X, y);
    expectClose(model.coefficients, truth, { rtol: 1e-12, atol: 1e-13 });
    expect(model.coefficients[3]).toBe(0);
    expectClose([model.intercept], [3], { rtol: 1e-12 });
    expectClose(predictLinearModel(model, X).data, y, { rtol: 1e-12, atol: 1e-12 });
  });

  test("with noise the residual is at right angles to every column and to the constant", () => {
    const y = Float64Array.from({ length: n }, (_, i) => score(i) + next());
    const fitted = predictLinearModel(fitLinear(X, y), X).data;
    for (let j = 0; j < p; j++) {
      let product = 0;
      for (let i = 0; i < n; i++) product += (y[i] - fitted[i]) * X.data[i * p + j];
      expect(Math.abs(product)).toBeLessThan(1e-10);
    }
    expect(Math.abs(fitted[0] - y[0])).toBeGreaterThan(1e-3);
  });

  test("of two equal columns each gets half, and more columns than rows still fit every row", () => {
    const twins = matrix(n, 2);
    for (let i = 0; i < n; i++) twins.data.fill(X.data[i * p], 2 * i, 2 * i + 2);
    const y = Float64Array.from({ length: n }, (_, i) => 4 * X.data[i * p]);
    expectClose(fitLinear(twins, y).coefficients, [2, 2], { rtol: 1e-12 });
    const wide = matrix(4, 15, X.data.slice(0, 60));
    const four = Float64Array.of(1, -1, 2, 5);
    expectClose(predictLinearModel(fitLinear(wide, four), wide).data, four, { rtol: 1e-10 });
  });

  test("refuses missing values", () => {
    const holes = matrix(
      n,
      p,
      X.data.map((value, at) => (at === 7 ? Number.NaN : value)),
    );
    expect(() => fitLinear(holes, new Float64Array(n))).toThrow("got NaN in row 1, column 2");
  });
});
