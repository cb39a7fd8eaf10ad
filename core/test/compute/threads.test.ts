import { afterAll, describe, expect, test } from "vitest";
import { type FloatArray, useEngine, useThreads } from "../../src/compute/index.ts";
import { callOf, WHOLE } from "../../src/compute/kernel-product.ts";
import { loadKernels } from "../../src/compute/kernels.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import {
  expectSameBytes,
  gaussian,
  largest,
  type Precision,
  positiveDefinite,
  zeros,
} from "./random-arrays.ts";

afterAll(closeWorkers);

/** Large enough to be split, ragged, and past one block of every blocking. */
const [m, n, k] = [301, 203, 517];
const order = 620;

describe.each(["plain", "relaxed"] as const)("%s", (build) => {
  test.each(["f32", "f64"] satisfies Precision[])(
    "gives the same bytes on 1, 2 and 3 threads in %s",
    async (precision) => {
      const engine = useEngine(build);
      const A = gaussian(precision, m * k, "A");
      const B = gaussian(precision, k * n, "B");
      const definite = positiveDefinite(precision, order, order);
      const outcomes: FloatArray[][] = [];
      for (const threads of [1, 2, 3]) {
        expect(await useThreads(threads)).toBe(threads);
        expect(loadKernels(build).threadsFor(1e9)).toBe(threads);
        const tall = zeros(precision, m * n);
        engine.gemm(false, false, m, n, k, 1, A, k, B, n, 0, tall, n);
        const wide = zeros(precision, n * m);
        engine.gemm(true, true, n, m, k, 1, B, n, A, k, 0, wide, m);
        const square = zeros(precision, m * m);
        engine.syrk(false, m, k, 1, A, k, 0, square, m);
        const L = definite.slice();
        expect(engine.cholesky(order, L, order)).toBe(-1);
        const solved = gaussian(precision, m * n, "right-hand sides");
        engine.solveTriangular(false, m, n, L, order, solved, n);
        const backwards = gaussian(precision, m * n, "right-hand sides");
        engine.solveTriangular(true, m, n, L, order, backwards, n);
        const leverages = zeros(precision, k);
        engine.leverage(k, m, A, m, L, order, leverages);
        outcomes.push([tall, wide, square, L, solved, backwards, leverages]);
      }
      for (const outcome of outcomes)
        for (const [i, values] of outcome.entries()) expectSameBytes(values, outcomes[0][i]);
      for (const values of outcomes[0]) expect(Number.isFinite(largest(values))).toBe(true);
    },
  );
});

/** Operands that pass through kernel memory in pieces: the next is copied while the others multiply. */
test.each(["f32", "f64"] satisfies Precision[])(
  "the same bytes again where %s operands come in pieces, and those of the naive engine nearly",
  async (precision) => {
    const [rows, columns, depth] = [41, 24, 90_000];
    const A = gaussian(precision, rows * depth, "A");
    const B = gaussian(precision, columns * depth, "B");
    const outcomes: FloatArray[][] = [];
    for (const threads of [1, 2, 3]) {
      const engine = useEngine("plain");
      await useThreads(threads);
      const along = zeros(precision, rows * columns);
      engine.gemm(false, true, rows, columns, depth, 1, A, depth, B, depth, 0, along, columns);
      const across = gaussian(precision, rows * columns, "C");
      engine.gemm(true, false, rows, columns, depth, 2, A, rows, B, columns, 3, across, columns);
      const square = zeros(precision, rows * rows);
      engine.syrk(true, rows, depth, 1, A, rows, 0, square, rows);
      outcomes.push([along, across, square]);
    }
    for (const outcome of outcomes)
      for (const [i, values] of outcome.entries()) expectSameBytes(values, outcomes[0][i]);
    const naive = useEngine("naive");
    const along = zeros(precision, rows * columns);
    naive.gemm(false, true, rows, columns, depth, 1, A, depth, B, depth, 0, along, columns);
    const tolerance = (precision === "f32" ? 1e-5 : 1e-12) * largest(along);
    for (const [i, value] of along.entries())
      expect(Math.abs(outcomes[0][0][i] - value)).toBeLessThanOrEqual(tolerance);
  },
);

/** C is copied back region by region, while the other threads still multiply. */
test.each([
  ["rows", 700, 300],
  ["columns", 300, 700],
] as const)(
  "the same bytes where a large C is shared by %s, and none beside it is touched",
  async (_, m, n) => {
    const [k, ld] = [1000, n + 5];
    const A = gaussian("f64", m * k, "A");
    const B = gaussian("f64", k * n, "B");
    const outcomes: FloatArray[] = [];
    for (const threads of [1, 2, 3]) {
      const engine = useEngine("plain");
      await useThreads(threads);
      for (let again = 0; again < 3; again++) {
        const C = new Float64Array(m * ld).fill(7);
        engine.gemm(false, false, m, n, k, 1, A, k, B, n, 2, C, ld);
        outcomes.push(C);
      }
    }
    for (const outcome of outcomes) expectSameBytes(outcome, outcomes[0]);
    const naive = new Float64Array(m * ld).fill(7);
    useEngine("naive").gemm(false, false, m, n, k, 1, A, k, B, n, 2, naive, ld);
    const errors = naive.map((value, i) => Math.abs(outcomes[0][i] - value));
    expect(largest(errors)).toBeLessThanOrEqual(1e-12 * largest(naive));
  },
);

test("orders wait in line, and are carried out in turn", async () => {
  const kernels = loadKernels("plain");
  await useThreads(2);
  const at = kernels.memory.allocate(8 * 4);
  const c = new Float64Array(kernels.memory.buffer, at, 4);
  // c ← 2·c + 1, far more often than the line is long: the order of all of them is in the number.
  c.set([1, 0, 1, 1]);
  const one = { row: 1, column: 1 };
  const double = {
    ...{ size: 8, m: 1, n: 1, k: 1, alpha: 1, beta: 2, diagonal: WHOLE },
    a: { at: at + 16, ...one },
    b: { at: at + 24, ...one },
    c: { at, row: 1 },
  };
  kernels.withOrders((post) => {
    for (let i = 0; i < 50; i++) post(1, callOf(double, [0, 1], kernels.scratch(1)));
  });
  expect(c[0]).toBe(2 ** 51 - 1);
  kernels.memory.release(at);
});

test("needs at least one thread", async () => {
  await expect(useThreads(0)).rejects.toThrow("useThreads: needs 1, 2, 3, … threads, got 0");
});
