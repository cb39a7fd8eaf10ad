import { join } from "node:path";
import { RatewiseError } from "@ratewise/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAttempts } from "../src/index.ts";
import { engineInUse } from "./support/kinds.js";
import { logOf, newStore, openRun, startWorker, temporaryFolder } from "./support/place.ts";
import { stop } from "./support/processes.ts";
import { type RedisServer, startRedis } from "./support/redis.ts";

const folder = temporaryFolder();
let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis(folder);
});
afterAll(() => redis.stop());

/** As on a machine without OpenBLAS. */
const withoutLibrary = { RATEWISE_OPENBLAS: join(folder, "nowhere.so") };
const nativeTasks = [1, 2, 3, 4].map((k) => engineInUse.task({ engine: "native", k }));

test("a task runs on the driver's engine, the system's library included", async () => {
  const store = newStore(folder);
  const worker = await startWorker({ on: redis.on, store });
  const { executor, finish } = await openRun(redis.on, store);
  const tasks = ["plain", "native", "naive", "plain"].map((engine, k) =>
    engineInUse.task({ engine, k }),
  );
  expect(await executor.run(tasks)).toEqual(["plain", "native", "naive", "plain"]);
  await finish({ outcome: "done" });
  await stop(worker);
});

test("a worker without the engine is named, and leaves its tasks to one that has it", async () => {
  const store = newStore(folder);
  const poor = await startWorker({ on: redis.on, store, environment: withoutLibrary });
  const rich = await startWorker({ on: redis.on, store });
  const { worker: name } = logOf(poor)[0] as { worker: string };
  const said: string[] = [];
  const { run, executor, finish } = await openRun(redis.on, store, {
    say: (line) => said.push(line),
  });
  expect(await executor.run(nativeTasks)).toEqual(nativeTasks.map(() => "native"));
  expect(said).toContainEqual(
    expect.stringMatching(new RegExp(`^worker ${name} has no engine "native" \\(it has naive, `)),
  );
  expect((await readAttempts(store, run)).map(({ worker }) => worker)).not.toContain(name);
  const { retries, events } = await finish({ outcome: "done" });
  expect(retries).toBe(0);
  expect(events.map(({ event }) => event)).toContain("engine-missing");
  await stop(poor);
  await stop(rich);
});

test("where no worker has the engine the run ends, with their names", async () => {
  const store = newStore(folder);
  const { executor, finish } = await openRun(redis.on, store);
  const results = executor.run(nativeTasks).catch((error: unknown) => error);
  const poor = await startWorker({ on: redis.on, store, environment: withoutLibrary });
  const error = await results;
  const { worker: name } = logOf(poor)[0] as { worker: string };
  expect(error).toBeInstanceOf(RatewiseError);
  expect((error as Error).message).toContain(
    `needs a worker with the engine "native", got ${name} (naive, `,
  );
  expect((error as RatewiseError).details).toMatchObject({ engine: "native", workers: [name] });
  await finish({ outcome: "failed" });
  await stop(poor);
});
