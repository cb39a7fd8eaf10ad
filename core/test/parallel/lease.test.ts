import { afterAll, describe, expect, test } from "vitest";
import { RatewiseError } from "../../src/errors.ts";
import * as parallel from "../../src/parallel/index.ts";
import * as random from "../../src/random/index.ts";
import { adder, defineTestTasks } from "./tasks.js";

const core = { ...parallel, ...random, RatewiseError };
const { draw, visits } = defineTestTasks(core);
const pool = new core.WorkerPool({ size: 2, entry: new URL("./worker.js", import.meta.url) });
afterAll(() => pool.close());

function sharedMemory(): { memory: WebAssembly.Memory; words: Int32Array } {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  return { memory, words: new Int32Array(memory.buffer) };
}

/** Wakes the residents and blocks this thread until all have answered. */
function turn(words: Int32Array, seats: number): string {
  Atomics.store(words, 1, 0);
  Atomics.add(words, 0, 1);
  Atomics.notify(words, 0);
  for (;;) {
    const finished = Atomics.load(words, 1);
    if (finished === seats) return "ok";
    if (Atomics.wait(words, 1, finished, 10_000) === "timed-out") return "timed-out";
  }
}

describe("lease", () => {
  test("starts workers while the owner is blocked, without a turn of its event loop", async () => {
    const { memory, words } = sharedMemory();
    const lease = pool.lease(adder, 2, { memory, step: 5 });
    // Nothing is awaited between the lease and here.
    expect(turn(words, 2)).toBe("ok");
    expect(turn(words, 2)).toBe("ok");
    expect([...words.subarray(2, 5)]).toEqual([10, 10, 0]);
    await lease.release();
  });

  test("leaves the pool free for tasks", async () => {
    const { memory, words } = sharedMemory();
    const lease = pool.lease(adder, 2, { memory, step: 1 });
    await lease.started;
    expect(await core.runTasks([draw.task({ label: "a" })], { executor: pool })).toHaveLength(1);
    expect(turn(words, 2)).toBe("ok");
    await lease.release();
  });

  test("gives the workers back to the pool", async () => {
    const one = new core.WorkerPool({ size: 1, entry: new URL("./worker.js", import.meta.url) });
    for (const step of [1, 2]) {
      const { memory, words } = sharedMemory();
      const lease = one.lease(adder, 1, { memory, step });
      expect(turn(words, 1)).toBe("ok");
      await lease.release();
      expect(await lease.release()).toBeUndefined();
    }
    // The same thread has seen both residents, and now runs a task.
    expect(await core.runTasks([visits.task(undefined)], { executor: one })).toEqual([2]);
    await one.close();
  });

  test("with a payload that cannot be sent leaves the workers where they were", async () => {
    const one = new core.WorkerPool({ size: 1, entry: new URL("./worker.js", import.meta.url) });
    const memory = (() => 1) as unknown as WebAssembly.Memory;
    expect(() => one.lease(adder, 1, { memory, step: 1 })).toThrow("could not be cloned");
    expect(await core.runTasks([visits.task(undefined)], { executor: one })).toEqual([0]);
    await one.close();
  });

  test("says which resident failed", async () => {
    const { memory } = sharedMemory();
    const lease = pool.lease(adder, 1, { memory, step: -1 });
    await expect(lease.ended).rejects.toMatchObject({
      code: "worker",
      message: 'lease: resident 0 ("adder") failed: RangeError: step is negative',
    });
    await expect(lease.release()).rejects.toThrow("step is negative");
  });

  test("refuses a resident that the worker's entry does not list", async () => {
    const { memory } = sharedMemory();
    const lease = core.leaseWorkers(adder, 1, { memory, step: 1 });
    await expect(lease.started).rejects.toMatchObject({ code: "unknown-name" });
    await core.closeWorkers();
  });

  test("ends a resident that does not return", async () => {
    const { memory, words } = sharedMemory();
    const lease = pool.lease(adder, 1, { memory, step: 1000 });
    expect(turn(words, 1)).toBe("ok");
    await lease.release();
    expect(await core.runTasks([draw.task({ label: "a" })], { executor: pool })).toHaveLength(1);
  });
});
