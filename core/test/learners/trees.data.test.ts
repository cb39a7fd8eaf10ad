import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { forestLearner } from "../../src/learners/forest.ts";
import { boostingLearner, type Learner, type LearnerTask } from "../../src/learners/index.ts";
import { fromRows, type Matrix } from "../../src/linalg/index.ts";
import { selectRows } from "../../src/linalg/matrix.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, permutation } from "../../src/random/index.ts";

afterAll(closeWorkers);

const { RATEWISE_DATA: data, RATEWISE_REFERENCES: references } = process.env;
if (!data) throw new Error("RATEWISE_DATA is not set: it names the folder that holds tabular/");
if (!references)
  throw new Error("RATEWISE_REFERENCES is not set: it names the folder that holds baselines.json");

/** Mean and standard deviation over 5 seeds of scikit-learn's 5-fold scores. */
const baselines: Record<string, [mean: number, sd: number]> = JSON.parse(
  readFileSync(join(references, "baselines.json"), "utf8"),
).trees_cv_score_mean_sd;

interface Data {
  readonly X: Matrix;
  readonly y: Float64Array;
}

function read(name: string): Data {
  const lines = readFileSync(join(data!, "tabular", `${name}.csv`), "utf8")
    .trim()
    .split("\n");
  const rows = lines.slice(1).map((line) => line.split(","));
  const target = rows.map((row) => row[row.length - 1]);
  const classes = [...new Set(target)].sort();
  return {
    X: fromRows(rows.map((row) => row.slice(0, -1).map(Number))),
    y: Float64Array.from(target, (value) =>
      Number.isNaN(Number(value)) ? classes.indexOf(value) : Number(value),
    ),
  };
}

/** R², or the share of right classes. */
function score(task: LearnerTask, y: Float64Array, { data, cols }: Matrix): number {
  if (task.kind === "regression") {
    const mean = y.reduce((a, b) => a + b, 0) / y.length;
    const sum = (f: (i: number) => number) => y.reduce((s, value, i) => s + (value - f(i)) ** 2, 0);
    return 1 - sum((i) => data[i]) / sum(() => mean);
  }
  return y.filter((value, i) => Number(data[i * cols + 1] > 0.5) === value).length / y.length;
}

/** Mean over 5 seeds of the mean score of 5 folds. */
async function crossValidated(
  learner: Learner,
  task: LearnerTask,
  { X, y }: Data,
): Promise<number> {
  let total = 0;
  for (let seed = 0; seed < 5; seed++) {
    const key = fold(keyFromSeed(7), "seed", seed);
    const order = permutation(fold(key, "order"), X.rows);
    for (let k = 0; k < 5; k++) {
      const test = order.filter((_, i) => i % 5 === k);
      const train = order.filter((_, i) => i % 5 !== k);
      const pick = (rows: Uint32Array) => Float64Array.from(rows, (i) => y[i]);
      const own = fold(key, "fold", k);
      const model = await learner.fit(selectRows(X, train), pick(train), task, own);
      total += score(task, pick(test), learner.predict(model, selectRows(X, test))) / 25;
    }
  }
  return total;
}

const learners: Record<string, Learner> = {
  "random-forest": forestLearner({ trees: 200 }) as Learner,
  gbm: boostingLearner({ rounds: 200, maxDepth: 3, minLeaf: 1 }) as Learner,
  "hist-gbm": boostingLearner() as Learner,
};

describe.each([
  ["diabetes", { kind: "regression" } as const],
  ["breast-cancer", { kind: "classification", classes: 2 } as const],
] as const)("%s, 5 folds, 5 seeds, beside scikit-learn", (name, task) => {
  test.each(Object.keys(learners))(
    "%s",
    async (method) => {
      const [mean, sd] = baselines[`${name}/${method}`];
      const own = await crossValidated(learners[method], task, read(name));
      expect(own).toBeGreaterThan(mean - 2 * sd);
    },
    120_000,
  );
});
