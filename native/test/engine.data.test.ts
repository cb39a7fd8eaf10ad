import { keyFromSeed, useEngine } from "@ratewise/core";
import type { FloatArray } from "@ratewise/core/compute";
import { normalInto } from "@ratewise/core/random";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { registerNative } from "../src/index.ts";

beforeAll(async () => {
  const { blas, diagnostics } = await registerNative();
  if (!blas)
    throw new Error(
      `these tests need OpenBLAS: apt-get install libopenblas0-pthread (${JSON.stringify(diagnostics)})`,
    );
});

const precisions = [
  { make: (n: number): FloatArray => new Float64Array(n), tolerance: 1e-12 },
  { make: (n: number): FloatArray => new Float32Array(n), tolerance: 1e-5 },
];
const size = fc.constantFrom(0, 1, 2, 3, 7, 8, 13, 17, 33);

/** Equal to `tolerance` of the largest entry. */
function expectNear(actual: FloatArray, expected: FloatArray, tolerance: number) {
  let largest = 1;
  for (const value of expected) largest = Math.max(largest, Math.abs(value));
  for (let i = 0; i < expected.length; i++)
    expect(Math.abs(actual[i] - expected[i])).toBeLessThanOrEqual(tolerance * largest);
}

/** Runs `work` on each engine with equal inputs and compares what it returns. */
function onBoth(tolerance: number, work: (engine: ReturnType<typeof useEngine>) => FloatArray) {
  const actual = work(useEngine("native"));
  expectNear(actual, work(useEngine("naive")), tolerance);
}

test("products of every shape and transposition equal the naive engine's", () => {
  fc.assert(
    fc.property(size, size, size, fc.boolean(), fc.boolean(), fc.nat(3), (m, n, k, ta, tb, pad) => {
      for (const { make, tolerance } of precisions) {
        const lda = (ta ? m : k) + pad;
        const ldb = (tb ? k : n) + pad;
        const ldc = n + pad;
        onBoth(tolerance, (engine) => {
          const A = make((ta ? k : m) * lda);
          const B = make((tb ? n : k) * ldb);
          const C = make(m * ldc);
          normalInto(A, keyFromSeed(1));
          normalInto(B, keyFromSeed(2));
          normalInto(C, keyFromSeed(3));
          engine.gemm(ta, tb, m, n, k, 1.5, A, lda, B, ldb, -0.5, C, ldc);
          return C;
        });
      }
    }),
    { seed: 1 },
  );
});

test("rank-k updates, Cholesky, solves and leverages equal the naive engine's", () => {
  fc.assert(
    fc.property(size, size, fc.boolean(), (n, p, transpose) => {
      for (const { make, tolerance } of precisions) {
        const positive = (engine: ReturnType<typeof useEngine>) => {
          const A = make(n * (n + 5));
          normalInto(A, keyFromSeed(4));
          const C = make(n * n);
          engine.syrk(transpose, n, n + 5, 1, A, transpose ? n : n + 5, 0, C, n);
          for (let i = 0; i < n; i++) C[i * n + i] += 1;
          return C;
        };
        const factor = (engine: ReturnType<typeof useEngine>) => {
          const L = positive(engine);
          expect(engine.cholesky(n, L, n)).toBe(-1);
          return L;
        };
        onBoth(tolerance, positive);
        onBoth(tolerance, factor);
        onBoth(10 * tolerance, (engine) => {
          const B = make(n * p);
          normalInto(B, keyFromSeed(5));
          engine.solveTriangular(transpose, n, p, factor(engine), n, B, p);
          return B;
        });
        onBoth(10 * tolerance, (engine) => {
          const U = make(p * (n + 2));
          normalInto(U, keyFromSeed(6));
          const out = make(p);
          engine.leverage(p, n, U, n + 2, factor(engine), n, out);
          return out;
        });
      }
    }),
    { seed: 1 },
  );
});

test("a symmetric matrix times a vector, of its lower triangle alone, equals the naive product", () => {
  fc.assert(
    fc.property(size, fc.nat(3), (n, pad) => {
      for (const { make, tolerance } of precisions) {
        const ld = n + pad;
        const whole = make(n * ld);
        normalInto(whole, keyFromSeed(7));
        for (let i = 0; i < n; i++)
          for (let j = 0; j < i; j++) whole[j * ld + i] = whole[i * ld + j];
        const x = make(n);
        normalInto(x, keyFromSeed(8));
        const expected = make(n);
        useEngine("naive").gemm(false, false, n, 1, n, 1, whole, ld, x, 1, 0, expected, 1);
        for (let i = 0; i < n; i++) whole.fill(Number.NaN, i * ld + i + 1, (i + 1) * ld);
        const actual = make(n).fill(Number.NaN);
        useEngine("native").symmetricVector!(n, whole, ld, x, actual);
        expectNear(actual, expected, tolerance);
      }
    }),
    { seed: 1 },
  );
});

test("a matrix that is not positive definite gives the pivot that failed, NaN included", () => {
  const native = useEngine("native");
  expect(native.cholesky(3, Float64Array.of(1, 0, 0, 0, 1, 2, 0, 2, 1), 3)).toBe(2);
  expect(native.cholesky(2, Float64Array.of(1, 0, 0, Number.NaN), 2)).toBe(1);
});
