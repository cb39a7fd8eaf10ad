import { expect, test } from "vitest";
import { type Column, regressOut } from "../../src/data/index.ts";
import { fromRows, multiply, multiplyVector } from "../../src/linalg/index.ts";
import { pseudoInverse } from "../../src/linalg/pseudo-inverse.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";

const n = 60;
const next = normals(fold(keyFromSeed(1), "covariates"));
const numbers = (name: string, values: Float64Array): Column => ({ kind: "number", name, values });
const year = Float64Array.from({ length: n }, (_, i) => 2000 + (i % 7));
const weight = Float64Array.from({ length: n }, () => 1e-3 * next());
const sex: Column = {
  kind: "category",
  name: "sex",
  levels: ["f", "m", "never"],
  codes: Int32Array.from({ length: n }, (_, i) => (i * i) % 2),
};
const y = Float64Array.from(
  { length: n },
  (_, i) => 3 * year[i] + 100 * weight[i] + (i % 2) + next(),
);
const covariates = [numbers("year", year), numbers("weight", weight), sex];

test("is y − C C⁺ y, with redundant and empty indicators, far means and small scales", () => {
  const C = fromRows(
    Array.from({ length: n }, (_, i) => [1, year[i] - 2003, 1e3 * weight[i], i % 2]),
  );
  const fitted = multiplyVector(multiply(C, pseudoInverse(C)), y);
  const { values, explained, rows, rank } = regressOut(y, covariates);
  expect([rows, rank]).toEqual([n, 4]);
  for (let i = 0; i < n; i++) expect(values[i]).toBeCloseTo(y[i] - fitted[i], 8);
  const mean = y.reduce((sum, v) => sum + v, 0) / n;
  const total = y.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  const left = values.reduce((sum, v) => sum + v * v, 0);
  expect(explained).toBeCloseTo(1 - left / total, 12);
});

test("a second time it changes nothing, and covariates given twice change nothing", () => {
  const once = regressOut(y, covariates);
  const again = regressOut(once.values, covariates);
  const twice = regressOut(y, [...covariates, ...covariates]);
  for (let i = 0; i < n; i++) {
    expect(again.values[i]).toBeCloseTo(once.values[i], 9);
    expect(twice.values[i]).toBeCloseTo(once.values[i], 9);
  }
  expect(again.explained).toBeCloseTo(0, 12);
});

test("rows without the response or a covariate are missing, and do not move the others", () => {
  const holes = y.with(3, Number.NaN);
  const gaps = [numbers("year", year.with(5, Number.NaN)), ...covariates.slice(1)];
  const { values, rows } = regressOut(holes, gaps);
  expect(rows).toBe(n - 2);
  const kept = [...y.keys()].filter((i) => i !== 3 && i !== 5);
  const pick = (column: Column): Column =>
    column.kind === "number"
      ? { ...column, values: Float64Array.from(kept, (i) => column.values[i]) }
      : { ...column, codes: Int32Array.from(kept, (i) => column.codes[i]) };
  const alone = regressOut(
    Float64Array.from(kept, (i) => y[i]),
    covariates.map(pick),
  );
  kept.forEach((row, at) => {
    expect(values[row]).toBeCloseTo(alone.values[at], 9);
  });
  expect([values[3], values[5]]).toEqual([Number.NaN, Number.NaN]);
});

test("as many covariates as rows are refused", () => {
  const levels = Array.from({ length: n }, (_, i) => `${i}`);
  const each: Column = {
    kind: "category",
    name: "litter",
    levels,
    codes: Int32Array.from(levels, Number),
  };
  expect(() => regressOut(y, [each])).toThrow(
    /more rows than covariates, got 60 complete rows and 60/,
  );
  expect(() => regressOut(y, [numbers("short", new Float64Array(3))])).toThrow(
    "covariates of 60 rows",
  );
});
