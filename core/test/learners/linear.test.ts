import { describe, expect, test } from "vitest";
import { fitLinear, predictLinearModel } from "../../src/learners/index.ts";
import { fitLogistic } from "../../src/learners/logistic.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
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
    expectClose(model.coefficients.data, truth, { rtol: 1e-12, atol: 1e-13 });
    expect(model.coefficients.data[3]).toBe(0);
    expectClose(model.intercepts, [3], { rtol: 1e-12 });
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
    expectClose(fitLinear(twins, y).coefficients.data, [2, 2], { rtol: 1e-12 });
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

describe("fitLogistic", () => {
  /** −log-likelihood + ½α‖B·sd‖², by its definition, at a shift of the parameters. */
  const objective = (
    rows: Matrix,
    y: Float64Array,
    B: Float64Array,
    c: Float64Array,
    penalty: number,
  ): number => {
    const outputs = c.length;
    let sum = 0;
    for (let i = 0; i < rows.rows; i++) {
      const f = [...c].map((intercept, k) =>
        truth.reduce((total, _, j) => total + rows.data[i * p + j] * B[k * p + j], intercept),
      );
      const all = outputs === 1 ? [0, f[0]] : f;
      sum += Math.log(all.reduce((total, value) => total + Math.exp(value), 0)) - all[y[i]];
    }
    for (let j = 0; j < p; j++) {
      const values = Array.from({ length: n }, (_, i) => rows.data[i * p + j]);
      const mean = values.reduce((a, b) => a + b, 0) / n;
      const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / n;
      for (let k = 0; k < outputs; k++) sum += (penalty / 2) * B[k * p + j] ** 2 * variance;
    }
    return sum;
  };

  test.each([2, 3])(
    "the gradient of the penalised likelihood vanishes, %i classes",
    async (classes) => {
      const y = Float64Array.from({ length: n }, (_, i) => {
        const f = score(i) + next();
        return classes === 2 ? (f > 3 ? 1 : 0) : f > 5 ? 2 : f > 1 ? 1 : 0;
      });
      const penalty = 0.7;
      const model = await fitLogistic(X, y, { classes, penalty });
      const B = model.coefficients.data;
      const at = (k: number, h: number, inIntercept: boolean): number => {
        const [b, c] = [B.slice(), model.intercepts.slice()];
        if (inIntercept) c[k] += h;
        else b[k] += h;
        return objective(X, y, b, c, penalty);
      };
      const h = 1e-5;
      const slope = (k: number, inIntercept: boolean) =>
        (at(k, h, inIntercept) - at(k, -h, inIntercept)) / (2 * h);
      for (let k = 0; k < B.length; k++)
        if (k % p !== 3) expect(Math.abs(slope(k, false))).toBeLessThan(1e-5);
      for (let k = 0; k < model.intercepts.length; k++)
        expect(Math.abs(slope(k, true))).toBeLessThan(1e-5);
      expect(B[3]).toBe(0);
      const probabilities = predictLinearModel(model, X);
      expect(probabilities.cols).toBe(classes);
      for (let i = 0; i < n; i++) {
        const row = probabilities.data.subarray(i * classes, (i + 1) * classes);
        expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 14);
      }
      const right = y.filter((label, i) => {
        const row = [...probabilities.data.subarray(i * classes, (i + 1) * classes)];
        return row.indexOf(Math.max(...row)) === label;
      }).length;
      expect(right / n).toBeGreaterThan(0.75);
    },
  );
});
