import { describe, expect, test } from "vitest";
import { inverseByQr } from "../../src/effects/centred-inverse.ts";
import {
  effectSizes,
  type GaussianWeights,
  type Projection,
  project,
  projectedEffects,
} from "../../src/effects/index.ts";
import { fromRows, type Matrix, matrix } from "../../src/linalg/matrix.ts";
import { expectClose } from "../support/close.ts";
import {
  centred,
  covarianceP,
  diagonalOfOuter,
  type Rows,
  ridgeP,
  times,
  timesVector,
  toRows,
  transposed,
  wideLinearP,
} from "./dense-projection.ts";
import {
  diagonalWeights,
  fullWeights,
  normalTable,
  outer,
  sparseTable,
  toSparse,
} from "./tables.ts";

const l = 4;
const tau2 = 0.7;
const tall = normalTable(1, "X", 40, 6);
const wide = normalTable(2, "X", 12, 30);
const largest = (values: ArrayLike<number>) => Math.max(...Array.from(values, Math.abs));

const cases: readonly [string, Projection, Matrix, (X: Rows) => Rows][] = [
  ["covariance", "covariance", tall, covarianceP],
  ["covariance, p > n", "covariance", wide, covarianceP],
  ["linear", "linear", tall, (X) => ridgeP(X, 0)],
  ["linear, p > n", "linear", wide, wideLinearP],
  ["ridge", { ridge: 0.5 }, tall, (X) => ridgeP(X, 0.5)],
  ["ridge, p > n", { ridge: 0.5 }, wide, (X) => ridgeP(X, 0.5)],
];

/** mean = P(Hm + b), Ω = P H V Hᵀ Pᵀ and D = τ² diag(P Pᵀ), every matrix formed. */
function definition(P: Rows, H: Matrix, { mean, covariance }: GaussianWeights, bias: number) {
  const f = timesVector(toRows(H), mean).map((value) => value + bias);
  const V =
    covariance instanceof Float64Array
      ? Array.from(covariance, (v, i) => Array.from(covariance, (_, j) => (i === j ? v : 0)))
      : toRows(covariance);
  const PH = times(P, toRows(H));
  return {
    mean: timesVector(P, f),
    omega: times(times(PH, V), transposed(PH)).flat(),
    noise: diagonalOfOuter(P).map((norm) => tau2 * norm),
  };
}

describe.each(cases)("the %s projection", (_, projection, X, formP) => {
  const H = normalTable(3, "H", X.rows, l);
  for (let e = 0; e < H.data.length; e++) H.data[e] += 1.5;
  const options = { projection, noiseVariance: tau2 };

  test.each([
    ["a diagonal", diagonalWeights(4, l)],
    ["a full", fullWeights(4, l)],
  ])("is P f formed densely, for %s V", (_, weights) => {
    const actual = effectSizes(X, H, weights, options);
    const expected = definition(formP(toRows(X)), H, weights, 2.5);
    const omega = outer(actual.factor);
    expectClose(actual.mean, expected.mean, { rtol: 0, atol: 1e-12 * largest(expected.mean) });
    expectClose(omega, expected.omega, { rtol: 0, atol: 1e-12 * largest(expected.omega) });
    expectClose(actual.noise ?? [], expected.noise, { rtol: 1e-12 });
  });

  test("does not see a constant in f, nor one taken off a hidden unit", () => {
    const weights = fullWeights(5, l);
    const shifted = matrix(
      H.rows,
      l,
      H.data.map((h, e) => h + 1000 * ((e % l) + 1)),
    );
    const actual = effectSizes(X, shifted, weights, options);
    const expected = effectSizes(X, H, weights, options);
    // 4000 beside numbers of size one: four digits fewer.
    const atol = 1e-10 * largest(expected.factor.data);
    expectClose(actual.mean, expected.mean, { rtol: 0, atol: 10 * atol });
    expectClose(actual.factor.data, expected.factor.data, { rtol: 0, atol });
  });

  test("gives a constant column exactly no effect and no noise", () => {
    const data = X.data.slice();
    for (let i = 0; i < X.rows; i++) data[i * X.cols + 2] = 0.1;
    const { mean, factor, noise } = effectSizes(
      matrix(X.rows, X.cols, data),
      H,
      diagonalWeights(6, l),
      options,
    );
    expect(mean[2]).toBe(0);
    expect(noise?.[2]).toBe(0);
    expect(Array.from(factor.data.subarray(2 * l, 3 * l), Math.abs)).toEqual([0, 0, 0, 0]);
    expect(mean[1]).not.toBe(0);
  });

  test("takes single precision and CSR", () => {
    const table = sparseTable(7, X.rows, X.cols, 0.4);
    const single = { ...table, data: Float32Array.from(table.data) };
    const rounded = matrix(X.rows, X.cols, Float64Array.from(single.data));
    const weights = diagonalWeights(8, l);
    const expected = effectSizes(rounded, H, weights, options);
    for (const block of [single, toSparse(rounded)]) {
      const actual = effectSizes(block, H, weights, options);
      expectClose(actual.mean, expected.mean, { atol: 1e-12 * largest(expected.mean) });
      expectClose(actual.factor.data, expected.factor.data, {
        atol: 1e-12 * largest(expected.factor.data),
      });
      expectClose(actual.noise ?? [], expected.noise ?? []);
    }
  });
});

