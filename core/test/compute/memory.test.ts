import { expect, test } from "vitest";
import { Arena } from "../../src/compute/arena.ts";
import { useEngine } from "../../src/compute/index.ts";
import { KernelMemory, kernelMemory } from "../../src/compute/kernel-memory.ts";
import { naive } from "../../src/compute/naive.ts";
import { expectClose } from "../support/close.ts";
import { gaussian, zeros } from "./random-arrays.ts";

test("ten thousand calls leave the memory as large as the first hundred did", () => {
  const engine = useEngine("plain");
  const A = gaussian("f64", 40 * 40, "A");
  const C = zeros("f64", 40 * 40);
  const call = (i: number): void => {
    const m = 20 + (i % 20);
    engine.gemm(false, true, m, 20, 40, 1, A, 40, A, 40, 0, C, 40);
    if (i % 10 === 0) engine.syrk(true, m, 40, 1, A, 40, 0, C, 40);
  };
  for (let i = 0; i < 100; i++) call(i);
  const before = kernelMemory().size;
  for (let i = 0; i < 10_000; i++) call(i);
  expect(kernelMemory().size).toBe(before);
});

test("released blocks are joined and used again", () => {
  const memory = new KernelMemory({ maximumPages: 1024 });
  const blocks = Array.from({ length: 8 }, () => memory.allocate(2 ** 20));
  const { size } = memory;
  for (const i of [1, 3, 2, 0, 7, 5, 6, 4]) memory.release(blocks[i]);
  const whole = memory.allocate(8 * 2 ** 20);
  expect(whole).toBe(Math.min(...blocks));
  expect(memory.size).toBe(size);
  memory.release(whole);
  expect(() => memory.release(whole)).toThrow("needs the address of a block");
});

test("blocks in use never overlap", () => {
  const memory = new KernelMemory({ maximumPages: 1024 });
  const held = new Map<number, number>();
  let state = 1;
  for (let i = 0; i < 2000; i++) {
    state = (state * 48271) % 2147483647;
    const bytes = 1 + (state % 5000);
    if (state % 3 === 0 && held.size > 0) {
      const [at] = [...held.keys()];
      memory.release(at);
      held.delete(at);
    } else held.set(memory.allocate(bytes), bytes);
  }
  const sorted = [...held].sort(([a], [b]) => a - b);
  for (let i = 1; i < sorted.length; i++)
    expect(sorted[i][0]).toBeGreaterThanOrEqual(sorted[i - 1][0] + sorted[i - 1][1]);
});

test("past its limit memory says what was needed and what there is", () => {
  const memory = new KernelMemory({ maximumPages: 64 });
  memory.allocate(2 * 2 ** 20);
  expect(() => memory.allocate(3 * 2 ** 20)).toThrow(
    expect.objectContaining({
      code: "memory",
      message: expect.stringMatching(/needs .* MB more than its .* MB, and may hold 4 MB; work in/),
    }),
  );
  expect(memory.allocate(2 ** 20)).toBeGreaterThan(0);
});

test("more than wasm can address is refused with the code memory", () => {
  expect(() => kernelMemory().allocate(5 * 2 ** 30)).toThrow(
    expect.objectContaining({ code: "memory" }),
  );
});

test("arrays of an arena are used where they lie", () => {
  const engine = useEngine("plain");
  const arena = new Arena();
  const [m, n, k] = [33, 34, 35];
  const A = arena.float64(m * k);
  const B = arena.float64(k * n);
  const C = arena.float64(m * n);
  A.set(gaussian("f64", m * k, "A"));
  B.set(gaussian("f64", k * n, "B"));
  const expected = zeros("f64", m * n);
  naive.gemm(false, false, m, n, k, 1, A, k, B, n, 0, expected, n);
  engine.gemm(false, false, m, n, k, 1, A, k, B, n, 0, C, n);
  expectClose(C, expected, { atol: 1e-12 });
  const { size } = kernelMemory();
  arena.free();
  arena.float32(10);
  arena.int32(10);
  arena.bytes(10);
  arena.free();
  expect(kernelMemory().size).toBe(size);
});
