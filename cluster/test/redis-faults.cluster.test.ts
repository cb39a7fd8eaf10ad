import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Executor, fold, keyFromSeed, RatewiseError, uniforms, version } from "@ratewise/core";
import type { TaskData } from "@ratewise/core/parallel";
import { Queue } from "bullmq";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderStore, readAttempts, readRefusals, runStatus, type Store } from "../src/index.ts";
import { gated, large, poisoned, sum } from "./support/kinds.js";
import {
  attemptUnderWay,
  logOf,
  newGate,
  newStore,
  openRun,
  startWorker,
  temporaryFolder,
} from "./support/place.ts";
import { isAlive, type Started, stop, until } from "./support/processes.ts";
import { type RedisServer, startRedis } from "./support/redis.ts";

const folder = temporaryFolder();
let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis(folder);
});
afterAll(() => redis.stop());

/** Ten sums, the third task held at a gate. */
function someTasks(gate: { began: string; gate: string }): TaskData<unknown>[] {
  const next = uniforms(fold(keyFromSeed(4), "values"));
  const sums = Array.from({ length: 9 }, () =>
    sum.task({ values: Float64Array.from({ length: 10_000 }, next) }),
  );
  const { began, gate: path } = gate;
  return [sums[0], sums[1], gated.task({ value: 2, began, gate: path }), ...sums.slice(2)];
}

/** What every run of them must give. */
async function expectedOf(tasks: readonly TaskData<unknown>[]): Promise<unknown[]> {
  return tasks.map(({ kind, payload }) =>
    kind === "test-gated"
      ? Float64Array.of(2, Math.SQRT2)
      : {
          sum: (payload as { values: Float64Array }).values.reduce(
            (total, value) => total + value,
            0,
          ),
        },
  );
}

const running = (executor: Executor, tasks: readonly TaskData<unknown>[]) => {
  const results = executor.run(tasks);
  results.catch(() => {});
  return results;
};

/** Two workers, one of them held up in mid-task. */
async function twoWorkers() {
  const store = newStore(folder);
  const gate = newGate(folder);
  const tasks = someTasks(gate);
  const workers = [
    await startWorker({ on: redis.on, store }),
    await startWorker({ on: redis.on, store }),
  ];
  const { run, executor, finish } = await openRun(redis.on, store);
  const results = running(executor, tasks);
  const attempt = await attemptUnderWay(store, run);
  return { store, gate, tasks, workers, run, executor, finish, results, attempt };
}

describe("a worker killed in mid-task", () => {
  test("is gone, its task is done by another, and the report says so", async () => {
    const { gate, tasks, workers, results, attempt, finish } = await twoWorkers();
    const victim = workers.find(({ child }) => child.pid === attempt.workerPid)!;
    await stop(victim, "SIGKILL");
    expect(isAlive(attempt.workerPid)).toBe(false);
    gate.open();
    expect(await results).toEqual(await expectedOf(tasks));
    const status = await finish({ outcome: "done" });
    expect(status.retries).toBeGreaterThanOrEqual(1);
    expect(status.retried[0]).toMatchObject({ id: attempt.id, kind: "test-gated" });
    expect(status.retried[0].reasons[0]).toContain(`${attempt.worker} was cut off`);
    for (const worker of workers) await stop(worker);
  });

  test("and only its process that runs the task: the same worker tries again", async () => {
    const store = newStore(folder);
    const gate = newGate(folder);
    const tasks = someTasks(gate);
    const worker = await startWorker({ on: redis.on, store });
    const { run, executor, finish } = await openRun(redis.on, store);
    const results = running(executor, tasks);
    const { taskPid } = await attemptUnderWay(store, run);
    await until("the task has begun", () => existsSync(gate.began));
    expect(Number(readFileSync(gate.began, "utf8"))).toBe(taskPid);
    process.kill(taskPid, "SIGKILL");
    await until("it is gone", () => !isAlive(taskPid));
    gate.open();
    expect(await results).toEqual(await expectedOf(tasks));
    const status = await finish({ outcome: "done" });
    expect(status.retries).toBe(1);
    expect(status.retried[0].reasons[0]).toContain("SIGKILL");
    await stop(worker);
  });
});

