import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "@ratewise/core";
import type { TaskData } from "@ratewise/core/parallel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cancelRun, runStatus, runText, serveStatus } from "../src/index.ts";
import { gated, sum } from "./support/kinds.js";
import {
  attemptUnderWay,
  logOf,
  newGate,
  newStore,
  openRun,
  startWorker,
  temporaryFolder,
} from "./support/place.ts";
import { isAlive, stop, until } from "./support/processes.ts";
import { type RedisServer, startRedis } from "./support/redis.ts";

const folder = temporaryFolder();
let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis(folder);
});
afterAll(() => redis.stop());

const tasks = [1, 2, 3].map((k) => sum.task({ values: Float64Array.of(k, k) }));
const expected = [2, 4, 6].map((total) => ({ sum: total }));

test("a run that is cancelled ends everywhere, keeps what is finished, and can be resumed", async () => {
  const store = newStore(folder);
  const gate = newGate(folder);
  const held = gated.task({ value: 4, began: gate.began, gate: gate.gate });
  const all: TaskData<unknown>[] = [...tasks, held];
  const worker = await startWorker({ on: redis.on, store });
  const first = await openRun(redis.on, store);
  const results = first.executor.run(all);
  results.catch(() => {});
  const { taskPid } = await attemptUnderWay(store, first.run);
  await until("the rest is done", async () => (await runStatus(store, first.run)).tasks.done === 3);
  const cancelled = await cancelRun(store, first.run, process.env);
  expect(cancelled.state).toBe("cancelled");
  await expect(results).rejects.toThrow(`run ${first.run} was cancelled`);
  await until("its task has ended", () => !isAlive(taskPid));
  const ended = await first.finish({ outcome: "failed", message: "the driver's own words" });
  expect([ended.state, ended.tasks.running]).toEqual(["cancelled", 0]);
  await expect(cancelRun(store, first.run, process.env)).rejects.toThrow(
    `run ${first.run} is already cancelled`,
  );
  const told = await until("the worker tells of it", () =>
    logOf(worker).find(({ event }) => event === "task-cancelled"),
  );
  expect(told).toMatchObject({ run: first.run, kind: "test-gated" });
  expect(logOf(worker).map(({ event }) => event)).not.toContain("task-died");
  gate.open();
  const second = await openRun(redis.on, store, { resume: first.run });
  expect(await second.executor.run(all)).toEqual([...expected, Float64Array.of(4, 2)]);
  const status = await second.finish({ outcome: "done" });
  expect([status.state, status.tasks.found]).toEqual(["done", 3]);
  expect(status.retried[0].reasons[0]).toMatch(/: the run was cancelled$/);
  await expect(cancelRun(store, first.run, process.env)).rejects.toThrow(
    `run ${first.run} is already done, so it cannot be cancelled`,
  );
  expect(status.events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["cancelled", "resumed"]),
  );
  await stop(worker);
});

test("a worker told to end finishes its task, whoever else hears the signal", async () => {
  const store = newStore(folder);
  const gate = newGate(folder);
  const worker = await startWorker({ on: redis.on, store });
  const { run, executor, finish } = await openRun(redis.on, store);
  const results = executor.run([gated.task({ value: 9, began: gate.began, gate: gate.gate })]);
  await until("the task has begun", () => existsSync(gate.began));
  const { taskPid, workerPid } = await attemptUnderWay(store, run);
  // As Ctrl-C does in a terminal, and Slurm at a time limit.
  for (const pid of [taskPid, workerPid]) process.kill(pid, "SIGTERM");
  gate.open();
  expect(await results).toEqual([Float64Array.of(9, 3)]);
  expect((await finish({ outcome: "done" })).retries).toBe(0);
  await until("the worker has ended", () => worker.child.exitCode !== null);
});

test("logs, status page and metrics tell of tasks, retries, bytes and workers", async () => {
  const store = newStore(folder);
  const worker = await startWorker({ on: redis.on, store });
  const { run, executor, finish } = await openRun(redis.on, store, {
    argv: ["explain", "<b>.csv"],
  });
  await executor.run(tasks);
  await finish({ outcome: "done" });
  const log = logOf(worker);
  expect(log[0]).toMatchObject({ event: "worker-began", version, store: store.location });
  const done = log.filter(({ event }) => event === "task-done");
  expect(done).toHaveLength(3);
  expect(done[0]).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    worker: expect.any(String),
    run,
    kind: "test-sum",
    task: expect.stringMatching(/^[0-9a-f]{12}$/),
    milliseconds: expect.any(Number),
    bytes: expect.any(Number),
  });
  const server = await serveStatus(store);
  try {
    const page = await (await fetch(server.address)).text();
    expect(page).toContain("ratewise explain &lt;b&gt;.csv");
    expect(page).toContain("3 of 3");
    expect(page).toContain("<title>ratewise: 1 run, 1 worker</title>");
    const metrics = await (await fetch(`${server.address}metrics`)).text();
    expect(metrics).toContain(`ratewise_tasks{run="${run}",state="done"} 3`);
    expect(metrics).toContain(`ratewise_task_retries_total{run="${run}"} 0`);
    expect(metrics).toMatch(
      new RegExp(`ratewise_bytes_total\\{run="${run}",of="results"\\} [1-9]`),
    );
    expect(metrics).toContain("ratewise_workers 1");
    const status = await (await fetch(`${server.address}status.json`)).json();
    expect(status).toMatchObject({ runs: [{ run, state: "done" }], workers: [{ alive: true }] });
    expect((await fetch(`${server.address}nothing`)).status).toBe(404);
    expect((await fetch(server.address, { method: "POST" })).status).toBe(405);
  } finally {
    await server.close();
  }
  await stop(worker);
});

