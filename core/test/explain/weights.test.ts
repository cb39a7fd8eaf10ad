import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Column, table } from "../../src/data/index.ts";
import { diagnosticOf } from "../../src/diagnostic.ts";
import { explain } from "../../src/explain/explain.ts";
import { likeliestClasses, predictRows, predictTable } from "../../src/explain/fit/model.ts";
import type { ExplainOptions } from "../../src/explain/options.ts";
import { prepare } from "../../src/explain/prepare/prepare.ts";
import { networkScore } from "../../src/explain/selection/score.ts";
import { matrix } from "../../src/linalg/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";

afterAll(closeWorkers);

const n = 300;
const next = normals(fold(keyFromSeed(11), "weights"));
const draw = () => Float64Array.from({ length: n }, next);
const [a, b] = [draw(), draw()];
const numbers = (name: string, values: ArrayLike<number>): Column => ({
  kind: "number",
  name,
  values: Float64Array.from(values),
});
/** Heavy rows follow a, light ones b. */
type Numbers = Extract<Column, { kind: "number" }>;
const heavy = Array.from({ length: n }, (_, i) => i % 3 === 0);
const w = numbers(
  "w",
  heavy.map((is, i) => (is ? 30 + (i % 2) : 0.5)),
);
const y = numbers(
  "y",
  heavy.map((is, i) => (is ? 2 * a[i] : 2 * b[i]) + 0.2 * next()),
);
const levels = ["never", "often", "seldom"];
const codes = Int32Array.from(a, (v, i) => (v + 0.3 * b[i] > 1.2 ? 1 : v > -0.5 ? 0 : 2));
const label: Column = { kind: "category", name: "label", levels, codes };
const source = table([numbers("a", a), numbers("b", b), w, y]);
const classes = table([numbers("a", a), numbers("b", b), w, label]);
const small = { hidden: [8, 4], seed: 3 } as const;
const ask = (options: Partial<ExplainOptions>) =>
  explain(source, { target: "y", ...small, ...options });
const askClasses = (options: Partial<ExplainOptions>) =>
  explain(classes, { target: "label", ...small, ...options });

