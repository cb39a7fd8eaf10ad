import { afterEach, expect, test } from "vitest";
import { runCachedTasks } from "../../../src/explain/fit/cached-tasks.ts";
import { matrix } from "../../../src/linalg/index.ts";
import { type Executor, type TaskData, taskId, useExecutor } from "../../../src/parallel/index.ts";
import type { Progress } from "../../../src/run.ts";
import { taskKinds } from "../../../src/task-kinds.ts";

afterEach(() => useExecutor());

const columnBlock = taskKinds.find(({ kind }) => kind === "column-block")!;
const tasks = [1, 2, 3, 4].map((value) =>
  columnBlock.task({
    X: matrix(2, 1, Float64Array.of(0, value)),
    hidden: matrix(2, 1, Float64Array.of(0, 1)),
    engine: "plain",
  }),
);

/** XᵀCH is half of x₂ for these tables. */
const productOf = (result: unknown): number =>
  (result as { product: { data: Float64Array } }).product.data[0];

test("what is kept is not done again, and what is done is kept", async () => {
  const kept = new Map<string, unknown>([[taskId(tasks[1]), "kept"]]);
  const cache = {
    get: async (id: string) => kept.get(id),
    put: async (id: string, result: unknown) => void kept.set(id, result),
  };
  const results = await runCachedTasks(tasks, cache, { workers: 0 });
  expect(results[1]).toBe("kept");
  expect([0, 2, 3].map((k) => productOf(results[k]))).toEqual([0.5, 1.5, 2]);
  expect(tasks.map((task) => kept.get(taskId(task)))).toEqual(results);
});

test("tasks that run elsewhere go out in one call", async () => {
  const calls: (readonly TaskData[])[] = [];
  const elsewhere: Executor = {
    run: async (asked, { onProgress } = {}) => {
      calls.push(asked);
      onProgress?.({ phase: "fit", done: 1, total: asked.length, task: { index: 2, share: 1 } });
      return asked.map((task) => taskId(task)) as never[];
    },
    close: async () => {},
  };
  useExecutor(elsewhere);
  const put: string[] = [];
  const cache = {
    get: async (id: string) => (id === taskId(tasks[1]) ? "kept" : undefined),
    put: async (id: string) => void put.push(id),
  };
  const heard: Progress[] = [];
  const results = await runCachedTasks(tasks, cache, {
    workers: 2,
    onProgress: (event) => heard.push(event),
  });
  const missing = [tasks[0], tasks[2], tasks[3]];
  expect(calls).toEqual([missing]);
  const ids = missing.map((task) => taskId(task));
  expect(results).toEqual([ids[0], "kept", ids[1], ids[2]]);
  expect(put).toEqual(ids);
  expect(heard).toEqual([{ phase: "fit", done: 2, total: 4, task: { index: 3, share: 1 } }]);
});
