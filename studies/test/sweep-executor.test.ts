import { type Executor, engine, useExecutor } from "@ratewise/core";
import type { TaskData } from "@ratewise/core/parallel";
import { afterEach, expect, test } from "vitest";
import { openSweep } from "../src/sweep-executor.ts";

afterEach(() => useExecutor());

test("cells go where the command's tasks go, with the driver's engine, and leave it open", async () => {
  const asked: TaskData[] = [];
  let closed = false;
  const elsewhere: Executor = {
    run: async (tasks) => {
      asked.push(...tasks);
      return tasks.map(() => "done") as never[];
    },
    close: async () => {
      closed = true;
    },
  };
  useExecutor(elsewhere);
  const sweep = await openSweep({ on: "local", store: undefined, workers: 2 });
  const task = { kind: "simulation-cell", payload: { rows: 10 } };
  expect(await sweep.run([task])).toEqual(["done"]);
  await sweep.close();
  expect(asked).toEqual([{ ...task, payload: { rows: 10, engine: engine().name } }]);
  expect(closed).toBe(false);
});

test("a place of its own needs a store", async () => {
  delete process.env.RATEWISE_STORE;
  const place = { on: "redis://127.0.0.1:1", store: undefined, workers: 1 };
  await expect(openSweep(place)).rejects.toThrow("--on needs --store");
});