describe("a column of weights", () => {
  let weighted: Awaited<ReturnType<typeof explain>>;
  beforeAll(async () => {
    weighted = await ask({ weights: "w" });
  });

  test("is no predictor, is told of, and decides what is learnt", async () => {
    const { document } = weighted;
    expect(document.excluded).toContainEqual({ name: "w", reason: "weighs the rows" });
    const note = diagnosticOf(document.diagnostics, "rows-weighted")!;
    expect(note.message).toMatch(/^Rows are weighted by "w", in training and in all scores/);
    const own = weighted.prepared.train.weights!;
    const sum = own.reduce((total, v) => total + v, 0);
    expect(note.rows).toBe(Math.round(sum ** 2 / own.reduce((total, v) => total + v * v, 0)));
    const plain = await ask({ exclude: ["w"] });
    const [ofA, ofB] = document.variables.map(({ direct }) => direct!.rate);
    const [plainA, plainB] = plain.document.variables.map(({ direct }) => direct!.rate);
    expect(ofA).toBeGreaterThan(5 * ofB);
    expect(plainA).toBeLessThan(plainB);
  });

  test("weighs the score on unseen rows and its baseline", () => {
    const { document, model, prepared } = weighted;
    // The same rows at once: in single precision, what stands beside a row moves its last digits.
    const predicted = predictRows(model, prepared.test.X);
    const rows = [...prepared.rows.test];
    const [mean, sd] = [predicted.mean!, predicted.sd!].map((own) => {
      const all = new Float64Array(n);
      rows.forEach((row, at) => {
        all[row] = own[at];
      });
      return all;
    });
    const value = (column: Column) => (i: number) => (column as Numbers).values[i];
    const [weight, truth] = [value(w), value(y)];
    const sum = (of: (i: number) => number, over = rows) =>
      over.reduce((total, i) => total + weight(i) * of(i), 0);
    const average = sum(truth) / sum(() => 1);
    const total = sum((i) => (truth(i) - average) ** 2);
    const { score, baseline } = document.model.heldOut;
    expect(score).toBeCloseTo(1 - sum((i) => (truth(i) - mean[i]) ** 2) / total, 10);
    const train = [...prepared.rows.train];
    const known = sum(truth, train) / sum(() => 1, train);
    expect(baseline).toBeCloseTo(1 - sum((i) => (truth(i) - known) ** 2) / total, 10);
    const [{ covered, level }] = document.calibration.intervals!;
    const inside = sum((i) => Number(Math.abs(truth(i) - mean[i]) <= 0.674489750196082 * sd[i]));
    expect(level).toBe(0.5);
    expect(covered).toBeCloseTo(inside / sum(() => 1), 6);
  });

  test("leaves out rows that weigh nothing, with a word", () => {
    const some = numbers(
      "w",
      heavy.map((is, i) => (i === 4 ? 0 : i === 5 ? Number.NaN : is ? 2 : 1)),
    );
    const {
      rows,
      diagnostics,
      train,
      test: held,
    } = prepare(table([numbers("a", a), numbers("b", b), some, y]), {
      key: keyFromSeed(1),
      target: "y",
      weights: "w",
    });
    const used = [...rows.train, ...rows.test];
    expect(used).toHaveLength(n - 2);
    expect(used).not.toContain(4);
    expect(diagnostics).toContainEqual({
      code: "weights-missing",
      severity: "note",
      message: "2 of 300 rows weigh 0 or have no weight, and are left out.",
      rows: 2,
    });
    expect([...train.weights!]).toEqual([...rows.train].map((i) => (heavy[i] ? 2 : 1)));
    expect(held.weights).toHaveLength(held.y.length);
  });

  test("goes to the workers of an ensemble, whose number changes nothing", async () => {
    const [one, two] = [
      await ask({ weights: "w", ensemble: 2, workers: 1 }),
      await ask({ weights: "w", ensemble: 2, workers: 2 }),
    ];
    expect(two.model.networks).toEqual(one.model.networks);
    const plain = await ask({ exclude: ["w"], ensemble: 2, workers: 1 });
    expect(plain.model.networks).not.toEqual(one.model.networks);
  });

  test("counts in last layers that are fitted anew, and in knockoffs", async () => {
    for (const posterior of ["laplace", "swag"] as const) {
      const { document } = await ask({ weights: "w", posterior });
      expect(document.model.heldOut.score).toBeGreaterThan(0.8);
    }
    const X = matrix(n, 2);
    a.forEach((value, i) => {
      X.data[2 * i] = value;
      X.data[2 * i + 1] = b[i];
    });
    const settings = { link: "identity", hidden: [8], recipe: "standard", members: 1 } as const;
    const [response, weights] = [y, w].map((column) => (column as Numbers).values);
    const score = (own: Partial<Parameters<typeof networkScore>[0]>) =>
      networkScore({ ...settings, measure: "direct", ...own })(X, response, keyFromSeed(1), {
        units: [[0], [1]],
      });
    const [plain, weighed] = [await score({}), await score({ weights })];
    expect(plain[1]).toBeGreaterThan(plain[0]);
    expect(weighed[0]).toBeGreaterThan(5 * weighed[1]);
    const knockoffs = await ask({ weights: "w", select: { fdr: 0.5, by: "knockoffs", draws: 1 } });
    expect(knockoffs.document.variables.map(({ selected }) => selected)).not.toContain(null);
    await expect(ask({ weights: "w", select: { fdr: 0.5, by: "permutation" } })).rejects.toThrow(
      "rows that count the same to permute responses",
    );
  });

  test("that cannot be is an error that says why", async () => {
    const bad = numbers(
      "bad",
      heavy.map((_, i) => (i === 6 ? -2 : 1)),
    );
    const wrong = table([...source.columns, bad, { ...label, name: "text" }]);
    const fails = (options: Partial<ExplainOptions>, message: string) =>
      expect(explain(wrong, { target: "y", ...small, ...options })).rejects.toThrow(message);
    await fails({ weights: "bad" }, 'not below 0, but "bad" is -2 in row 7');
    await fails({ weights: "text" }, 'column "text" holds texts');
    await fails({ weights: "y" }, 'the target "y" cannot also weigh the rows');
    await fails({ weights: "nowhere" }, 'no column "nowhere"');
    await fails({ weights: "w", model: "gp" }, "rows that count the same for a Gaussian process");
    await fails({ classWeights: "balanced" }, 'needs classes for classWeights, but "y" is numbers');
  });
});