test("a worker that stalls loses its task to another; what it does afterwards changes nothing", async () => {
  const { store, gate, tasks, workers, run, executor, results, attempt, finish } =
    await twoWorkers();
  process.kill(attempt.workerPid, "SIGSTOP");
  process.kill(attempt.taskPid, "SIGSTOP");
  const second = await attemptUnderWay(store, run, 1);
  expect(second.worker).not.toBe(attempt.worker);
  gate.open();
  expect(await results).toEqual(await expectedOf(tasks));
  process.kill(attempt.taskPid, "SIGCONT");
  process.kill(attempt.workerPid, "SIGCONT");
  await until("the sleeper ends its attempt too", async () =>
    (await readAttempts(store, run)).every(({ outcome }) => outcome === "done"),
  );
  expect(await executor.run(tasks)).toEqual(await expectedOf(tasks));
  expect((await finish({ outcome: "done" })).retries).toBe(1);
  for (const worker of workers) await stop(worker);
});

describe("redis-server killed in mid-task", () => {
  test.each([
    ["and started again with its file", true],
    ["and started again empty", false],
  ])("%s: nothing is lost", async (_, keep) => {
    const place = join(folder, `redis-${keep}`);
    mkdirSync(place);
    const own = await startRedis(place, keep ? [] : ["--appendonly", "no"]);
    const store = newStore(folder);
    const gate = newGate(folder);
    const tasks = someTasks(gate);
    const worker = await startWorker({ on: own.on, store });
    const said: string[] = [];
    const { run, executor, finish } = await openRun(own.on, store, {
      say: (line) => said.push(line),
    });
    const results = running(executor, tasks);
    await attemptUnderWay(store, run);
    const pid = own.pid();
    expect(said.filter((line) => line.includes("is away"))).toEqual([]);
    await own.kill();
    expect(isAlive(pid)).toBe(false);
    await until("the driver has noticed", () => said.some((line) => line.includes("is away")));
    gate.open();
    await own.restart();
    expect(await results).toEqual(await expectedOf(tasks));
    const status = await finish({ outcome: "done" });
    expect(status.events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["engine-away", "engine-back"]),
    );
    if (!keep) expect(status.events.map(({ event }) => event)).toContain("given-out-again");
    await stop(worker);
    await own.stop();
  });
});

test("a driver that dies is taken up by another, which does nothing twice", async () => {
  const store = newStore(folder);
  const gate = newGate(folder);
  const tasks = someTasks(gate);
  const worker = await startWorker({ on: redis.on, store });
  const first = await openRun(redis.on, store);
  running(first.executor, tasks);
  await attemptUnderWay(store, first.run);
  await until(
    "the others are done",
    async () => (await runStatus(store, first.run)).tasks.done >= 2,
  );
  await first.executor.close(); // all that is left of a driver that died is what it wrote
  gate.open();
  const before = await readAttempts(store, first.run);
  const second = await openRun(redis.on, store, { resume: first.run });
  expect(second.run).toBe(first.run);
  expect(await second.executor.run(tasks)).toEqual(await expectedOf(tasks));
  const after = await readAttempts(store, first.run);
  const finished = before.filter(({ outcome }) => outcome === "done").map(({ id }) => id);
  for (const id of finished) expect(after.filter((attempt) => attempt.id === id)).toHaveLength(1);
  const status = await second.finish({ outcome: "done" });
  expect(status.tasks.found).toBeGreaterThanOrEqual(finished.length);
  expect(status.events.map(({ event }) => event)).toContain("resumed");
  await stop(worker);
});

test("a poisoned task fails the run by name after its retries; the rest is kept, and resume needs that one alone", async () => {
  const store = newStore(folder);
  const antidote = join(folder, "antidote");
  const gate = newGate(folder);
  gate.open();
  const healthy = someTasks(gate);
  const tasks = [...healthy.slice(0, 5), poisoned.task({ antidote }), ...healthy.slice(5)];
  const worker = await startWorker({ on: redis.on, store });
  const first = await openRun(redis.on, store);
  const error = await first.executor.run(tasks).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RatewiseError);
  const { message, details } = error as RatewiseError;
  expect(message).toContain('task 5 ("test-poisoned")');
  expect(message).toContain("after 4 attempts");
  expect(message).toContain(`ratewise resume ${first.run}`);
  expect(details).toMatchObject({ attempts: 4, task: { kind: "test-poisoned", index: 5 } });
  const failed = await first.finish({ outcome: "failed", message });
  expect([failed.state, failed.tasks.failed]).toEqual(["failed", 1]);
  expect(failed.tasks.done).toBeGreaterThanOrEqual(5);
  writeFileSync(antidote, "");
  const second = await openRun(redis.on, store, { resume: first.run });
  const results = await second.executor.run(tasks);
  const expected = await expectedOf(healthy);
  expect(results).toEqual([...expected.slice(0, 5), "cured", ...expected.slice(5)]);
  expect((await second.finish({ outcome: "done" })).state).toBe("done");
  await stop(worker);
});

