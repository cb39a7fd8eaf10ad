import { fold, type Key, keyFromSeed, normals, RatewiseError } from "@ratewise/core";
import * as elementary from "@ratewise/core/elementary";
import { defineTask, type ResidentKind, type TaskKind, taskId } from "@ratewise/core/parallel";

interface Walk {
  readonly path: Float64Array;
  readonly mean: number;
}

/** A random walk and its running mean: every entry carries the rounding of all before it. */
const walk: TaskKind<{ key: Key; steps: number; wait: number }, Walk> = defineTask(
  "walk",
  async ({ key, steps, wait }) => {
    await new Promise((resolve) => setTimeout(resolve, wait));
    const next = normals(key);
    const path = new Float64Array(steps);
    let at = 0;
    let mean = 0;
    for (let i = 0; i < steps; i++) {
      at += next();
      mean += (at - mean) / (i + 1);
      path[i] = at * 0.1 + mean;
    }
    return { path, mean };
  },
);

const functions: Readonly<Record<string, (x: number, y: number) => number>> = elementary;

/** An elementary function at numbers of both signs and of sizes from 2⁻³⁰ to 2³⁰. */
const curve: TaskKind<{ name: string; key: Key }, Float64Array> = defineTask(
  "curve",
  ({ name, key }) => {
    const next = normals(key);
    const values = Float64Array.from({ length: 6100 }, (_, i) =>
      functions[name]!(next() * 2 ** ((i % 61) - 30), 10 * next()),
    );
    // What bits a NaN has is the engine's, and nobody's business.
    return values.map((value) => (Number.isNaN(value) ? 0.5 : value));
  },
);

export const fail: TaskKind<"ratewise" | "uncaught", void> = defineTask("fail", async (how) => {
  if (how === "ratewise")
    throw new RatewiseError("shape", { at: "gemm", what: "needs 3 columns, got 2" });
  setTimeout(() => {
    throw new Error("nobody catches this");
  });
  await new Promise(() => {});
});

/** Never ends by itself. Says through shared memory that it runs. */
export const spin: TaskKind<Int32Array, void> = defineTask("spin", (running) => {
  for (;;) Atomics.store(running, 0, 1);
});

export const served: TaskKind[] = [walk, curve, fail, spin];

/** The same walks in Node and in the browser; the later, the sooner done. */
export const walks: ReturnType<typeof walk.task>[] = Array.from({ length: 5 }, (_, i) =>
  walk.task({ key: fold(keyFromSeed(11), "walk", i), steps: 2000 + i, wait: 4 * (5 - i) }),
);

export const functionNames: string[] = Object.keys(functions).sort();
export const curves: ReturnType<typeof curve.task>[] = functionNames.map((name) =>
  curve.task({ name, key: fold(keyFromSeed(11), "curve", name) }),
);

/** A digest of each result's bytes, short enough to read in a failure. */
export function digests(results: readonly (Walk | Float64Array)[]): string[] {
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
