import { join } from "node:path";
import { type Executor, RatewiseError } from "@ratewise/core";
import type { TaskData } from "@ratewise/core/parallel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClusterRun, readAttempts, type Store } from "../src/index.ts";
import { gated, poisoned, sum } from "./support/kinds.js";
import {
  attemptUnderWay,
  newGate,
  newStore,
  openRun,
  startWorker,
  temporaryFolder,
} from "./support/place.ts";
import { type PostgresServer, startPostgres } from "./support/postgres.ts";
import { isAlive, type Started, stop, until } from "./support/processes.ts";

const folder = temporaryFolder();
const place = temporaryFolder();
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(place);
}, 60_000);
afterAll(() => postgres.stop());

const numbers = (k: number): Float64Array => Float64Array.of(k, k + 1, k + 2);
const sums = [0, 1, 2, 3].map((k) => sum.task({ values: numbers(k) }));
const expectedSums = [0, 1, 2, 3].map((k) => ({ sum: 3 * k + 3 }));

const worker = (store: Store): Promise<Started> =>
  startWorker({ on: postgres.on, store, environment: postgres.environment });

function driver(store: Store, said: string[] = []): Promise<ClusterRun> {
  return openRun(postgres.on, store, {
    environment: { ...process.env, ...postgres.environment },
    say: (line) => said.push(line),
  });
}

function running(executor: Executor, tasks: readonly TaskData<unknown>[]): Promise<unknown[]> {
  const results = executor.run(tasks);
  results.catch(() => {});
  return results;
}

describe("PostgreSQL killed in mid-task", () => {
  test("and started again: nothing is lost, and the report says so", async () => {
    const store = newStore(folder);
    const gate = newGate(folder);
    const one = await worker(store);
    const said: string[] = [];
    const { run, executor, finish } = await driver(store, said);
    const held = gated.task({ value: 4, began: gate.began, gate: gate.gate });
    const results = running(executor, [held, ...sums]);
    await attemptUnderWay(store, run);
    const pid = postgres.pid();
    await postgres.kill();
    expect(isAlive(pid)).toBe(false);
    await until("the driver has noticed", () => said.some((line) => line.includes("is away")));
    gate.open();
    await postgres.restart();
    expect(await results).toEqual([Float64Array.of(4, 2), ...expectedSums]);
    const { events } = await finish({ outcome: "done" });
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["engine-away", "engine-back"]),
    );
    await stop(one);
  });

  test("connections that are cut are made again", async () => {
    const store = newStore(folder);
    const gate = newGate(folder);
    const one = await worker(store);
    const { run, executor, finish } = await driver(store);
    const held = gated.task({ value: 9, began: gate.began, gate: gate.gate });
    const results = running(executor, [held, ...sums]);
    await attemptUnderWay(store, run);
    expect(cutConnections()).toBeGreaterThanOrEqual(3);
    gate.open();
    expect(await results).toEqual([Float64Array.of(9, 3), ...expectedSums]);
    await finish({ outcome: "done" });
    await stop(one);
  });
});

/** Ends all connections but its own, as an administrator would. @returns how many */
function cutConnections(): number {
  return postgres.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user",
  ).length;
}

test("a worker behind PostgreSQL killed in mid-task loses its task to another", async () => {
  const store = newStore(folder);
  const gate = newGate(folder);
  const workers = [await worker(store), await worker(store)];
  const { run, executor, finish } = await driver(store);
  const held = gated.task({ value: 16, began: gate.began, gate: gate.gate });
  const results = running(executor, [held, ...sums]);
  const attempt = await attemptUnderWay(store, run);
  await stop(workers.find(({ child }) => child.pid === attempt.workerPid)!, "SIGKILL");
  expect(isAlive(attempt.workerPid)).toBe(false);
  gate.open();
  expect(await results).toEqual([Float64Array.of(16, 4), ...expectedSums]);
  const { retries, retried } = await finish({ outcome: "done" });
  expect(retries).toBeGreaterThanOrEqual(1);
  expect(retried[0].reasons[0]).toContain(`${attempt.worker} was cut off`);
  for (const one of workers) await stop(one);
});

test("a poisoned task behind PostgreSQL fails the run by name after its retries", async () => {
  const store = newStore(folder);
  const one = await worker(store);
  const { run, executor, finish } = await driver(store);
  const tasks = [...sums, poisoned.task({ antidote: join(folder, "none") })];
  const error = await executor.run<unknown>(tasks).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RatewiseError);
  expect((error as Error).message).toContain('task 4 ("test-poisoned")');
  expect((error as RatewiseError).details).toMatchObject({ attempts: 4 });
  await finish({ outcome: "failed" });
  const died = (await readAttempts(store, run)).filter(({ outcome }) => outcome === "died");
  expect(died).toHaveLength(4);
  await stop(one);
});
