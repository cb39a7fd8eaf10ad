import { describe, expect, test } from "vitest";
import {
  fromRows,
  gram,
  identity,
  type Matrix,
  matrix,
  multiply,
  multiplyTranspose,
  outerGram,
  qr,
  transpose,
} from "../../src/linalg/index.ts";
import { preconditionRows } from "../../src/linalg/precondition.ts";
import { svd } from "../../src/linalg/svd.ts";
import { expectClose } from "../support/close.ts";
import { largest, randomMatrix, scaleColumns, shapes } from "./random-matrix.ts";

function expectSvd(A: Matrix) {
  const k = Math.min(A.rows, A.cols);
  const { U, values, V } = svd(A);
  expect([U.rows, U.cols, values.length, V.rows, V.cols]).toEqual([A.rows, k, k, A.cols, k]);
  expect([...values]).toEqual([...values].sort((a, b) => b - a));
  expect(values.every((value) => value >= 0)).toBe(true);
  const back = multiplyTranspose(scaleColumns(U, values), V);
  expectClose(back.data, A.data, { rtol: 0, atol: 1e-12 * Math.max(largest(A), Number.MIN_VALUE) });
  expectClose(gram(U).data, identity(k).data, { rtol: 0, atol: 1e-12 });
  expectClose(gram(V).data, identity(k).data, { rtol: 0, atol: 1e-12 });
  return values;
}

/** U diag(values) Vᵀ with random orthonormal U (n×k) and V (p×k). */
function withSingularValues(n: number, p: number, values: ArrayLike<number>): Matrix {
  const U = qr(randomMatrix(1, n, values.length)).Q;
  const V = qr(randomMatrix(2, p, values.length)).Q;
  return multiplyTranspose(scaleColumns(U, values), V);
}

const decades = (count: number, from: number, to: number) =>
  Array.from({ length: count }, (_, i) => 10 ** (from + ((to - from) * i) / (count - 1)));

test("U Σ Vᵀ gives A back, U and V are orthonormal, values descend, over all shapes", () => {
  for (const [rows, cols] of shapes) expectSvd(randomMatrix(1, rows, cols));
});

describe("closed forms", () => {
  test("a 2×2 matrix by hand", () => {
    expectClose(
      expectSvd(
        fromRows([
          [3, 0],
          [4, 5],
        ]),
      ),
      [Math.sqrt(45), Math.sqrt(5)],
      { rtol: 1e-15 },
    );
  });

  test("a column, a row and a number", () => {
    expectClose(expectSvd(fromRows([[3], [4]])), [5], { rtol: 1e-15 });
    expectClose(expectSvd(fromRows([[3, 4]])), [5], { rtol: 1e-15 });
    expect([...expectSvd(fromRows([[-2]]))]).toEqual([2]);
  });

  test("planted values come back, repeated ones too", () => {
    const values = [...Array(20).fill(3), ...Array(20).fill(2), ...Array(7).fill(0.5)];
    expectClose(expectSvd(withSingularValues(60, 47, values)), values, { rtol: 1e-13 });
    expectClose(expectSvd(withSingularValues(47, 60, values)), values, { rtol: 1e-13 });
  });
});

describe("rank deficient", () => {
  test("values past the rank vanish and their vectors are orthonormal still", () => {
    for (const [n, p] of [
      [90, 50],
      [50, 90],
      [50, 50],
    ]) {
      const values = expectSvd(multiply(randomMatrix(3, n, 4), randomMatrix(4, 4, p)));
      expect(values[3]).toBeGreaterThan(1);
      expect(values[4]).toBeLessThan(1e-13 * values[0]);
    }
  });

  test("exact zeros: constant matrix, zero columns, zero matrix", () => {
    const ones = outerGram(matrix(6, 1, new Float64Array(6).fill(1)));
    expectClose(expectSvd(ones), [6, 0, 0, 0, 0, 0], { atol: 1e-14 });
    expect([...expectSvd(matrix(5, 3))]).toEqual([0, 0, 0]);
    const sparse = scaleColumns(randomMatrix(5, 9, 4), [1, 0, 1, 0]);
    expect([...expectSvd(sparse).slice(2)]).toEqual([0, 0]);
    expectSvd(transpose(sparse));
  });
});

