import { describe, expect, test } from "vitest";
import { eigenvalues } from "../../src/linalg/eigh.ts";
import { implicitQL } from "../../src/linalg/implicit-ql.ts";
import {
  eigh,
  fromRows,
  gram,
  identity,
  type Matrix,
  matrix,
  multiplyTranspose,
  outerGram,
  qr,
} from "../../src/linalg/index.ts";
import { expectClose } from "../support/close.ts";
import { largest, randomMatrix, scaleColumns } from "./random-matrix.ts";

/** Q diag(values) Qᵀ with a random orthogonal Q. */
function withEigenvalues(seed: number, values: ArrayLike<number>): Matrix {
  const { Q } = qr(randomMatrix(seed, values.length, values.length));
  return multiplyTranspose(scaleColumns(Q, values), Q);
}

function expectEigen(A: Matrix) {
  const n = A.rows;
  const { values, vectors } = eigh(A);
  expect([values.length, vectors.rows, vectors.cols]).toEqual([n, n, n]);
  expect([...values]).toEqual([...values].sort((a, b) => a - b));
  const size = Math.max(largest(A), Number.MIN_VALUE);
  const back = multiplyTranspose(scaleColumns(vectors, values), vectors);
  expectClose(back.data, A.data, { rtol: 0, atol: 1e-12 * size });
  expectClose(gram(vectors).data, identity(n).data, { rtol: 0, atol: 1e-12 });
  expectClose(eigenvalues(A), values, { rtol: 0, atol: 1e-13 * n * size });
  return values;
}

const sizes = [0, 1, 2, 3, 7, 31, 32, 33, 67, 97];

test("V Λ Vᵀ gives A back, V is orthogonal, values ascend, over all sizes", () => {
  for (const n of sizes) {
    const X = randomMatrix(1, n, n);
    const symmetric = matrix(
      n,
      n,
      X.data.map((v, at) => v + X.data[(at % n) * n + Math.floor(at / n)]),
    );
    expectEigen(symmetric);
    expectEigen(gram(X));
  }
});

describe("closed forms", () => {
  test("2×2", () => {
    const { values, vectors } = eigh(
      fromRows([
        [2, 1],
        [1, 2],
      ]),
    );
    expectClose(values, [1, 3], { rtol: 1e-15 });
    expectClose(vectors.data.map(Math.abs), new Float64Array(4).fill(Math.SQRT1_2), {
      rtol: 1e-15,
    });
  });

  test("second differences have 2 − 2cos(kπ/(n+1))", () => {
    const n = 89;
    const T = identity(n);
    for (let i = 0; i < n; i++) {
      T.data[i * n + i] = 2;
      if (i > 0) T.data[i * n + i - 1] = T.data[(i - 1) * n + i] = -1;
    }
    const expected = Array.from(
      { length: n },
      (_, k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)),
    );
    expectClose(expectEigen(T), expected, { rtol: 0, atol: 1e-13 });
  });

  test("diagonal matrices have their diagonal, sorted", () => {
    const D = identity(5);
    [3, -1, 0, 7, -2].forEach((v, i) => {
      D.data[i * 5 + i] = v;
    });
    expect([...expectEigen(D)]).toEqual([-2, -1, 0, 3, 7]);
  });
});

describe("hard spectra", () => {
  test("repeated eigenvalues", () => {
    expectEigen(identity(40));
    expectEigen(outerGram(matrix(37, 1, new Float64Array(37).fill(1))));
    const values = Array.from({ length: 60 }, (_, i) => Math.floor(i / 20) - 1);
    expectClose(expectEigen(withEigenvalues(2, values)), values, { rtol: 0, atol: 1e-13 });
  });

  test("rank deficient: all but three eigenvalues vanish", () => {
    const values = expectEigen(outerGram(randomMatrix(3, 80, 3)));
    expect(Math.max(...values.slice(0, 77).map(Math.abs))).toBeLessThan(1e-12 * values[79]);
    expect(values[77]).toBeGreaterThan(1);
  });

  test("graded over 12 decades: absolute accuracy", () => {
    const values = Array.from({ length: 49 }, (_, i) => 10 ** ((i - 48) / 4));
    expectClose(expectEigen(withEigenvalues(4, values)), values, { rtol: 0, atol: 1e-14 });
  });

  test("zero, and entries near the ends of the number range", () => {
    expect([...expectEigen(matrix(4, 4))]).toEqual([0, 0, 0, 0]);
    for (const scale of [1e-300, 1e300]) {
      const values = eigh(
        fromRows([
          [2 * scale, scale],
          [scale, 2 * scale],
        ]),
      ).values;
      expectClose(values, [scale, 3 * scale], { rtol: 1e-15 });
    }
  });

  test("zero diagonals and blocks that do not touch", () => {
    expectClose(
      expectEigen(
        fromRows([
          [0, 1, 0, 0],
          [1, 0, 0, 0],
          [0, 0, 0, 2],
          [0, 0, 2, 0],
        ]),
      ),
      [-2, -1, 1, 2],
      {
        rtol: 1e-15,
      },
    );
  });
});

test("only the lower triangle is read, and the argument stays as it was", () => {
  const A = fromRows([
    [2, 1e200],
    [1, 2],
  ]);
  expectClose(eigh(A).values, [1, 3], { rtol: 1e-15 });
  expect(A).toEqual(
    fromRows([
      [2, 1e200],
      [1, 2],
    ]),
  );
});

test("a rectangle and NaN are refused", () => {
  expect(() => eigh(matrix(2, 3))).toThrow("eigh: needs a square matrix, got 2×3");
  expect(() =>
    eigenvalues(
      fromRows([
        [1, 0],
        [Number.NaN, 1],
      ]),
    ),
  ).toThrow("eigenvalues: needs finite numbers, got NaN at row 1, column 0");
});

test("an iteration that cannot converge stops and says so", () => {
  expect(implicitQL(Float64Array.of(1, Number.NaN, 1), Float64Array.of(1, 1, 0), null)).toBe(false);
});
