import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RatewiseError } from "@ratewise/core";
import type { TaskData } from "@ratewise/core/parallel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runStatus } from "../src/index.ts";
import { gated, poisoned, sum } from "./support/kinds.js";
import { attemptUnderWay, newGate, newStore, openRun, temporaryFolder } from "./support/place.ts";
import { isAlive, until } from "./support/processes.ts";
import { startRedis } from "./support/redis.ts";
import { type SlurmCluster, startSlurm } from "./support/slurm.ts";

const folder = temporaryFolder();
const slurmFolder = temporaryFolder();
const entry = new URL("./support/task-process.js", import.meta.url);
let slurm: SlurmCluster;
beforeAll(async () => {
  slurm = await startSlurm(slurmFolder);
  Object.assign(process.env, slurm.environment);
}, 60_000);
afterAll(async () => {
  await slurm.stop();
  delete process.env.SLURM_CONF;
});

const numbers = (k: number): Float64Array =>
  Float64Array.from({ length: 100 }, (_, i) => (i + k) / 7);
const sums: TaskData<unknown>[] = [0, 1, 2].map((k) => sum.task({ values: numbers(k) }));
const expected = [0, 1, 2].map((k) => ({
  sum: numbers(k).reduce((total, value) => total + value, 0),
}));

test("a Slurm task killed in mid-task is tried again by its element", async () => {
  const store = newStore(folder);
  const gate = newGate(folder);
  const { run, executor, finish } = await openRun("slurm", store, { entry });
  const results = executor.run<unknown>([
    ...sums,
    gated.task({ value: 9, began: gate.began, gate: gate.gate }),
  ]);
  await until("the task has begun", () => existsSync(gate.began));
  const { taskPid } = await attemptUnderWay(store, run);
  process.kill(taskPid, "SIGKILL");
  await until("it is gone", () => !isAlive(taskPid));
  gate.open();
  expect(await results).toEqual([...expected, Float64Array.of(9, 3)]);
  const status = await finish({ outcome: "done" });
  expect(status.retries).toBe(1);
  expect(status.retried[0].reasons[0]).toContain("SIGKILL");
});

test("an element killed with its task is begun again by its script", async () => {
  const store = newStore(folder);
  const gate = newGate(folder);
  const { run, executor, finish } = await openRun("slurm", store, { entry });
  const results = executor.run<unknown>([
    gated.task({ value: 16, began: gate.began, gate: gate.gate }),
    ...sums,
  ]);
  await until("the task has begun", () => existsSync(gate.began));
  const { workerPid, worker } = await attemptUnderWay(store, run);
  process.kill(workerPid, "SIGKILL");
  await until("it is gone", () => !isAlive(workerPid));
  gate.open();
  expect(await results).toEqual([Float64Array.of(16, 4), ...expected]);
  const status = await finish({ outcome: "done" });
  expect(status.retries).toBeGreaterThanOrEqual(1);
  expect(status.retried[0].reasons).toContain(
    `${worker} was cut off: it showed no further sign of life`,
  );
});

test("an array that Slurm has forgotten is submitted again", async () => {
  const store = newStore(folder);
  const gate = newGate(folder);
  const { run, executor, finish } = await openRun("slurm", store, { entry });
  const results = executor.run<unknown>([
    gated.task({ value: 25, began: gate.began, gate: gate.gate }),
  ]);
  await until("the task has begun", () => existsSync(gate.began));
  const { execFileSync } = await import("node:child_process");
  execFileSync("scancel", ["--signal=KILL", "--full", `--name=ratewise-${run}`]);
  execFileSync("scancel", [`--name=ratewise-${run}`]);
  gate.open();
  expect(await results).toEqual([Float64Array.of(25, 5)]);
  const status = await finish({ outcome: "done" });
  expect(status.events.map(({ event }) => event)).toContain("given-out-again");
});

test("a poisoned task fails the run by name; resume needs that one alone", async () => {
  const store = newStore(folder);
  const antidote = join(folder, "antidote");
  const tasks: TaskData<unknown>[] = [...sums, poisoned.task({ antidote })];
  const first = await openRun("slurm", store, { entry, tasksPerElement: 2 });
  const error = await first.executor.run(tasks).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RatewiseError);
  expect((error as Error).message).toContain('task 3 ("test-poisoned")');
  expect((error as RatewiseError).details).toMatchObject({ attempts: 4 });
  await first.finish({ outcome: "failed", message: (error as Error).message });
  writeFileSync(antidote, "");
  const second = await openRun("slurm", store, { entry, resume: first.run });
  expect(await second.executor.run(tasks)).toEqual([...expected, "cured"]);
  const status = await second.finish({ outcome: "done" });
  expect(status.tasks.found).toBe(3);
});

test("pilots are workers of a queue that Slurm starts", async () => {
  const { submitPilots } = await import("../src/index.ts");
  const redis = await startRedis(folder);
  const store = newStore(folder);
  const program = new URL("./support/worker.js", import.meta.url).pathname;
  const settings = JSON.stringify({
    on: redis.on,
    store: store.location,
    workers: 1,
    lock: 2000,
    idle: 2000,
  });
  const job = await submitPilots(store, 2, [process.execPath, program, settings], 2);
  expect(job).toMatch(/^\d+$/);
  const { execFileSync } = await import("node:child_process");
  const shown = execFileSync("scontrol", ["show", "job", job], { encoding: "utf8" });
  expect(shown).toContain("CPUs/Task=2");
  const { run, executor, finish } = await openRun(redis.on, store);
  expect(await executor.run(sums)).toEqual(expected);
  await finish({ outcome: "done" });
  expect((await runStatus(store, run)).tasks.done).toBe(3);
  await until("the pilots have ended", () => {
    const left = execFileSync("squeue", ["--noheader", "--jobs", job], { encoding: "utf8" });
    return left.trim() === "";
  });
  await redis.stop();
});