test("rescaling a column multiplies its covariance effect and divides its linear one", () => {
  const H = normalTable(9, "H", tall.rows, l);
  const units = [1, 1e6, 1, 1e-5, 1, 3];
  const rescaled = matrix(
    tall.rows,
    6,
    tall.data.map((x, e) => x * units[e % 6]),
  );
  const weights = fullWeights(9, l);
  for (const [projection, power] of [
    ["covariance", 1],
    ["linear", -1],
  ] as const) {
    const before = effectSizes(tall, H, weights, { projection, noiseVariance: tau2 });
    const after = effectSizes(rescaled, H, weights, { projection, noiseVariance: tau2 });
    const scale = units.map((unit) => unit ** power);
    expectClose(
      after.mean,
      before.mean.map((m, j) => m * scale[j]),
      { rtol: 1e-10 },
    );
    expectClose(after.noise ?? [], before.noise?.map((d, j) => d * scale[j] ** 2) ?? []);
    const factor = before.factor.data.map((a, e) => a * scale[Math.floor(e / l)]);
    expectClose(after.factor.data, factor, { rtol: 1e-9 });
  }
});

test("functions that differ by more than a constant can have equal effect sizes", () => {
  // Six rows, two columns: g is orthogonal to 1, x1 and x2, so XᵀC(f + g) = XᵀCf.
  const X = fromRows([
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
    [0, 0],
    [0, 0],
  ]);
  const g = [1, -1, -1, 1, 3, -3];
  const f = [0.3, -1, 2, 0.7, 1.1, -0.4];
  const weights = { mean: Float64Array.of(1), covariance: Float64Array.of(0.25) };
  for (const projection of ["covariance", "linear", { ridge: 2 }] as const) {
    const one = effectSizes(X, matrix(6, 1, Float64Array.from(f)), weights, { projection });
    const other = matrix(
      6,
      1,
      Float64Array.from(f, (value, i) => value + g[i]),
    );
    const two = effectSizes(X, other, weights, { projection });
    expect(largest(one.mean)).toBeGreaterThan(0.05);
    expectClose(two.mean, one.mean, { rtol: 0, atol: 1e-15 });
    expectClose(two.factor.data, one.factor.data, { rtol: 0, atol: 1e-15 });
  }
});

test("covariances rank like t-tests when the columns have one variance, and need not otherwise", () => {
  const X = normalTable(14, "X", 50, 8);
  const f = normalTable(14, "f", 50, 1);
  for (let i = 0; i < 50; i++) for (let j = 0; j < 8; j++) f.data[i] += (j / 8) * X.data[i * 8 + j];
  const Z = transposed(centred(toRows(X)));
  const sd = diagonalOfOuter(Z).map((square) => Math.sqrt(square / 49));
  const weights = { mean: Float64Array.of(1), covariance: Float64Array.of(0) };
  const order = (scores: ArrayLike<number>) =>
    Array.from(scores, (_, j) => j).sort((a, b) => Math.abs(scores[b]) - Math.abs(scores[a]));
  const scaled = (units: number[]) =>
    effectSizes(
      matrix(
        50,
        8,
        X.data.map((x, e) => (x * units[e % 8]) / sd[e % 8]),
      ),
      f,
      weights,
    ).mean;

  // t² = (n−2) r²/(1−r²) rises with the correlation r, which no change of units alters.
  const fSd = Math.sqrt(diagonalOfOuter(transposed(centred(toRows(f))))[0] / 49);
  const t = scaled(new Array(8).fill(1)).map((covariance) => {
    const r = covariance / fSd;
    return r * Math.sqrt(48 / (1 - r * r));
  });
  expect(order(scaled(new Array(8).fill(3)))).toEqual(order(t));
  expect(order(scaled([9, 8, 7, 6, 5, 4, 3, 0.1]))).not.toEqual(order(t));
});