describe("weights of classes", () => {
  const options = { key: keyFromSeed(1), target: "label", exclude: ["w"] } as const;

  test("that are balanced give every class the same sum over the training rows", () => {
    for (const weights of [undefined, "w"]) {
      const { train } = prepare(classes, {
        ...options,
        exclude: weights ? [] : ["w"],
        ...(weights && { weights }),
        classWeights: "balanced",
      });
      const sums = new Float64Array(3);
      train.y.forEach((c, i) => {
        sums[c] += train.weights![i];
      });
      expect(sums[1]).toBeCloseTo(sums[0], 9);
      expect(sums[2]).toBeCloseTo(sums[0], 9);
      expect(new Set(train.y.map((c) => train.y.filter((d) => d === c).length)).size).toBe(3);
    }
  });

  test("by name are as given, 1 for the others, times the column's", () => {
    const { train } = prepare(classes, {
      ...options,
      exclude: [],
      weights: "w",
      classWeights: { often: 4, never: 0.5 },
    });
    const { train: rows } = prepare(classes, { ...options, exclude: [], weights: "w" });
    const factor = [0.5, 4, 1]; // never, often, seldom
    expect([...train.weights!]).toEqual(
      [...rows.weights!].map((weight, i) => weight * factor[train.y[i]]),
    );
  });

  test("weigh the accuracy on unseen rows: balanced, the mean over the classes", async () => {
    const { document, model, prepared } = await askClasses({
      exclude: ["w"],
      classWeights: "balanced",
    });
    const named = likeliestClasses(predictTable(model, classes).probabilities!, 3);
    const { test: held, rows, train } = prepared;
    const count = (c: number, of: (i: number) => boolean = () => true) =>
      held.y.reduce((sum, label_, i) => sum + Number(label_ === c && of(i)), 0);
    const hits = [0, 1, 2].map((c) => count(c, (i) => named[rows.test[i]] === c));
    const inTraining = [0, 1, 2].map((c) => train.y.filter((d) => d === c).length);
    const weighed = (of: number[]) => of.reduce((sum, k, c) => sum + k / inTraining[c], 0);
    expect(document.model.heldOut.score).toBeCloseTo(
      weighed(hits) / weighed([0, 1, 2].map((c) => count(c))),
      10,
    );
    const note = diagnosticOf(document.diagnostics, "rows-weighted")!;
    expect(note.message).toContain("so that all classes count the same");
  });

  test("make a class be named more often, or less", async () => {
    const named = async (classWeights?: ExplainOptions["classWeights"]) => {
      const { model, prepared } = await askClasses({
        exclude: ["w"],
        ...(classWeights && { classWeights }),
      });
      const all = likeliestClasses(predictTable(model, classes).probabilities!, 3);
      return prepared.rows.test.reduce((sum, i) => sum + Number(all[i] === 1), 0);
    };
    const plain = await named();
    expect(await named({ often: 300 })).toBeGreaterThan(plain);
    expect(await named({ often: 1 / 300 })).toBeLessThan(plain);
  });

  test("of a class that is not there, or not above 0, are errors", () => {
    expect(() => prepare(classes, { ...options, classWeights: { oft: 2 } })).toThrow(
      'no class "oft" to weigh; the classes are never, often, seldom',
    );
    expect(() => prepare(classes, { ...options, classWeights: { often: 0 } })).toThrow(
      'above 0 for the class "often", got 0',
    );
  });
});
