import { expect, test } from "vitest";
import {
  cholesky,
  fromRows,
  gram,
  identity,
  type Matrix,
  matrix,
  multiply,
  outerGram,
  qr,
  transpose,
} from "../../src/linalg/index.ts";
import { expectClose } from "../support/close.ts";
import { randomMatrix, scaleColumns, shapes } from "./random-matrix.ts";

function expectQR(A: Matrix) {
  const { Q, R } = qr(A);
  const k = Math.min(A.rows, A.cols);
  expect([Q.rows, Q.cols, R.rows, R.cols]).toEqual([A.rows, k, k, A.cols]);
  expectClose(multiply(Q, R).data, A.data, { atol: 1e-12 });
  expectClose(gram(Q).data, identity(k).data, { atol: 1e-12 });
  for (let i = 0; i < k; i++) for (let j = 0; j < i; j++) expect(R.data[i * A.cols + j]).toBe(0);
}

test("Q R gives A back, Q has orthonormal columns, R is upper triangular, over all shapes", () => {
  for (const [rows, cols] of shapes) expectQR(randomMatrix(1, rows, cols));
});

test("a 2×2 matrix by hand, up to the signs of rows", () => {
  const { Q, R } = qr(
    fromRows([
      [3, 1],
      [4, 2],
    ]),
  );
  expectClose(Q.data.map(Math.abs), [0.6, 0.8, 0.8, 0.6]);
  expectClose(R.data.map(Math.abs), [5, 2.2, 0, 0.4], { rtol: 1e-14, atol: 0 });
});

test("R is the Cholesky factor of AᵀA up to the signs of its rows", () => {
  const A = randomMatrix(2, 50, 7);
  const { R } = qr(A);
  const L = cholesky(gram(A));
  expectClose(R.data.map(Math.abs), transpose(L).data.map(Math.abs), { rtol: 1e-12, atol: 1e-13 });
});

test("dependent columns, zero columns and the zero matrix still give an orthonormal Q", () => {
  const x = randomMatrix(3, 40, 3);
  expectQR(multiply(x, randomMatrix(4, 3, 37)));
  expectQR(scaleColumns(randomMatrix(5, 11, 4), [1, 0, 1, 0]));
  expectQR(matrix(6, 4));
  expectQR(outerGram(matrix(9, 1, new Float64Array(9).fill(1))));
});

test("columns of very different size each keep their digits", () => {
  const scales = Array.from({ length: 60 }, (_, j) => 10 ** (-5 * j));
  const A = scaleColumns(randomMatrix(6, 70, 60), scales);
  const { Q, R } = qr(A);
  const back = scaleColumns(
    multiply(Q, R),
    scales.map((s) => 1 / s),
  );
  expectClose(back.data, randomMatrix(6, 70, 60).data, { atol: 1e-13 });
});

test("entries 200 decades apart in one column do not overflow", () => {
  expectQR(
    fromRows([
      [1, 2],
      [1e-200, 1],
    ]),
  );
  expectQR(
    fromRows([
      [1e-200, 2],
      [1, 1],
    ]),
  );
});

test("NaN is refused with its place", () => {
  expect(() =>
    qr(
      fromRows([
        [1, 2],
        [3, Number.NaN],
      ]),
    ),
  ).toThrow("qr: needs finite numbers, got NaN at row 1, column 1");
});
