import { describe, expect, test } from "vitest";
import { naive } from "../../src/compute/naive.ts";
import { divideAndConquer } from "../../src/linalg/divide-and-conquer.ts";
import { eigenvalues } from "../../src/linalg/eigh.ts";
import { matrix } from "../../src/linalg/index.ts";
import { secularRoot } from "../../src/linalg/secular-equation.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const normal = normals(fold(keyFromSeed(3), "tridiagonal"));
const random = (n: number, size = 1): number[] => Array.from({ length: n }, () => size * normal());
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Diagonal and couplings of matrices that are known to be hard for this method, and plain ones. */
const cases: Record<string, (n: number) => [number[], number[]]> = {
  "random entries": (n) => [random(n), random(n)],
  "Wilkinson's pairs": (n) => [range(n).map((i) => Math.abs(i - (n - 1) / 2)), Array(n).fill(1)],
  "glued Wilkinson blocks": (n) => [
    range(n).map((i) => Math.abs((i % 21) - 10)),
    range(n).map((i) => (i % 21 === 20 ? 1e-8 : 1)),
  ],
  "the second difference": (n) => [Array(n).fill(2), Array(n).fill(-1)],
  "a multiple of the identity": (n) => [Array(n).fill(3), Array(n).fill(0)],
  "couplings at the size of rounding": (n) => [random(n), random(n, 1e-15)],
  "equal values and tiny couplings": (n) => [Array(n).fill(1), random(n, 1e-12)],
  "twenty orders of magnitude": (n) => [
    range(n).map((i) => 10 ** ((-20 * i) / n)),
    range(n).map((i) => 0.1 * 10 ** ((-20 * i) / n)),
  ],
};

describe.each(Object.entries(cases))("of %s", (_name, make) => {
  test.each([1, 2, 32, 33, 65, 130, 257])(
    "order %i, rows are orthonormal eigenvectors to rounding",
    (n) => {
      const [diagonal, couplings] = make(n);
      const solved = divideAndConquer(Float64Array.from(diagonal), Float64Array.from(couplings));
      const { values, rows } = solved!;
      const gram = new Float64Array(n * n);
      naive.syrk(false, n, n, 1, rows, n, 0, gram, n);
      const identity = new Float64Array(n * n);
      for (let i = 0; i < n; i++) identity[i * n + i] = 1;
      expectClose(gram, identity, { rtol: 0, atol: 4e-16 * (n + 10) });

      const size = Math.max(...values.map(Math.abs));
      const residual = new Float64Array(n * n);
      for (let i = 0; i < n; i++)
        for (let k = 0; k < n; k++) {
          const v = (at: number): number => rows[i * n + at];
          let product = diagonal[k] * v(k);
          if (k > 0) product += couplings[k - 1] * v(k - 1);
          if (k < n - 1) product += couplings[k] * v(k + 1);
          residual[i * n + k] = product - values[i] * v(k);
        }
      expectClose(residual, new Float64Array(n * n), { atol: 4e-16 * (n + 10) * size });

      const dense = matrix(n, n);
      for (let i = 0; i < n; i++) {
        dense.data[i * n + i] = diagonal[i];
        if (i > 0) dense.data[i * n + i - 1] = dense.data[(i - 1) * n + i] = couplings[i - 1];
      }
      expectClose(values.slice().sort(), eigenvalues(dense), {
        rtol: 0,
        atol: 4e-16 * (n + 10) * size,
      });
    },
  );
});

test("secular roots interlace their poles and solve the equation of order two in closed form", () => {
  const d = Float64Array.of(0, 1);
  const squares = Float64Array.of(0.5, 0.5);
  const delta = new Float64Array(2);
  // diag(0, 1) + z zᵀ with z² = ½ each: trace 2, determinant ½.
  expect(secularRoot(0, d, squares, 1, delta)).toBeCloseTo(1 - Math.SQRT1_2, 15);
  expectClose(delta, [-(1 - Math.SQRT1_2), Math.SQRT1_2], { rtol: 1e-15 });
  expect(secularRoot(1, d, squares, 1, delta)).toBeCloseTo(1 + Math.SQRT1_2, 15);
});
