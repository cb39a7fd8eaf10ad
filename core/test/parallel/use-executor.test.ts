import { afterEach, describe, expect, test } from "vitest";
import { RatewiseError } from "../../src/errors.ts";
import * as parallel from "../../src/parallel/index.ts";
import {
  type ExecuteOptions,
  type Executor,
  executorInUse,
  runTasks,
  type TaskData,
  useExecutor,
} from "../../src/parallel/index.ts";
import * as random from "../../src/random/index.ts";
import { taskKinds } from "../../src/task-kinds.ts";
import { defineTestTasks } from "./tasks.js";

const core = { ...parallel, ...random, RatewiseError };
const { walk } = defineTestTasks(core);
const task = walk.task({ key: core.keyFromSeed(1), steps: 5 });

/** Hands out the number of tasks it was given. */
function counting(): Executor & { readonly asked: { tasks: number; options: ExecuteOptions }[] } {
  const asked: { tasks: number; options: ExecuteOptions }[] = [];
  return {
    asked,
    run: async <Result>(tasks: readonly TaskData<Result>[], options: ExecuteOptions = {}) => {
      asked.push({ tasks: tasks.length, options });
      return tasks.map(() => asked.length as Result);
    },
    close: async () => {},
  };
}

afterEach(() => useExecutor());

describe("an executor in use", () => {
  test("gets the tasks of the process with their options, and only while it is in use", async () => {
    const executor = counting();
    useExecutor(executor);
    expect(executorInUse()).toBe(executor);
    const { signal } = new AbortController();
    expect(await runTasks([task, task], { workers: 3, signal })).toEqual([1, 1]);
    expect(executor.asked).toEqual([{ tasks: 2, options: { workers: 3, signal } }]);
    useExecutor();
    expect(executorInUse()).toBeUndefined();
    expect(await runTasks([task], { workers: 0 })).toMatchObject([
      { path: expect.any(Float64Array) },
    ]);
    expect(executor.asked).toHaveLength(1);
  });

  test("does not get tasks for which this thread was asked, nor those meant for another", async () => {
    const [executor, other] = [counting(), counting()];
    useExecutor(executor);
    expect(await runTasks([task], { workers: 0 })).toMatchObject([
      { path: expect.any(Float64Array) },
    ]);
    expect(await runTasks([task], { executor: other })).toEqual([1]);
    expect([executor.asked.length, other.asked.length]).toEqual([0, 1]);
  });

  test("is not asked for a kind that is not defined", async () => {
    const executor = counting();
    useExecutor(executor);
    await expect(runTasks([{ kind: "no-such-kind", payload: null }])).rejects.toThrow(
      "needs a defined kind",
    );
    expect(executor.asked).toEqual([]);
  });
});

test("the closed list names every kind once", () => {
  const names = taskKinds.map(({ kind }) => kind);
  expect(names).toEqual(expect.arrayContaining(["fit-member", "search-fold", "column-block"]));
  expect(new Set(names).size).toBe(names.length);
});
