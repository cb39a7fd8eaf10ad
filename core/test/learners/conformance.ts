import { describe, expect, test } from "vitest";
import type { Learner, LearnerTask } from "../../src/learners/index.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { selectColumns } from "../../src/linalg/matrix.ts";
import { fold, keyFromSeed, normals, permutation } from "../../src/random/index.ts";
import type { Progress } from "../../src/run.ts";

export interface Conformance {
  /** What the learner can do. */
  readonly tasks: readonly LearnerTask[];
  /**
   * How far importance may move when columns are permuted, relative to the greatest; 0: not at all. More
   * than 0 only where sums over columns are taken in their order.
   */
  readonly permutationTolerance?: number;
}

const key = keyFromSeed(5);
const [n, p] = [240, 6];
const names = ["b", "f", "a", "e", "c", "d"];

/** The first column decides, the last is constant, the others are noise. */
function example(task: LearnerTask): { readonly X: Matrix; readonly y: Float64Array } {
  const next = normals(fold(key, "example"));
  const X = matrix(n, p);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < p; j++) X.data[i * p + j] = j === p - 1 ? 3 : next();
  const y = new Float64Array(n).map((_, i) => {
    const signal = 2 * X.data[i * p] + 0.3 * next();
    if (task.kind === "regression") return signal;
    return task.classes === 2 ? Number(signal > 0) : signal < -1 ? 0 : signal < 1 ? 1 : 2;
  });
  return { X, y };
}

const meanOf = (values: Float64Array): number => values.reduce((a, b) => a + b, 0) / values.length;

/** What every learner has to keep to, whatever it learns with. */
export function conforms<Model>(learner: Learner<Model>, options: Conformance): void {
  const { tasks, permutationTolerance = 0 } = options;
  describe.each(tasks)(`${learner.name} conforms: $kind $classes`, (task) => {
    const { X, y } = example(task);
    const fitted = learner.fit(X, y, task, key, { names, workers: 0 });

    test("it predicts the rows it learned from better than a constant", async () => {
      const out = learner.predict(await fitted, X);
      if (task.kind === "regression") {
        expect([out.rows, out.cols]).toEqual([n, 1]);
        const mean = meanOf(y);
        const error = (f: (i: number) => number) => meanOf(y.map((v, i) => (v - f(i)) ** 2));
        expect(error((i) => out.data[i])).toBeLessThan(0.3 * error(() => mean));
        return;
      }
      const { classes } = task;
      expect([out.rows, out.cols]).toEqual([n, classes]);
      let right = 0;
      for (let i = 0; i < n; i++) {
        const row = out.data.subarray(i * classes, (i + 1) * classes);
        expect(Math.abs(row.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(1e-12);
        if (row.indexOf(Math.max(...row)) === y[i]) right++;
      }
      expect(right / n).toBeGreaterThan(0.75);
    });

    test("it leaves its input alone and learns the same from it again", async () => {
      const [before, targets] = [X.data.slice(), y.slice()];
      const again = await learner.fit(X, y, task, key, { names, workers: 0 });
      expect(X.data).toEqual(before);
      expect(y).toEqual(targets);
      expect(again).toEqual(await fitted);
    });

    test("the model is plain data", async () => {
      const model = await fitted;
      const copy = structuredClone(model);
      expect(learner.predict(copy, X).data).toEqual(learner.predict(model, X).data);
    });

    test("any number of workers learns the same", async () => {
      for (const workers of [1, 2, 3])
        expect(await learner.fit(X, y, task, key, { names, workers })).toEqual(await fitted);
    });

    test("permuting named columns permutes importance and moves no prediction", async () => {
      const order = [...permutation(fold(key, "columns"), p)];
      expect(order).not.toEqual([...order.keys()]);
      const permuted = selectColumns(X, order);
      const model = await learner.fit(permuted, y, task, key, {
        names: order.map((j) => names[j]),
        workers: 0,
      });
      const own = learner.predict(await fitted, X).data;
      const other = learner.predict(model, permuted).data;
      const scale = Math.max(...own.map(Math.abs));
      for (let i = 0; i < own.length; i++)
        expect(Math.abs(own[i] - other[i])).toBeLessThanOrEqual(permutationTolerance * scale);
      if (!learner.importance) return;
      const scores = learner.importance(await fitted);
      const moved = learner.importance(model);
      const most = Math.max(...scores);
      order.forEach((j, k) => {
        expect(Math.abs(moved[k] - scores[j])).toBeLessThanOrEqual(permutationTolerance * most);
      });
    });

    test("the deciding column is important, noise little, and a constant column not at all", async () => {
      if (!learner.importance) return;
      const scores = learner.importance(await fitted);
      expect(scores).toHaveLength(p);
      expect(scores[p - 1]).toBe(0);
      for (let j = 1; j < p - 1; j++) expect(Math.abs(scores[j])).toBeLessThan(0.3 * scores[0]);
    });

    test("it reports progress to the end and hears an abort", async () => {
      const events: Progress[] = [];
      const onProgress = (event: Progress) => void events.push(event);
      await learner.fit(X, y, task, key, { workers: 0, onProgress });
      const last = events.at(-1);
      expect(last?.done).toBe(last?.total);
      const reason = new Error("enough");
      const signal = AbortSignal.abort(reason);
      await expect(learner.fit(X, y, task, key, { workers: 0, signal })).rejects.toBe(reason);
    });

    test("targets it cannot learn from are refused in words", async () => {
      const wrong = y.slice();
      wrong[7] = Number.NaN;
      const fit = (target: Float64Array) => learner.fit(X, target, task, key, { workers: 0 });
      await expect(fit(wrong)).rejects.toThrow(/needs .* got NaN in row 7/);
      await expect(fit(y.subarray(1))).rejects.toMatchObject({ code: "shape" });
      if (task.kind === "classification")
        await expect(fit(new Float64Array(n))).rejects.toThrow(
          /needs .*2 classes, got only class 0/,
        );
    });
  });
}
