import { afterAll, describe, expect, test } from "vitest";
import { Arena } from "../../src/compute/arena.ts";
import { type FloatArray, useEngine, useThreads } from "../../src/compute/index.ts";
import { KernelMemory } from "../../src/compute/kernel-memory.ts";
import type { KernelCall, KernelExports } from "../../src/compute/kernel-names.ts";
import { callOf, type KernelProduct, WHOLE } from "../../src/compute/kernel-product.ts";
import { Kernels, loadKernels } from "../../src/compute/kernels.ts";
import { LINE_BYTES, LINE_LENGTH, TaskLine } from "../../src/compute/task-line.ts";
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
  ["rows", 700, 300, 1000],
  ["rows, with B packed in several blocks of columns", 300, 700, 1000],
  ["rows, with room for two pieces", 64, 5000, 1100],
  ["columns", 40, 1500, 2000],
] as const)(
  "the same bytes where a large C is shared by %s, and none beside it is touched",
  async (_, m, n, k) => {
    const ld = n + 5;
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

test("the same bytes where a transposed A is shared in groups of rows, whole or below the diagonal", async () => {
  const [m, n, k] = [1100, 9, 2600];
  const A = gaussian("f32", k * m, "A");
  const B = gaussian("f32", k * n, "B");
  const outcomes: FloatArray[][] = [];
  for (const threads of [1, 2, 3]) {
    const engine = useEngine("plain");
    await useThreads(threads);
    const product = zeros("f32", m * n);
    engine.gemm(true, false, m, n, k, 1, A, m, B, n, 0, product, n);
    const square = zeros("f32", m * m);
    engine.syrk(true, m, 600, 1, A, m, 0, square, m);
    outcomes.push([product, square]);
  }
  for (const outcome of outcomes)
    for (const [i, values] of outcome.entries()) expectSameBytes(values, outcomes[0][i]);
  const naive = zeros("f32", m * n);
  useEngine("naive").gemm(true, false, m, n, k, 1, A, m, B, n, 0, naive, n);
  const errors = naive.map((value, i) => Math.abs(outcomes[0][0][i] - value));
  expect(largest(errors)).toBeLessThanOrEqual(1e-5 * largest(naive));
});

test("the same bytes where operands and C lie in kernel memory, and with more columns than are packed at a time", async () => {
  const [m, n, k] = [150, 1100, 300];
  const arena = new Arena(loadKernels("plain").memory);
  const A = arena.float32(m * k);
  A.set(gaussian("f32", m * k, "A"));
  const B = arena.float32(k * n);
  B.set(gaussian("f32", k * n, "B"));
  const C = arena.float32(m * n);
  const engine = useEngine("plain");
  const outcomes: FloatArray[] = [];
  for (const threads of [1, 2, 3]) {
    await useThreads(threads);
    C.fill(7);
    engine.gemm(false, false, m, n, k, 1, A, k, B, n, 0, C, n);
    outcomes.push(C.slice());
    const outside = new Float32Array(m * n);
    engine.gemm(false, false, m, n, k, 1, A.slice(), k, B.slice(), n, 0, outside, n);
    outcomes.push(outside);
  }
  for (const outcome of outcomes) expectSameBytes(outcome, outcomes[0]);
  const naive = new Float32Array(m * n);
  useEngine("naive").gemm(false, false, m, n, k, 1, A, k, B, n, 0, naive, n);
  const errors = naive.map((value, i) => Math.abs(outcomes[0][i] - value));
  expect(largest(errors)).toBeLessThanOrEqual(1e-5 * largest(naive));
  arena.free();
});

test("products while the number of threads changes are carried out", async () => {
  const engine = useEngine("plain");
  const A = gaussian("f64", m * k, "A");
  const B = gaussian("f64", k * n, "B");
  const product = () => {
    const C = new Float64Array(m * n);
    engine.gemm(false, false, m, n, k, 1, A, k, B, n, 0, C, n);
    return C;
  };
  await useThreads(2);
  const expected = product();
  const changing = useThreads(3);
  expectSameBytes(product(), expected);
  await changing;
  expectSameBytes(product(), expected);
});

describe("tasks", () => {
  const kernels = loadKernels("plain");
  const SUM = 1024;
  const outside: KernelProduct = {
    ...{ size: 8, m: 1, n: 1, k: 1, alpha: 1, beta: 0, diagonal: WHOLE },
    a: { at: 2 ** 32 - 8, row: 1, column: 1 },
    b: { at: 2 ** 32 - 8, row: 1, column: 1 },
    c: { at: 2 ** 32 - 8, row: 1 },
  };

  /** Calls c ← 2·c + 1024 on numbers in kernel memory, all 0 at first: how often, and that no two overlapped, is in the number. */
  function doubling(count: number): { c: Float64Array; calls: KernelCall[]; release(): void } {
    const at = kernels.memory.allocate(8 * (count + SUM));
    const c = new Float64Array(kernels.memory.buffer, at, count + SUM);
    c.fill(0).fill(1, count);
    const ones = { at: at + 8 * count, row: 1, column: 1 };
    const shape = { size: 8, m: 1, n: 1, k: SUM, alpha: 1, beta: 2, diagonal: WHOLE };
    const calls = Array.from({ length: count }, (_, i) =>
      callOf({ ...shape, a: ones, b: ones, c: { at: at + 8 * i, row: 1 } }, [0, 1]),
    );
    return { c: c.subarray(0, count), calls, release: () => kernels.memory.release(at) };
  }

  test("wait for the one they lag behind, round the line and again", async () => {
    await useThreads(3);
    const { c, calls, release } = doubling(13);
    for (let again = 0; again < 20; again++) {
      kernels.withTasks(3, (line) => {
        for (let posted = 0; posted < 13 * 42; posted += 13) {
          line.finish(posted - 400, kernels.exports, kernels.scratch(0));
          line.post(calls, 13);
        }
      });
      expect([...c]).toEqual(new Array(13).fill(SUM * (2 ** 42 - 1)));
      c.fill(0);
    }
    release();
  });

  test("that one thread does not take the other does", async () => {
    await useThreads(2);
    const { c, calls, release } = doubling(40);
    kernels.withTasks(2, (line) => {
      line.post(calls, calls.length);
      // This thread takes none.
      const start = performance.now();
      while (c.includes(0) && performance.now() - start < 60_000)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      expect([...c]).toEqual(new Array(40).fill(SUM));
    });
    expect([...c]).toEqual(new Array(40).fill(SUM));
    release();
  });

  test("that trap in any thread are an error, and the threads go on", async () => {
    await useThreads(2);
    const { c, calls, release } = doubling(4);
    const trap = callOf(outside, [0, 1]);
    expect(() =>
      kernels.withTasks(2, (line) => {
        line.post([trap, trap, trap, ...calls], 7);
        line.finish(7, kernels.exports, kernels.scratch(0));
      }),
    ).toThrow("stopped on a trap");
    expect([...c]).toEqual([SUM, SUM, SUM, SUM]);
    expect(() =>
      kernels.withTasks(2, (line) => {
        line.post(calls, 4);
        throw new Error("of the one who posts");
      }),
    ).toThrow("of the one who posts");
    expect([...c]).toEqual(new Array(4).fill(3 * SUM));
    kernels.withTasks(2, (line) => line.post(calls, 4));
    expect([...c]).toEqual(new Array(4).fill(7 * SUM));
    release();
  });

  test("more than the line holds are refused", () => {
    const line = new TaskLine(new SharedArrayBuffer(LINE_BYTES));
    line.open();
    const call: KernelCall = ["gemmF64", 1];
    line.post(new Array(LINE_LENGTH).fill(call), 1);
    expect(() => line.post([call], 1)).toThrow(`needs at most ${LINE_LENGTH} tasks`);
  });

  test("are counted on past the largest number", () => {
    const buffer = new SharedArrayBuffer(LINE_BYTES);
    new Int32Array(buffer).fill(2 ** 31 - 5);
    const line = new TaskLine(buffer);
    const seen: number[] = [];
    const fake = { gemmF64: (i: number) => seen.push(i) } as unknown as KernelExports;
    line.open();
    for (let i = 0; i < 700; i += 7) {
      line.post(
        Array.from({ length: 7 }, (_, j): KernelCall => ["gemmF64", i + j]),
        7,
      );
      line.finish(i + 3, fake, 0);
    }
    line.finish(700, fake, 0);
    expect(seen).toEqual(Array.from({ length: 700 }, (_, i) => i));
  });

  test("for which there is no memory are an error at once", async () => {
    const small = new Kernels("plain", new KernelMemory({ maximumPages: 48 }));
    await small.start(2);
    expect(() => small.withTasks(3, () => {})).toThrow("kernel memory: needs");
    await small.start(0);
  });
});

test("an order that traps is an error, and the thread goes on", async () => {
  const kernels = loadKernels("plain");
  await useThreads(2);
  const at = kernels.memory.allocate(3 * 8);
  const c = new Float64Array(kernels.memory.buffer, at, 3);
  c.set([0, 2, 3]);
  const product = {
    ...{ size: 8, m: 1, n: 1, k: 1, alpha: 1, beta: 0, diagonal: WHOLE },
    a: { at: at + 8, row: 1, column: 1 },
    b: { at: at + 16, row: 1, column: 1 },
    c: { at, row: 1 },
  };
  const trap = { ...product, a: { at: 2 ** 32 - 8, row: 1, column: 1 } };
  const nothing: KernelCall = [...callOf(product, [0, 0]), kernels.scratch(0)];
  expect(() => kernels.run([nothing, [...callOf(trap, [0, 1]), kernels.scratch(1)]])).toThrow(
    "kernel thread 0 stopped on a trap",
  );
  kernels.run([nothing, [...callOf(product, [0, 1]), kernels.scratch(1)]]);
  expect(c[0]).toBe(6);
  kernels.memory.release(at);
});

test("needs at least one thread", async () => {
  await expect(useThreads(0)).rejects.toThrow("useThreads: needs 1, 2, 3, … threads, got 0");
  await expect(useThreads(257)).rejects.toThrow("useThreads: needs at most 256 threads, got 257");
});
