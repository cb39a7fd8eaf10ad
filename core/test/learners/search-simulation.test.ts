import { afterAll, expect, test } from "vitest";
import { boostingLearner, learnerFrom, searchSettings } from "../../src/learners/index.ts";
import { predictionScore } from "../../src/learners/search-score.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed } from "../../src/random/index.ts";
import { causalLabels, simulate, simulateMoreRows } from "../../src/simulate/index.ts";

afterAll(closeWorkers);
const task = { kind: "regression" } as const;

test("on the paper's simulation a searched boosting predicts new rows better than the defaults, on every data set", async () => {
  for (const seed of [1, 2]) {
    const key = fold(keyFromSeed(seed), "simulation");
    const { X, y, truth } = simulate({ key, rows: 500 });
    const fresh = simulateMoreRows(truth, 2000, fold(key, "fresh"));
    const search = await searchSettings("boosting", X, y, { key, task, candidates: 5, folds: 2 });
    const score = async (learner: ReturnType<typeof learnerFrom>) => {
      const model = await learner.fit(X, y, task, key);
      const predicted = learner.predict(model, fresh.X);
      return {
        r2: predictionScore(predicted, fresh.y, task),
        importance: learner.importance!(model),
      };
    };
    const searched = await score(learnerFrom(search.setup));
    const defaults = await score(boostingLearner() as ReturnType<typeof learnerFrom>);
    expect(search.best).toBeGreaterThan(0);
    expect(searched.r2).toBeGreaterThan(defaults.r2 + 0.02);
    // The additive causes are found: the mean importance of causal columns is well above that of the others.
    const causal = causalLabels(truth);
    const mean = (wanted: number) => {
      const of = [...searched.importance].filter((_, j) => causal[j] === wanted);
      return of.reduce((a, b) => a + b, 0) / of.length;
    };
    expect(mean(1)).toBeGreaterThan(2 * mean(0));
  }
});
