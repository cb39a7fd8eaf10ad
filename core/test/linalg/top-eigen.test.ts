import { expect, test } from "vitest";
import {
  eigh,
  type Matrix,
  multiply,
  multiplyTranspose,
  qr,
  svd,
  topEigen,
  topSvd,
  transposeMultiply,
} from "../../src/linalg/index.ts";
import { expectClose } from "../support/close.ts";
import { randomMatrix, scaleColumns } from "./random-matrix.ts";

/** Q diag(values) Qᵀ. */
function withEigenvalues(values: number[]): Matrix {
  const { Q } = qr(randomMatrix(1, values.length, values.length));
  return multiplyTranspose(scaleColumns(Q, values), Q);
}

const decaying = Array.from({ length: 60 }, (_, i) => (i % 3 === 1 ? -1 : 1) * 0.8 ** i);

test("the largest eigenvalues in magnitude are those of the whole decomposition, signs and all", () => {
  const A = withEigenvalues(decaying);
  const { values, vectors, residuals, converged } = topEigen(A, 5, randomMatrix(2, 60, 15));
  expect(converged).toBe(true);
  expectClose(values, decaying.slice(0, 5), { rtol: 1e-12 });
  expectClose(transposeMultiply(vectors, vectors).data, eyeData(5), { rtol: 0, atol: 1e-13 });
  expectClose(multiply(A, vectors).data, scaleColumns(vectors, values).data, {
    rtol: 0,
    atol: 1e-9,
  });
  expect(Math.max(...residuals)).toBeLessThan(1e-10);
});

test("what has not converged says so, and its residual bounds the error", () => {
  const A = withEigenvalues(decaying);
  const { values, residuals, converged } = topEigen(A, 5, randomMatrix(2, 60, 6), {
    iterations: 2,
  });
  expect(converged).toBe(false);
  const all = eigh(A).values;
  values.forEach((value, i) => {
    const nearest = Math.min(...all.map((truth) => Math.abs(truth - value)));
    expect(nearest).toBeLessThanOrEqual(residuals[i] + 1e-14);
  });
});

test.each([
  [80, 50],
  [50, 80],
])("the largest singular triplets of %i × %i are those of the whole decomposition", (n, p) => {
  const k = Math.min(n, p);
  const scales = Array.from({ length: k }, (_, i) => 3 * 0.7 ** i);
  const left = qr(randomMatrix(3, n, k)).Q;
  const right = qr(randomMatrix(4, p, k)).Q;
  const A = multiplyTranspose(scaleColumns(left, scales), right);
  const { U, values, V, converged } = topSvd(A, 4, randomMatrix(5, p, 12));
  expect(converged).toBe(true);
  expectClose(values, svd(A).values.slice(0, 4), { rtol: 1e-12 });
  expectClose(multiply(A, V).data, scaleColumns(U, values).data, { rtol: 0, atol: 1e-9 });
  expectClose(transposeMultiply(A, U).data, scaleColumns(V, values).data, { rtol: 0, atol: 1e-9 });
});

test("a start with too few columns is refused", () => {
  const A = withEigenvalues(decaying);
  expect(() => topEigen(A, 5, randomMatrix(2, 60, 4))).toThrow(
    "topEigen: needs a start of 60 × (5 … 60), got 60×4",
  );
  expect(() => topSvd(A, 0, randomMatrix(2, 60, 4))).toThrow("topSvd: needs a count of 1, 2, 3, …");
});

function eyeData(n: number): number[] {
  return Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0));
}
