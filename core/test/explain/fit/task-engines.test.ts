import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { engine, registerEngine, useEngine, withEngine } from "../../../src/compute/index.ts";
import type { EffectSizes } from "../../../src/effects/index.ts";
import { columnBlock } from "../../../src/explain/fit/column-blocks.ts";
import { effectsOfColumnBlocks } from "../../../src/explain/index.ts";
import { crossValidateGroupLasso } from "../../../src/learners/group-lasso-cross-validation.ts";
import { searchSettings } from "../../../src/learners/index.ts";
import { matrix } from "../../../src/linalg/index.ts";
import { closeWorkers, runTasks } from "../../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../../src/random/index.ts";

const best = engine();
beforeAll(() => registerEngine("foreign", () => ({ ...best, name: "foreign" })));
afterEach(() => void useEngine(best.name));
afterAll(closeWorkers);

const next = normals(fold(keyFromSeed(8), "rows"));
const [n, p] = [90, 6];
const X = matrix(n, p, Float64Array.from({ length: n * p }, next));
const y = Float64Array.from({ length: n }, (_, i) => X.data[p * i] + 0.5 * next());
const groups = [
  [0, 1, 2],
  [3, 4, 5],
];

test("withEngine goes back to the engine before, whatever happens", async () => {
  useEngine("plain");
  expect(await withEngine("naive", () => engine().name)).toBe("naive");
  expect(engine().name).toBe("plain");
  const failing = withEngine("naive", async () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(engine().name).toBe("plain");
});

test("with an engine that threads do not have, a search trains on our own kernels, as it would without", async () => {
  const search = () =>
    searchSettings("boosting", X, y, {
      key: keyFromSeed(1),
      task: { kind: "regression" },
      candidates: 2,
      folds: 2,
      workers: 2,
    });
  const expected = await search();
  useEngine("foreign");
  expect(await search()).toEqual(expected);
});

test.each(["plain", "foreign"])(
  "folds of the group lasso have the driver's engine (%s) on threads",
  async (name) => {
    useEngine(name);
    const validate = (workers: number) =>
      crossValidateGroupLasso(X, y, { key: keyFromSeed(2), groups, folds: 3, workers });
    expect(await validate(2)).toEqual(await validate(0));
  },
);

test("blocks of columns stay in this thread with an engine that threads do not have", async () => {
  const hidden = matrix(n, 2, Float64Array.from({ length: 2 * n }, next));
  const weights = { mean: Float64Array.of(1, 2), covariance: Float64Array.of(1, 1) };
  const effects = (): Promise<EffectSizes> =>
    effectsOfColumnBlocks([X], hidden, weights, { workers: 1 });
  const expected = await effects();
  useEngine("foreign");
  expect(await effects()).toEqual(expected);
  const asked = runTasks([columnBlock.task({ X, hidden, engine: "foreign" })], { workers: 1 });
  await expect(asked).rejects.toThrow('no engine "foreign" on this machine');
});
