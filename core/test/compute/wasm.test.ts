import { describe, expect, test } from "vitest";
import { type Engine, useEngine } from "../../src/compute/index.ts";
import { naive } from "../../src/compute/naive.ts";
import { expectClose } from "../support/close.ts";
import {
  expectSameBytes,
  gaussian,
  type Precision,
  positiveDefinite,
  within,
  zeros,
} from "./random-arrays.ts";

const builds = ["plain", "relaxed"];
const precisions: Precision[] = ["f32", "f64"];
const cases = builds.flatMap((build) => precisions.map((precision) => ({ build, precision })));

/** 0, 1, primes, multiples of the tile and its neighbours, past the depth of one packed block. */
const shapes = [
  [0, 3, 4],
  [3, 0, 4],
  [3, 5, 0],
  [1, 1, 1],
  [1, 37, 11],
  [41, 1, 13],
  [2, 2, 3],
  [17, 19, 23],
  [4, 8, 16],
  [5, 9, 257],
  [64, 64, 64],
  [67, 71, 300],
  [131, 29, 513],
  [300, 7, 31],
  [3, 1100, 5],
] as const;

describe.each(cases)("$build $precision", ({ build, precision }) => {
  const engine: Engine = useEngine(build);

  test.each(shapes)("gemm is the naive product for %i × %i × %i", (m, n, k) => {
    for (const [tA, tB] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ]) {
      for (const [alpha, beta, gap] of [
        [1, 0, 0],
        [-0.5, 1, 3],
        [2, 0.25, 1],
      ]) {
        const lda = (tA ? m : k) + gap;
        const ldb = (tB ? k : n) + 2 * gap;
        const ldc = n + gap;
        const A = gaussian(precision, (tA ? k : m) * lda, "A");
        const B = gaussian(precision, (tB ? n : k) * ldb, "B");
        const C = gaussian(precision, m * ldc, "C");
        const expected = C.slice();
        naive.gemm(tA, tB, m, n, k, alpha, A, lda, B, ldb, beta, expected, ldc);
        engine.gemm(tA, tB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
        expectClose(C, expected, within(precision, expected));
      }
    }
  });

  test("gemm with beta 0 overwrites NaN, and NaN in A reaches its row alone", () => {
    const [m, n, k] = [21, 22, 23];
    const A = gaussian(precision, m * k, "A");
    const B = gaussian(precision, k * n, "B");
    A[3 * k + 5] = Number.NaN;
    const C = zeros(precision, m * n).fill(Number.NaN);
    engine.gemm(false, false, m, n, k, 1, A, k, B, n, 0, C, n);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) expect(Number.isNaN(C[i * n + j])).toBe(i === 3);
  });

  test("an operand too large for one piece streams through with the same result", () => {
    const [m, n, k] = [1025, 9, 9000];
    const A = zeros(precision, m * k);
    for (let i = 0; i < A.length; i++) A[i] = ((i * 7919) % 1009) / 1009;
    const B = gaussian(precision, k * n, "B");
    const rows = [0, 511, 1024];
    const C = zeros(precision, m * n);
    engine.gemm(false, false, m, n, k, 1, A, k, B, n, 0, C, n);
    for (const i of rows) {
      const expected = zeros(precision, n);
      naive.gemm(false, false, 1, n, k, 1, A.subarray(i * k), k, B, n, 0, expected, n);
      expectClose(C.subarray(i * n, i * n + n), expected, within(precision, expected));
    }
  });

  test.each([
    [0, 3],
    [1, 1],
    [7, 0],
    [19, 5],
    [64, 33],
    [130, 300],
  ])("syrk is the naive symmetric product for %i × %i", (n, k) => {
    for (const transpose of [false, true]) {
      for (const [alpha, beta, gap] of [
        [1, 0, 0],
        [-0.5, 0.5, 3],
      ]) {
        const lda = (transpose ? n : k) + gap;
        const A = gaussian(precision, (transpose ? k : n) * lda, "A");
        const C = gaussian(precision, n * (n + gap), "C");
        const expected = C.slice();
        naive.syrk(transpose, n, k, alpha, A, lda, beta, expected, n + gap);
        engine.syrk(transpose, n, k, alpha, A, lda, beta, C, n + gap);
        expectClose(C, expected, within(precision, expected));
      }
    }
  });

  test("syrk in several blocks is symmetric and has the entries of the product", () => {
    const [n, k] = [2100, 3];
    const A = gaussian(precision, n * k, "A");
    const C = zeros(precision, n * n);
    const product = zeros(precision, n * n);
    engine.syrk(false, n, k, 1, A, k, 0, C, n);
    engine.gemm(false, true, n, n, k, 1, A, k, A, k, 0, product, n);
    expectSameBytes(C, product);
  });

  test.each([0, 1, 2, 13, 16, 17, 64, 97, 129, 300])(
    "cholesky of order %i is the naive one",
    (n) => {
      for (const ld of [n, n + 3]) {
        const A = positiveDefinite(precision, n, ld);
        const expected = A.slice();
        expect(naive.cholesky(n, expected, ld)).toBe(-1);
        expect(engine.cholesky(n, A, ld)).toBe(-1);
        expectClose(A, expected, within(precision, expected));
      }
    },
  );

  test.each([0, 5, 15, 16, 100, 200])("cholesky names pivot %i, the first not positive", (bad) => {
    const n = 210;
    const A = positiveDefinite(precision, n, n);
    A[bad * n + bad] = bad % 2 === 0 ? -1 : Number.NaN;
    expect(engine.cholesky(n, A, n)).toBe(bad);
  });

  test.each([
    [0, 3],
    [3, 0],
    [1, 1],
    [15, 1],
    [17, 4],
    [64, 33],
    [101, 67],
    [150, 200],
  ])("triangular solves of order %i for %i columns are the naive ones", (n, m) => {
    const ldl = n + 2;
    const L = positiveDefinite(precision, n, ldl);
    naive.cholesky(n, L, ldl);
    for (const transpose of [false, true]) {
      for (const gap of [0, 3]) {
        const B = gaussian(precision, n * (m + gap), "B");
        const expected = B.slice();
        naive.solveTriangular(transpose, n, m, L, ldl, expected, m + gap);
        engine.solveTriangular(transpose, n, m, L, ldl, B, m + gap);
        expectClose(B, expected, within(precision, expected));
      }
    }
  });

  test.each([
    [0, 4],
    [1, 1],
    [5, 0],
    [127, 16],
    [300, 37],
  ])("leverage of %i rows of length %i is the naive one", (p, l) => {
    const L = positiveDefinite(precision, l, l + 1);
    naive.cholesky(l, L, l + 1);
    for (const ldu of [l, l + 5]) {
      const U = gaussian(precision, p * ldu, "U");
      const expected = zeros(precision, p);
      const out = zeros(precision, p).fill(Number.NaN);
      naive.leverage(p, l, U, ldu, L, l + 1, expected);
      engine.leverage(p, l, U, ldu, L, l + 1, out);
      expectClose(out, expected, within(precision, expected));
    }
  });
});

describe.each(cases)("$build $precision symmetric matrix times vector", ({ build, precision }) => {
  const engine: Engine = useEngine(build);

  test.each([0, 1, 3, 4, 5, 17, 64, 131])("of order %i reads the lower triangle alone", (n) => {
    const lda = n + 3;
    const A = positiveDefinite(precision, n, lda);
    const x = gaussian(precision, n, "x");
    const expected = zeros(precision, n);
    naive.gemm(false, false, n, 1, n, 1, A, lda, x, 1, 0, expected, 1);
    for (let i = 0; i < n; i++) A.fill(Number.NaN, i * lda + i + 1, (i + 1) * lda);
    const y = zeros(precision, n).fill(Number.NaN);
    engine.symmetricVector?.(n, A, lda, x, y);
    expectClose(y, expected, within(precision, expected));
  });
});