describe("small singular values", () => {
  test("planted over 12 decades: absolute accuracy ε·σ₁, where squaring AᵀA would leave 1e-8", () => {
    const values = decades(49, 0, -12);
    expectClose(expectSvd(withSingularValues(80, 49, values)), values, { rtol: 0, atol: 1e-15 });
  });

  test("columns in units 1e-12 apart: relative accuracy, against the closed form of 2×2", () => {
    for (const e of [1e-6, 1e-12, 1e-100]) {
      // A = [[1, e], [1, 2e]]: σ₁²+σ₂² = 2 + 5e², σ₁σ₂ = e.
      const sum = 2 + 5 * e * e;
      const first = Math.sqrt((sum + Math.sqrt(sum * sum - 4 * e * e)) / 2);
      expectClose(
        svd(
          fromRows([
            [1, e],
            [1, 2 * e],
          ]),
        ).values,
        [first, e / first],
        { rtol: 1e-15 },
      );
    }
  });

  test("scaled orthonormal columns have their scales, over 120 decades, to 1e-14 relative", () => {
    const scales = decades(41, -60, 60);
    const A = scaleColumns(qr(randomMatrix(6, 50, 41)).Q, scales);
    expectClose(svd(A).values, scales.toReversed(), { rtol: 1e-14 });
    expectClose(svd(transpose(A)).values, scales.toReversed(), { rtol: 1e-14 });
  });

  test("badly scaled columns: Σ log σ = log |det|, so no small value lost its digits", () => {
    for (const p of [30, 90]) {
      const B = randomMatrix(7, p, p);
      const scales = decades(p, 0, -12).map((s, i, all) => (i % 2 ? s : all[p - 1 - i]));
      const logDeterminant = (R: Matrix) =>
        Array.from({ length: p }, (_, i) => Math.log(Math.abs(R.data[i * p + i]))).reduce(
          (a, b) => a + b,
        );
      const expected = logDeterminant(qr(B).R) + scales.reduce((sum, s) => sum + Math.log(s), 0);
      const values = expectSvd(scaleColumns(B, scales));
      const found = values.reduce((sum, v) => sum + Math.log(v), 0);
      expect(Math.abs(found - expected)).toBeLessThan(1e-11);
    }
  });

  test("values too small to square are zero", () => {
    expect([
      ...expectSvd(
        fromRows([
          [1, 0],
          [0, 1e-140],
        ]),
      ),
    ]).toEqual([1, 0]);
  });

  test("entries near the ends of the number range", () => {
    for (const scale of [1e-300, 1e300]) {
      const { values } = svd(
        fromRows([
          [3 * scale, 0],
          [4 * scale, 5 * scale],
        ]),
      );
      expectClose(values, [Math.sqrt(45) * scale, Math.sqrt(5) * scale], { rtol: 1e-15 });
    }
  });
});

test("preconditioning rotates rows of like size until they are nearly orthogonal, and others not", () => {
  const p = 80;
  const scales = Array.from({ length: p }, (_, i) => (i < 40 ? 1 : 1e-8));
  const { R } = qr(scaleColumns(qr(randomMatrix(8, p, p)).Q, scales));
  const start = matrix(
    p,
    p,
    R.data.map((v, at) =>
      Math.floor(at / p) <= at % p ? v + scales[Math.floor(at / p)] * Math.cos(at) * 0.1 : 0,
    ),
  );
  const rows = matrix(p, p, start.data.slice());
  const J = identity(p);
  preconditionRows(rows, J);
  expectClose(outerGram(J).data, identity(p).data, { atol: 1e-13 });
  expectClose(multiply(J, start).data, rows.data, { rtol: 0, atol: 1e-14 });
  const G = outerGram(rows);
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < i; j++) {
      const cosine = G.data[i * p + j] / Math.sqrt(G.data[i * p + i] * G.data[j * p + j]);
      if (i < 40 || j >= 40) expect(Math.abs(cosine)).toBeLessThan(1e-9);
      else expect(J.data[i * p + j]).toBe(0);
    }
  }
});

test("NaN is refused with its place", () => {
  expect(() => svd(fromRows([[1, Number.NaN]]))).toThrow(
    "svd: needs finite numbers, got NaN at row 0, column 1",
  );
});