describe("a worker's full disk", () => {
  const tiny = join(folder, "tiny");
  const view = join(folder, "view");
  const mount = (...words: string[]): void => void execFileSync("mount", words);
  beforeAll(() => {
    for (const path of [tiny, view]) mkdirSync(path);
    mount("-t", "tmpfs", "-o", "size=400k", "tmpfs", tiny);
    for (const name of ["cache", "upper", "work"]) mkdirSync(join(tiny, name));
  });
  afterAll(() => execFileSync("umount", [tiny]));

  test("of its own cache stops nothing, and is told of", async () => {
    const store = newStore(folder);
    const worker = await startWorker({ on: redis.on, store, cacheFolder: join(tiny, "cache") });
    const { executor, finish } = await openRun(redis.on, store);
    const values = Float64Array.from({ length: 100_000 }, (_, k) => k);
    expect(await executor.run([sum.task({ values })])).toEqual([{ sum: 4_999_950_000 }]);
    const notice = logOf(worker).find(({ event }) => event === "cache-full");
    expect(notice?.message).toContain("ENOSPC");
    await finish({ outcome: "done" });
    await stop(worker);
    rmSync(join(tiny, "cache"), { recursive: true });
  });

  test("of its results makes it leave, and another does its task", async () => {
    const store = newStore(folder);
    const { executor, finish } = await openRun(redis.on, store);
    // It sees the store through a disk of its own, which is full.
    const layers = `lowerdir=${store.location},upperdir=${tiny}/upper,workdir=${tiny}/work`;
    mount("-t", "overlay", "overlay", "-o", layers, view);
    try {
      const full = await startWorker({ on: redis.on, store: folderStore(view) });
      const results = executor.run([large.task({ value: 7 })]);
      await until("it has left", () => full.child.exitCode !== null);
      const left = logOf(full).find(({ event }) => event === "worker-ended");
      expect(left?.why).toContain("ENOSPC");
      const other = await startWorker({ on: redis.on, store });
      expect(await results).toEqual([new Float64Array(100_000).fill(7)]);
      const status = await finish({ outcome: "done" });
      expect(status.retries).toBe(1);
      expect(status.retried[0].reasons[0]).toContain("ENOSPC");
      await stop(other);
    } finally {
      execFileSync("umount", [view]);
    }
  });
});

describe("what is no task of ours", () => {
  let store: Store;
  let worker: Started;
  let queue: Queue;
  beforeAll(async () => {
    store = newStore(folder);
    worker = await startWorker({ on: redis.on, store });
    const { id } = JSON.parse(readFileSync(join(store.location, "store.json"), "utf8"));

    queue = new Queue(`ratewise-${id}-${version.replaceAll(".", "_")}`, {
      connection: { host: "127.0.0.1", port: redis.port },
    });
  });
  afterAll(async () => {
    await queue.close();
    await stop(worker);
  });
  const job = {
    format: 1,
    run: "0123456789ab",
    id: "a".repeat(64),
    kind: "test-sum",
    version,
  };

  test.each<[string, unknown, string]>([
    ["a stranger's job", { command: "rm -rf /" }, "unknown format"],
    ["a job that is no object", "rm -rf /", "no object"],
    ["a job with a path for an id", { ...job, id: "../../etc/passwd" }, "without an id"],
    ["a job with a path for a run", { ...job, run: "../../etc" }, "without a run"],
    ["a job of another version", { ...job, version: "9.9.9" }, 'version "9.9.9"'],
    ["a task that is not in the store", job, "is not in"],
  ])("%s runs nothing and is reported", async (_, data, reason) => {
    const before = (await readRefusals(store)).length;
    const added = await queue.add("anything", data, { attempts: 4 });
    const refusals = await until("it is refused", async () => {
      const all = await readRefusals(store);
      return all.length > before && all;
    });
    expect(refusals.at(-1)!.reason).toContain(reason);
    await until("it failed for good", async () => (await added.getState()) === "failed");
    expect((await readRefusals(store)).length).toBe(before + 1);
    expect(isAlive(worker.child.pid!)).toBe(true);
  });

  test("a task whose content is not what its id says does not run", async () => {
    const { serialize } = await import("node:v8");
    const forged = {
      value: { kind: "test-poisoned", payload: { antidote: "/nowhere" } },
      apart: [],
    };
    await store.put(`tasks/${"b".repeat(64)}`, serialize(forged));
    const before = (await readRefusals(store)).length;
    await queue.add("anything", { ...job, id: "b".repeat(64), kind: "test-poisoned" });
    const refusals = await until("it is refused", async () => {
      const all = await readRefusals(store);
      return all.length > before && all;
    });
    expect(refusals.at(-1)!.reason).toContain("is not what its id says");
  });
});
