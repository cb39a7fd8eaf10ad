import { expect, test } from "vitest";
import { multiply, multiplyTranspose, qr, transposeMultiply } from "../../src/linalg/index.ts";
import { svd } from "../../src/linalg/svd.ts";
import { topSvd } from "../../src/linalg/top-svd.ts";
import { expectClose } from "../support/close.ts";
import { randomMatrix, scaleColumns } from "./random-matrix.ts";

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

test("what has not converged says so, and its residual bounds the error", () => {
  const scales = Array.from({ length: 40 }, (_, i) => 0.9 ** i);
  const left = qr(randomMatrix(3, 60, 40)).Q;
  const A = multiplyTranspose(scaleColumns(left, scales), qr(randomMatrix(4, 40, 40)).Q);
  const { values, residuals, converged } = topSvd(A, 5, randomMatrix(2, 40, 6), { iterations: 2 });
  expect(converged).toBe(false);
  values.forEach((value, i) => {
    const nearest = Math.min(...scales.map((truth) => Math.abs(truth - value)));
    expect(nearest).toBeLessThanOrEqual(residuals[i] + 1e-14);
  });
  expect(Math.max(...residuals)).toBeGreaterThan(1e-6);
});

test("a start with too few columns is refused", () => {
  const A = randomMatrix(1, 60, 60);
  expect(() => topSvd(A, 5, randomMatrix(2, 60, 4))).toThrow(
    "topSvd: needs a start of 60 × (5 … 60), got 60×4",
  );
  expect(() => topSvd(A, 0, randomMatrix(2, 60, 4))).toThrow("topSvd: needs a count of 1, 2, 3, …");
});
