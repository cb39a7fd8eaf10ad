import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { RatewiseError } from "../../src/errors.ts";
import * as parallel from "../../src/parallel/index.ts";
import * as random from "../../src/random/index.ts";
import type { Progress } from "../../src/run.ts";
import { defineTestTasks } from "./tasks.js";

const core = { ...parallel, ...random, RatewiseError };
const { inlineExecutor, runTasks, WorkerPool } = core;
const { walk, draw, fail, spin, report, learn, touch, nest } = defineTestTasks(core);
const pool = new WorkerPool({ size: 1, entry: new URL("./worker.js", import.meta.url) });
afterAll(() => pool.close());

const executors = [
  { name: "in this thread", executor: inlineExecutor },
  { name: "in workers", executor: pool },
];

/** The later the task, the sooner it ends. */
const walks = Array.from({ length: 7 }, (_, i) =>
  walk.task({ key: core.fold(core.keyFromSeed(5), "walk", i), steps: 200 + i, wait: 5 * (7 - i) }),
);

function bytes(results: readonly { path: Float64Array; mean: number }[]): Uint8Array[] {
  return results.map(({ path, mean }) => new Uint8Array(Float64Array.of(...path, mean).buffer));
}

describe("runTasks", () => {
  test("gives the same bytes for 0, 1, 2 and 3 workers, in the order of the tasks", async () => {
    const expected = bytes(await inlineExecutor.run(walks));
    expect(expected.map(({ length }) => length / 8)).toEqual([201, 202, 203, 204, 205, 206, 207]);
    expect(new Set(expected.map(String)).size).toBe(7);
    for (const workers of [1, 2, 3]) {
      const finished: number[] = [];
      const results = await runTasks(walks, {
        executor: pool,
        workers,
        onProgress: ({ done }) => finished.push(done),
      });
      expect(bytes(results)).toEqual(expected);
      expect(finished).toEqual([1, 2, 3, 4, 5, 6, 7]);
    }
  });

  test("orders results by index when they arrive in another order", async () => {
    const waits = [120, 0, 60];
    const key = core.keyFromSeed(1);
    const tasks = waits.map((wait, i) => walk.task({ key, steps: i + 1, wait }));
    const results = await runTasks(tasks, { executor: pool, workers: 3 });
    expect(results.map(({ path }) => path.length)).toEqual([1, 2, 3]);
  });

  test.each(executors)("seeds a task from its id, $name", async ({ executor }) => {
    const labels = ["a", "b", "a"];
    const draws = await runTasks(
      labels.map((label) => draw.task({ label })),
      { executor, workers: 2 },
    );
    expect(draws[0]).toBe(draws[2]);
    expect(draws[0]).not.toBe(draws[1]);
    const id = core.taskId(draw.task({ label: "b" }));
    expect(draws[1]).toBe(core.uniforms(core.fold(core.keyFromSeed(1), id))());
  });

  test("gives no results for no tasks", async () => {
    for (const { executor } of executors) expect(await runTasks([], { executor })).toEqual([]);
  });

  test("runs tasks of a task in the worker's own thread", async () => {
    const [nested] = await runTasks([nest.task({ label: "b" })], { executor: pool });
    const [alone] = await runTasks([draw.task({ label: "b" })], { workers: 0 });
    expect(nested).toEqual({ workers: 0, draws: [alone] });
  });

  test("refuses a number of workers that is none", async () => {
    await expect(runTasks([], { workers: -1 })).rejects.toThrow("needs workers 0, 1, 2");
    await expect(runTasks([], { workers: 1.5 })).rejects.toThrow("got 1.5");
  });
});

describe("payloads", () => {
  test.each(executors)("are copied unless handed over, $name", async ({ executor }) => {
    const values = new Float64Array([1, 2, 3, 4]);
    await runTasks([touch.task({ values })], { executor });
    expect([...values]).toEqual([1, 2, 3, 4]);
    await runTasks([touch.task({ values })], { executor, transfer: true });
    expect(values.length).toBe(0);
  });

  test.each(executors)(
    "of part of a buffer travel without the rest, $name",
    async ({ executor }) => {
      const values = new Float64Array(1000).subarray(10, 14);
      const [{ bufferBytes, part }] = await runTasks([touch.task({ values })], { executor });
      expect(bufferBytes).toBe(4 * 8);
      expect([...part]).toEqual([7, 7]);
      expect(part.buffer.byteLength).toBe(2 * 8);
      expect(values.buffer.byteLength).toBe(8000);
    },
  );

  test.each(executors)("in shared memory stay shared, $name", async ({ executor }) => {
    const values = new Float64Array(new SharedArrayBuffer(16));
    await runTasks([touch.task({ values })], { executor, transfer: true });
    expect([...values]).toEqual([9, 9]);
  });

  test.each(executors)("that hold code are refused by name, $name", async ({ executor }) => {
    const values = (() => 1) as unknown as Float64Array;
    const key = core.keyFromSeed(1);
    const tasks = [walk.task({ key, steps: 1 }), touch.task({ values })];
    await expect(runTasks<unknown>(tasks, { executor })).rejects.toMatchObject({
      code: "domain",
      message: expect.stringContaining('task 1 ("touch") needs a payload of plain data'),
    });
  });
});