test("the linear projection is the Moore–Penrose inverse where columns depend on one another", () => {
  const base = normalTable(10, "X", 15, 4);
  // Column 4 repeats column 0, column 5 is the sum of 1 and 2.
  const X = fromRows(toRows(base).map((row) => [...row, row[0], row[1] + row[2]]));
  const { hidden, squaredNorms } = project(X, fromRows(toRows(identityTable(15))), {
    projection: "linear",
  });
  // P·I = P up to the centring, and P C = P.
  const P = toRows(hidden);
  const Z = centred(toRows(X));
  const [ZP, PZ] = [times(Z, P), times(P, Z)];
  expectClose(times(ZP, Z).flat(), Z.flat(), { rtol: 0, atol: 1e-13 });
  expectClose(times(PZ, P).flat(), P.flat(), { rtol: 0, atol: 1e-13 });
  expectClose(transposed(ZP).flat(), ZP.flat(), { rtol: 0, atol: 1e-13 });
  expectClose(transposed(PZ).flat(), PZ.flat(), { rtol: 0, atol: 1e-13 });
  expectClose(squaredNorms, diagonalOfOuter(P), { rtol: 1e-12 });
  expectClose(P[4], P[0], { rtol: 1e-11 });
});

test("the SVD is called on only where columns, or rows of a wide table, depend on one another", () => {
  const Z = (table: Matrix) => fromRows(centred(toRows(table)));
  expect(inverseByQr(Z(tall), 0)?.rows).toBe(6);
  expect(inverseByQr(Z(wide), 0)?.rows).toBe(30);
  const repeated = (rows: Rows) => fromRows([...rows, rows[0]]);
  expect(inverseByQr(Z(repeated(toRows(wide))), 0)).toBeNull();
  expect(inverseByQr(Z(fromRows(toRows(tall).map((row) => [...row, row[0]]))), 0)).toBeNull();
});

test("a vanishing ridge on dependent columns tends to the linear projection", () => {
  const base = normalTable(11, "X", 20, 3);
  const X = fromRows(toRows(base).map((row) => [...row, row[0]]));
  const H = normalTable(11, "H", 20, l);
  const linear = project(X, H, { projection: "linear" });
  const ridge = project(X, H, { projection: { ridge: 1e-13 } });
  expectClose(ridge.hidden.data, linear.hidden.data, { rtol: 1e-11, atol: 1e-13 });
  expectClose(ridge.squaredNorms, linear.squaredNorms, { rtol: 1e-11 });
});

test("one projection serves many weights, a contrast of classes among them", () => {
  const H = normalTable(12, "H", tall.rows, l);
  const projected = project(tall, H, { names: ["a", "b", "c", "d", "e", "f"] });
  const [one, two] = [diagonalWeights(12, l), diagonalWeights(13, l)];
  const difference = one.mean.map((m, k) => m - two.mean[k]);
  const effects = [one.mean, two.mean, difference].map((mean) =>
    projectedEffects(projected, { mean, covariance: new Float64Array(l) }),
  );
  expectClose(
    effects[2].mean,
    effects[0].mean.map((m, j) => m - effects[1].mean[j]),
    {
      rtol: 1e-12,
      atol: 1e-15,
    },
  );
  expect(effects[0].names).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(effects[0].noise).toBeNull();
});

function identityTable(n: number): Matrix {
  return matrix(
    n,
    n,
    Float64Array.from({ length: n * n }, (_, e) => (e % (n + 1) === 0 ? 1 : 0)),
  );
}
