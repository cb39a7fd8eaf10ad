import { describe, expect, test } from "vitest";
import {
  choleskyLogDeterminant,
  choleskySolveInPlace,
  solveLowerTriangular,
} from "../../src/linalg/cholesky.ts";
import {
  cholesky,
  choleskyInverse,
  choleskySolve,
  choleskySolveVector,
  fromRows,
  gram,
  identity,
  type Matrix,
  matrix,
  multiply,
  multiplyTranspose,
  multiplyVector,
  transpose,
  tryCholesky,
} from "../../src/linalg/index.ts";
import { expectClose } from "../support/close.ts";
import { randomMatrix } from "./random-matrix.ts";

/** L = [[2, 0], [1, 3]], so A, its inverse and its determinant are known by hand. */
const A = fromRows([
  [4, 2],
  [2, 10],
]);
const L = fromRows([
  [2, 0],
  [1, 3],
]);

/** Positive definite, eigenvalues of order 1 and above. */
function covariance(seed: number, n: number): Matrix {
  const S = gram(randomMatrix(seed, n + 3, n));
  for (let i = 0; i < n; i++) S.data[i * n + i] += 1;
  return S;
}

const sizes = [0, 1, 2, 5, 31, 67, 130];

test("a 2×2 matrix by hand: factor, determinant and inverse", () => {
  expect(cholesky(A)).toEqual(L);
  expectClose([choleskyLogDeterminant(L)], [Math.log(36)]);
  expectClose(choleskyInverse(L).data, [10 / 36, -2 / 36, -2 / 36, 4 / 36]);
  expectClose(choleskySolveVector(L, Float64Array.of(8, 22)), [1, 2]);
});

test("L is lower triangular with a positive diagonal and L Lᵀ gives A back", () => {
  for (const n of sizes) {
    const S = covariance(1, n);
    const factor = cholesky(S);
    expectClose(multiplyTranspose(factor, factor).data, S.data, { rtol: 1e-13, atol: 1e-13 * n });
    for (let i = 0; i < n; i++) {
      expect(factor.data[i * n + i]).toBeGreaterThan(0);
      for (let j = i + 1; j < n; j++) expect(factor.data[i * n + j]).toBe(0);
    }
  }
});

test("the upper triangle is not read, and the argument is left as it was", () => {
  const lower = fromRows([
    [4, 99],
    [2, 10],
  ]);
  expect(cholesky(lower)).toEqual(L);
  expect(lower).toEqual(
    fromRows([
      [4, 99],
      [2, 10],
    ]),
  );
});

test("solves undo products, for vectors and for matrices", () => {
  for (const n of sizes) {
    const S = covariance(2, n);
    const factor = cholesky(S);
    const X = randomMatrix(3, n, 3);
    const B = multiply(S, X);
    const kept = B.data.slice();
    expectClose(choleskySolve(factor, B).data, X.data, { rtol: 1e-11, atol: 1e-12 });
    expect(B.data).toEqual(kept);
    const x = randomMatrix(4, n, 1).data;
    expectClose(choleskySolveVector(factor, multiplyVector(S, x)), x, { rtol: 1e-11, atol: 1e-12 });
    expect(choleskySolveInPlace(factor, B)).toBe(B);
    expectClose(B.data, X.data, { rtol: 1e-11, atol: 1e-12 });
  }
});

test("half a solve undoes a product with L or with Lᵀ", () => {
  const factor = cholesky(covariance(5, 31));
  const X = randomMatrix(6, 31, 2);
  expectClose(solveLowerTriangular(factor, multiply(factor, X)).data, X.data, { atol: 1e-12 });
  const B = multiply(transpose(factor), X);
  expectClose(solveLowerTriangular(factor, B, true).data, X.data, { atol: 1e-12 });
});

test("the inverse is exactly symmetric and undoes A", () => {
  for (const n of sizes) {
    const S = covariance(7, n);
    const factor = cholesky(S);
    const inverse = choleskyInverse(factor);
    expect(inverse).toEqual(transpose(inverse));
    expectClose(multiply(inverse, S).data, identity(n).data, { atol: 1e-12 });
  }
});

test("the log-determinant survives where the determinant overflows", () => {
  const n = 400;
  const S = identity(n);
  for (let i = 0; i < n; i++) S.data[i * n + i] = 1e10;
  expectClose([choleskyLogDeterminant(cholesky(S))], [n * Math.log(1e10)], { rtol: 1e-13 });
});

describe("refusals", () => {
  test("an indefinite matrix names its pivot, thrown or as a value", () => {
    const indefinite = fromRows([
      [1, 2],
      [2, 1],
    ]);
    expect(() => cholesky(indefinite)).toThrow(
      expect.objectContaining({ code: "not-positive-definite", details: { pivot: 1, n: 2 } }),
    );
    expect(() => cholesky(indefinite)).toThrow("got pivot 1 of 2 not positive; look for repeated");
    expect(tryCholesky(indefinite)).toEqual({
      result: "not-positive-definite",
      value: null,
      pivot: 1,
    });
    expect(tryCholesky(A)).toEqual({ result: "ok", value: L });
  });

  test("an exactly singular matrix is not repaired", () => {
    expect(
      tryCholesky(
        fromRows([
          [1, 1],
          [1, 1],
        ]),
      ),
    ).toMatchObject({ pivot: 1 });
    expect(tryCholesky(matrix(1, 1))).toMatchObject({ pivot: 0 });
  });

  test("NaN and infinity are named with their place", () => {
    expect(() =>
      cholesky(
        fromRows([
          [1, 0],
          [Number.NaN, 1],
        ]),
      ),
    ).toThrow("cholesky: needs finite numbers, got NaN at row 1, column 0");
    expect(() => tryCholesky(fromRows([[Number.POSITIVE_INFINITY]]))).toThrow(
      expect.objectContaining({ code: "domain" }),
    );
  });

  test("shapes that disagree", () => {
    const wide = matrix(2, 3);
    expect(() => cholesky(wide)).toThrow("cholesky: needs a square matrix, got 2×3");
    expect(() => choleskySolve(L, matrix(3, 2))).toThrow(
      "choleskySolve: needs 2 rows in B, as in the factor, got 3×2",
    );
    expect(() => choleskySolveVector(L, new Float64Array(3))).toThrow(
      "needs 2 numbers in b, got 3",
    );
    for (const from of [choleskyInverse, choleskyLogDeterminant])
      expect(() => from(wide)).toThrow(`${from.name}: needs a square matrix, got 2×3`);
  });
});
