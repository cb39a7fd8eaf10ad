import {
  defineTask,
  fold,
  type Key,
  keyFromSeed,
  RatewiseError,
  type ResidentKind,
  type TaskKind,
  taskId,
  uniforms,
} from "@ratewise/core";

interface Walk {
  readonly path: Float64Array;
  readonly mean: number;
}

/**
 * A random walk and its running mean: every entry carries the rounding of all before it. Only of
 * operations that IEEE 754 rounds exactly: logarithms and sines differ from one V8 to the next.
 */
const walk: TaskKind<{ key: Key; steps: number; wait: number }, Walk> = defineTask(
  "walk",
  async ({ key, steps, wait }) => {
    await new Promise((resolve) => setTimeout(resolve, wait));
    const next = uniforms(key);
    const path = new Float64Array(steps);
    let at = 0;
    let mean = 0;
    for (let i = 0; i < steps; i++) {
      at += Math.sqrt(next()) - 2 / 3;
      mean += (at - mean) / (i + 1);
      path[i] = at * 0.1 + mean;
    }
    return { path, mean };
  },
);

export const fail: TaskKind<"ratewise" | "uncaught", void> = defineTask("fail", async (how) => {
  if (how === "ratewise") throw new RatewiseError("shape", "gemm: needs 3 columns, got 2");
  setTimeout(() => {
    throw new Error("nobody catches this");
  });
  await new Promise(() => {});
});

/** Never ends by itself. Says through shared memory that it runs. */
export const spin: TaskKind<Int32Array, void> = defineTask("spin", (running) => {
  for (;;) Atomics.store(running, 0, 1);
});

export const served: TaskKind[] = [walk, fail, spin];

/** The same walks in Node and in the browser; the later, the sooner done. */
export const walks: ReturnType<typeof walk.task>[] = Array.from({ length: 5 }, (_, i) =>
  walk.task({ key: fold(keyFromSeed(11), "walk", i), steps: 2000 + i, wait: 4 * (5 - i) }),
);

/** A digest of each walk's bytes, short enough to read in a failure. */
export function digests(results: readonly Walk[]): string[] {
  return results.map((payload) => taskId({ kind: "result", payload }));
}

/**
 * Adds 3 to its own word at each turn. Words: 0 the turn, −1 to leave; 1 how many have answered;
 * 2… one a resident.
 */
export const adder: ResidentKind<WebAssembly.Memory> = {
  kind: "adder",
  enter(memory, { index }) {
    const words = new Int32Array(memory.buffer);
    for (let seen = 0; ; ) {
      Atomics.wait(words, 0, seen);
      seen = Atomics.load(words, 0);
      if (seen === -1) return;
      words[2 + index] += 3;
      Atomics.add(words, 1, 1);
    }
  },
  stop(memory) {
    const words = new Int32Array(memory.buffer);
    Atomics.store(words, 0, -1);
    Atomics.notify(words, 0);
  },
};