test("bytes sent are those of the tasks' data, wherever they lay before; the same work is the same number", async () => {
  const store = newStore(folder);
  const worker = await startWorker({ on: redis.on, store });
  // Fractions: V8 writes a whole number in 4 or in 8 bytes, as it happens to hold it.
  const values = Float64Array.from({ length: 20_000 }, (_, k) => Math.sqrt(k));
  // The two share an array of 160 kB, which lies apart, and have small ones of their own.
  const two = [1, 2].map((k) => ({
    ...sum.task({ values }),
    payload: { values, own: Float64Array.of(k) },
  }));
  const bytesOf = async (): Promise<number[]> => {
    const { executor, finish } = await openRun(redis.on, store);
    await executor.run(two);
    const { bytes } = await finish({ outcome: "done" });
    return [bytes.payloads, bytes.results];
  };
  const first = await bytesOf();
  expect(first[0]).toBeGreaterThan(160_000);
  expect(first[0]).toBeLessThan(2 * 160_000);
  expect(await bytesOf()).toEqual([0, 0]); // found done: nothing is sent
  for (const name of await store.list("results")) await store.remove(name);
  expect(await store.list("blobs")).toHaveLength(1);
  expect(await bytesOf()).toEqual(first);
  await stop(worker);
});

test("a run whose driver vanished is stopped, and status says how to go on", async () => {
  const store = newStore(folder);
  const { run, finish } = await openRun(redis.on, store);
  expect((await runStatus(store, run)).state).toBe("running");
  const long = new Date(Date.now() - 600_000).toISOString();
  await store.put(
    `runs/${run}/driver.json`,
    new TextEncoder().encode(JSON.stringify({ host: "h", pid: 17, time: long })),
  );
  const status = await runStatus(store, run);
  expect(status.state).toBe("stopped");
  expect(runText(status)).toContain(
    `its driver (process 17 on h) was last seen 10 min ago; ratewise resume ${run} continues`,
  );
  await finish({ outcome: "failed" });
});

test("a driver hears of results and of progress from the queue, long before it would look", async () => {
  const store = newStore(folder);
  const worker = await startWorker({ on: redis.on, store });
  const said: string[] = [];
  const patient = {
    lookEvery: 60_000,
    inspectEvery: 60_000,
    say: (line: string) => said.push(line),
  };
  const { executor, finish } = await openRun(redis.on, store, patient);
  const heard: number[] = [];
  const began = performance.now();
  await executor.run(tasks, { onProgress: ({ done }) => heard.push(done) });
  expect(performance.now() - began).toBeLessThan(50_000);
  expect(heard.at(-1)).toBe(3);
  expect(said.filter((line) => line.includes("away"))).toEqual([]);
  const { events } = await finish({ outcome: "done" });
  expect(events).toEqual([]);
  await stop(worker);
});

test("a driver without workers of its version says so", async () => {
  const store = newStore(folder);
  const old = {
    worker: "old",
    host: "h",
    pid: 1,
    on: redis.on,
    version: "0.0.1",
    workers: 1,
    running: [],
    done: 0,
    failed: 0,
    bytes: 0,
  };
  await store.put(
    "workers/old.json",
    new TextEncoder().encode(JSON.stringify({ ...old, time: new Date().toISOString() })),
  );
  const said: string[] = [];
  const { finish } = await openRun(redis.on, store, { say: (line) => said.push(line) });
  const line = await until("it says so", () => said.find((text) => text.includes("no worker")));
  expect(line).toContain(`have version 0.0.1; this is ${version}`);
  expect(line).toContain(`ratewise worker --on ${redis.on} --store ${store.location}`);
  expect(line).toContain("check that its --store is the same");
  await finish({ outcome: "failed" });
});

test("a run is resumed by the version that began it alone", async () => {
  const store = newStore(folder);
  const { run, finish } = await openRun(redis.on, store);
  await finish({ outcome: "failed" });
  const path = join(store.location, "runs", run, "run.json");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(`"version":"${version}"`, '"version":"0.0.1"'),
  );
  await expect(openRun(redis.on, store, { resume: run })).rejects.toThrow(
    "started by version 0.0.1",
  );
});

test("an address where nobody answers is told of at once", async () => {
  await expect(openRun("redis://127.0.0.1:1", newStore(folder))).rejects.toThrow(
    "redis://127.0.0.1:1: nobody answers there (ECONNREFUSED)",
  );
});
