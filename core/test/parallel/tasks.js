/**
 * The kinds of task that the tests run. Plain script, because the tests load it beside the core's
 * source and the workers of Node 20 beside the compiled core: each passes its own core.
 *
 * @param {Pick<typeof import("../../src/parallel/index.ts"), "defineTask" | "runTasks" | "workersHere"> & Pick<typeof import("../../src/index.ts"), "fold" | "keyFromSeed" | "RatewiseError" | "uniforms">} core
 */
export function defineTestTasks(core) {
  const { defineTask, fold, keyFromSeed, RatewiseError, runTasks, uniforms, workersHere } = core;

  /** @param {number} ms */
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  /**
   * A random walk and its running mean: every entry carries the rounding of all before it. Only of
   * operations that IEEE 754 rounds exactly: logarithms and sines differ from one V8 to the next.
   */
  const walk = defineTask(
    "walk",
    /** @param {{ key: import("../../src/random/key.ts").Key, steps: number, wait?: number }} payload */
    async ({ key, steps, wait: ms }) => {
      if (ms) await wait(ms);
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

  /** A number seeded from the task's own id. */
  const draw = defineTask(
    "draw",
    /** @param {{ label: string }} _payload */ (_payload, context) =>
      uniforms(fold(keyFromSeed(1), context.id))(),
  );

  const fail = defineTask(
    "fail",
    /** @param {{ how: "ratewise" | "plain" | "uncloneable" | "exit" | "uncaught", wait?: number }} payload */
    async ({ how, wait: ms }) => {
      if (ms) await wait(ms);
      if (how === "ratewise")
        throw new RatewiseError("shape", {
          in: "gemm",
          what: "needs 3 columns, got 2",
          columns: 2,
        });
      if (how === "plain") throw new TypeError("x is not a function");
      if (how === "uncloneable") return () => 1;
      if (how === "exit") process.exit(7);
      setTimeout(() => {
        throw new Error("nobody catches this");
      });
      await wait(10_000);
      return 0;
    },
  );

  /** Never ends by itself. Says through shared memory that it runs. */
  const spin = defineTask(
    "spin",
    /** @param {{ running: Int32Array }} payload */ ({ running }) => {
      Atomics.add(running, 0, 1);
      for (;;) Atomics.load(running, 0);
    },
  );

  const report = defineTask(
    "report",
    /** @param {{ steps: number }} payload */ async ({ steps }, { onProgress }) => {
      for (let done = 1; done <= steps; done++) {
        onProgress?.({ phase: "inner", done, total: steps });
        await wait(25);
      }
      return steps;
    },
  );

  /** Tells of its losses as a network in training does: that of rows held back once an epoch, right after another event. */
  const learn = defineTask(
    "learn",
    /** @param {{ epochs: number, from: number }} payload */ async (
      { epochs, from },
      { onProgress },
    ) => {
      for (let done = 1; done <= epochs; done++) {
        const event = { phase: "train", done, total: epochs, loss: from - done };
        onProgress?.(event);
        onProgress?.({ ...event, validationLoss: from - done + 0.5 });
        await wait(25);
      }
      return epochs;
    },
  );

  /** Says what it was given, changes it, and gives a small part of a large buffer. */
  const touch = defineTask(
    "touch",
    /** @param {{ values: Float64Array }} payload */ ({ values }) => {
      const bufferBytes = values.buffer.byteLength;
      values.fill(9);
      return { bufferBytes, part: new Float64Array(1000).fill(7).subarray(3, 5) };
    },
  );

  /** Tasks inside a task. */
  const nest = defineTask(
    "nest",
    /** @param {{ label: string }} payload */ async (payload) => ({
      workers: workersHere(),
      draws: await runTasks([draw.task(payload)], { workers: 2 }),
    }),
  );

  const visits = defineTask("visits", () => residents);

  return { walk, draw, fail, spin, report, learn, touch, nest, visits };
}

/** Residents that have entered this thread. */
let residents = 0;

/**
 * Adds `step` to its own word each time the generation changes; ends when the generation is −1.
 * Words: 0 generation, 1 finished seats, 2… one a seat.
 *
 * @type {import("../../src/parallel/index.ts").ResidentKind<{ memory: WebAssembly.Memory, step: number }>}
 */
export const adder = {
  kind: "adder",
  enter({ memory, step }, { index }) {
    residents++;
    const words = new Int32Array(memory.buffer);
    if (step < 0) throw new RangeError("step is negative");
    for (let seen = 0; ; ) {
      Atomics.wait(words, 0, seen);
      seen = Atomics.load(words, 0);
      if (seen === -1) return;
      words[2 + index] += step;
      Atomics.add(words, 1, 1);
      Atomics.notify(words, 1);
    }
  },
  stop({ memory, step }) {
    const words = new Int32Array(memory.buffer);
    if (step === 1000) return; // a resident that does not listen
    Atomics.store(words, 0, -1);
    Atomics.notify(words, 0);
  },
};