describe("the closed list of kinds", () => {
  test("refuses a kind that nobody defined, before anything runs", async () => {
    await expect(runTasks([{ kind: "rm -rf", payload: {} }])).rejects.toMatchObject({
      code: "unknown-name",
      message: expect.stringContaining(
        '(walk, draw, fail, spin, report, learn, touch, nest, visits), got "rm -rf"',
      ),
    });
  });

  test("is the worker's own: the core's workers do not run what its entry does not list", async () => {
    const run = runTasks([draw.task({ label: "a" })], { workers: 1 });
    await expect(run).rejects.toMatchObject({
      code: "unknown-name",
      message: expect.stringMatching(/^serve: needs a defined kind of task .*got "draw"$/),
    });
    await core.closeWorkers();
  });

  test("takes no kind twice", () => {
    expect(() => core.defineTask("walk", () => 0)).toThrow('got "walk" again');
  });
});

describe("progress", () => {
  test.each(executors)("adds up the shares of running tasks, $name", async ({ executor }) => {
    const events: Progress[] = [];
    await runTasks([report.task({ steps: 4 }), report.task({ steps: 4 })], {
      executor,
      workers: 2,
      onProgress: (event) => events.push(event),
    });
    const done = events.map((event) => event.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(done.some((value) => value % 1 !== 0)).toBe(true);
    expect(events.at(-1)).toEqual({ phase: "report", done: 2, total: 2 });
  });

  test.each(executors)("tells whose losses it carries, $name", async ({ executor }) => {
    const events: Progress[] = [];
    await runTasks([learn.task({ epochs: 4, from: 10 }), learn.task({ epochs: 4, from: 20 })], {
      executor,
      workers: 2,
      onProgress: (event) => events.push(event),
    });
    const told = events.filter(({ loss }) => loss !== undefined);
    for (const { task, loss } of told)
      expect(loss).toBe((task!.index === 0 ? 10 : 20) - 4 * task!.share);
    const held = new Set(told.map(({ validationLoss }) => validationLoss));
    // What is said right before a task ends may be lost; what is said in a quiet moment comes with the next event.
    for (const loss of [9.5, 8.5, 7.5, 19.5, 18.5, 17.5]) expect(held).toContain(loss);
    expect(events.at(-1)).toEqual({ phase: "learn", done: 2, total: 2 });
  });

  test.each(executors)(
    "that throws ends the run with what it threw, $name",
    async ({ executor }) => {
      const onProgress = () => {
        throw new Error("the listener's own");
      };
      const run = runTasks([report.task({ steps: 2 })], { executor, onProgress });
      await expect(run).rejects.toThrow("the listener's own");
    },
  );
});

describe("failure", () => {
  test.each(executors)("keeps code, message and details, $name", async ({ executor }) => {
    const run = runTasks([fail.task({ how: "ratewise" })], { executor });
    await expect(run).rejects.toBeInstanceOf(core.RatewiseError);
    await expect(run).rejects.toMatchObject({
      code: "shape",
      message: "gemm: needs 3 columns, got 2",
      details: { columns: 2, task: { kind: "fail", index: 0 } },
    });
  });

  test.each(executors)("of another kind names the task, $name", async ({ executor }) => {
    const run = runTasks([fail.task({ how: "plain" })], { executor });
    await expect(run).rejects.toMatchObject({
      code: "worker",
      message: 'runTasks: task 0 ("fail") failed: TypeError: x is not a function',
      details: { taskStack: expect.stringContaining("tasks.js") },
    });
  });

  test.each(executors)("to send the result is the task's failure, $name", async ({ executor }) => {
    const run = runTasks([fail.task({ how: "uncloneable" })], { executor });
    await expect(run).rejects.toMatchObject({
      code: "worker",
      message: expect.stringMatching(/^runTasks: task 0 \("fail"\) failed: .*clone/),
    });
  });

  test("is that of the first failing task in order, not in time, for 0 to 3 workers", async () => {
    const tasks = [
      walk.task({ key: core.keyFromSeed(1), steps: 1 }),
      fail.task({ how: "ratewise", wait: 80 }),
      fail.task({ how: "plain" }),
      spin.task({ running: new Int32Array(new SharedArrayBuffer(4)) }),
    ];
    for (const workers of [0, 1, 2, 3]) {
      const executor = workers === 0 ? inlineExecutor : pool;
      await expect(runTasks<unknown>(tasks, { executor, workers })).rejects.toMatchObject({
        code: "shape",
        details: { task: { index: 1 } },
      });
    }
  });

  test.each([
    ["exit", "it exited with code 7"],
    ["uncaught", "nobody catches this"],
  ] as const)(
    "of a worker itself names the task (%s), and the pool goes on",
    async (how, reason) => {
      const tasks = [draw.task({ label: "a" }), fail.task({ how })];
      await expect(runTasks<unknown>(tasks, { executor: pool, workers: 2 })).rejects.toMatchObject({
        code: "worker",
        message: `runTasks: the worker running task 1 ("fail") died: ${reason}`,
      });
      expect(await runTasks([draw.task({ label: "a" })], { executor: pool })).toHaveLength(1);
    },
  );
});

describe("abort", () => {
  test("ends running workers at once, rejects with the reason, and leaves a pool that works", async () => {
    const running = new Int32Array(new SharedArrayBuffer(4));
    const stop = new AbortController();
    const tasks = Array.from({ length: 5 }, () => spin.task({ running }));
    const run = runTasks<unknown>(tasks, { executor: pool, workers: 3, signal: stop.signal });
    // Behind it in the queue, from another caller, who has not aborted.
    const other = runTasks([draw.task({ label: "a" })], { executor: pool });
    while (Atomics.load(running, 0) < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    const reason = new Error("enough");
    stop.abort(reason);
    await expect(run).rejects.toBe(reason);
    expect(await other).toHaveLength(1);
    expect(Atomics.load(running, 0)).toBe(3);
  });

  test("does not wait for the workers of another run", async () => {
    const running = new Int32Array(new SharedArrayBuffer(4));
    const first = new AbortController();
    const second = new AbortController();
    const spins = Array.from({ length: 3 }, () => spin.task({ running }));
    const busy = runTasks<unknown>(spins, { executor: pool, workers: 3, signal: first.signal });
    const queued = runTasks([draw.task({ label: "a" })], { executor: pool, signal: second.signal });
    second.abort(new Error("changed my mind"));
    await expect(queued).rejects.toThrow("changed my mind");
    first.abort(new Error("over"));
    await expect(busy).rejects.toThrow("over");
  });

  test.each(executors)("before the start runs nothing, $name", async ({ executor }) => {
    const running = new Int32Array(new SharedArrayBuffer(4));
    const signal = AbortSignal.abort(new Error("early"));
    const run = runTasks<unknown>([spin.task({ running })], { executor, signal });
    await expect(run).rejects.toThrow("early");
    expect(running[0]).toBe(0);
  });

  test("between tasks in this thread rejects with the reason", async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const run = runTasks(walks, {
      workers: 0,
      signal: stop.signal,
      onProgress: ({ done }) => {
        seen.push(done);
        if (done === 2) stop.abort(new Error("at two"));
      },
    });
    await expect(run).rejects.toThrow("at two");
    expect(seen).toEqual([1, 2]);
  });
});

describe("the end", () => {
  test("close ends what runs, with an error that says so, and what comes after is refused", async () => {
    const closing = new WorkerPool({ size: 1, entry: new URL("./worker.js", import.meta.url) });
    const running = new Int32Array(new SharedArrayBuffer(4));
    const spins = [spin.task({ running }), spin.task({ running })];
    const run = runTasks<unknown>(spins, { executor: closing });
    const refused = expect(run).rejects.toMatchObject({
      code: "worker",
      message: "runTasks: the pool was closed during the run",
    });
    while (Atomics.load(running, 0) < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await closing.close();
    await refused;
    const late = runTasks([draw.task({ label: "a" })], { executor: closing });
    await expect(late).rejects.toThrow("WorkerPool.run: needs an open pool");
  });

  test("a program that closes nothing ends by itself", async () => {
    const script = fileURLToPath(new URL("./leaves.js", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 20_000 });
    expect(stdout).toBe("2 results, 3 on lease");
  });

  test("an entry that does not load is a worker's death, with the cause", async () => {
    const broken = new WorkerPool({ entry: pathToFileURL("/no-such-file.js") });
    const run = runTasks([draw.task({ label: "a" })], { executor: broken });
    await expect(run).rejects.toMatchObject({
      code: "worker",
      message: expect.stringMatching(/task 0 \("draw"\) died: .*no-such-file/),
    });
  });
});
