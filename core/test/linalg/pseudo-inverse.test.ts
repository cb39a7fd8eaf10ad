import { describe, expect, test } from "vitest";
import {
  cholesky,
  choleskySolve,
  fromRows,
  gram,
  type Matrix,
  matrix,
  multiply,
  transpose,
} from "../../src/linalg/index.ts";
import { defaultRcond, pseudoInverse } from "../../src/linalg/pseudo-inverse.ts";
import { expectClose } from "../support/close.ts";
import { randomMatrix, scaleColumns, shapes } from "./random-matrix.ts";

/** A A⁺ A = A, A⁺ A A⁺ = A⁺, and both products symmetric: true of one matrix only (Penrose 1955). */
function expectMoorePenrose(A: Matrix) {
  const P = pseudoInverse(A);
  expect([P.rows, P.cols]).toEqual([A.cols, A.rows]);
  const AP = multiply(A, P);
  const PA = multiply(P, A);
  expectClose(multiply(AP, A).data, A.data, { rtol: 0, atol: 1e-11 });
  expectClose(multiply(PA, P).data, P.data, { rtol: 0, atol: 1e-11 });
  expectClose(transpose(AP).data, AP.data, { rtol: 0, atol: 1e-11 });
  expectClose(transpose(PA).data, PA.data, { rtol: 0, atol: 1e-11 });
}

test("the four conditions of Moore and Penrose hold over all shapes", () => {
  for (const [rows, cols] of shapes) expectMoorePenrose(randomMatrix(1, rows, cols));
});

test("the four conditions hold for rank deficient matrices", () => {
  for (const [n, p] of [
    [60, 40],
    [40, 60],
    [37, 37],
  ])
    expectMoorePenrose(multiply(randomMatrix(2, n, 5), randomMatrix(3, 5, p)));
  expectMoorePenrose(scaleColumns(randomMatrix(4, 8, 3), [1, 0, 2]));
});

describe("closed forms", () => {
  test("a vector's is its transpose over its squared length; zero's is zero", () => {
    expectClose(pseudoInverse(fromRows([[3], [4]])).data, [3 / 25, 4 / 25], { rtol: 1e-15 });
    expect(pseudoInverse(matrix(2, 3))).toEqual(matrix(3, 2));
  });

  test("at full column rank it is (AᵀA)⁻¹Aᵀ", () => {
    const A = randomMatrix(5, 30, 6);
    expectClose(pseudoInverse(A).data, choleskySolve(cholesky(gram(A)), transpose(A)).data, {
      rtol: 1e-11,
      atol: 1e-14,
    });
  });
});

test("a singular value up to max(n, p)·ε of the largest counts as zero", () => {
  expect(defaultRcond(matrix(3, 7))).toBe(7 * 2 ** -52);
  const nearly = (share: number) =>
    fromRows([
      [1, 0],
      [0, share * 2 * 2 ** -52],
    ]);
  expectClose(pseudoInverse(nearly(0.99)).data, [1, 0, 0, 0], { rtol: 1e-14 });
  expectClose(pseudoInverse(nearly(1.01)).data, [1, 0, 0, 2 ** 51 / 1.01], { rtol: 1e-14 });
});

test("NaN is refused", () => {
  expect(() => pseudoInverse(fromRows([[Number.NaN]]))).toThrow(
    expect.objectContaining({ code: "domain" }),
  );
});
