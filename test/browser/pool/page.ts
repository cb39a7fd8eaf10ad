/// <reference types="vite/client" />
import { runTasks, taskId, WorkerPool } from "@ratewise/core/parallel";
import { adder, curves, digests, fail, spin, walks } from "./tasks.ts";
import entry from "./worker.ts?worker&url";

const pool = new WorkerPool({ entry: new URL(entry, document.baseURI) });

async function failure(run: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await run;
    return { code: "none", message: "it did not fail" };
  } catch (error) {
    const { code = "", message } = error as Error & { code?: string };
    return { code, message };
  }
}

/** What the test calls from outside. */
const api = {
  isolated: (): boolean => crossOriginIsolated,

  walk: async (workers: number): Promise<string[]> =>
    digests(await runTasks(walks, workers === 0 ? { workers } : { executor: pool, workers })),

  curves: async (): Promise<string[]> =>
    digests(await runTasks(curves, { executor: pool, workers: 2 })),

  taskId: (): string =>
    taskId({ kind: "kind", payload: { b: new Float32Array([1, -0]), a: [1, "ü"] } }, "1"),

  fail: (how: "ratewise" | "uncaught") =>
    failure(runTasks([fail.task(how)], { executor: pool, workers: 1 })),

  /** The core's own worker, which the bundler must have found by itself. */
  ownWorker: () => failure(runTasks(walks, { workers: 1 })),

  abort: async (): Promise<{ code: string; message: string }> => {
    const stop = new AbortController();
    const running = new Int32Array(new SharedArrayBuffer(4));
    const run = runTasks([spin.task(running)], { executor: pool, signal: stop.signal });
    while (Atomics.load(running, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error("enough"));
    return failure(run);
  },

  /** Three turns of two residents over one shared memory. */
  lease: async (): Promise<number[]> => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const words = new Int32Array(memory.buffer);
    const lease = pool.lease(adder, 2, memory);
    await lease.started;
    for (let turn = 1; turn <= 3; turn++) {
      Atomics.store(words, 1, 0);
      Atomics.store(words, 0, turn);
      Atomics.notify(words, 0);
      while (Atomics.load(words, 1) < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await lease.release();
    return [...words.subarray(2, 5)];
  },
};

declare global {
  var ratewise: typeof api;
}
globalThis.ratewise = api;
