import { describe, expect, test } from "vitest";
import { modelDiagnostics, unseenClasses } from "../../../src/explain/answer/model-diagnostics.ts";
import { networkNotes } from "../../../src/explain/answer/network-notes.ts";
import { heldOutScore } from "../../../src/explain/fit/held-out.ts";
import { hasLearnt, modelScores } from "../../../src/explain/fit/model-scores.ts";
import { naivePredictions, type Unseen } from "../../../src/explain/fit/unseen.ts";
import type { Prepared } from "../../../src/explain/prepare/prepared.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../../src/random/index.ts";
import { expectClose } from "../../support/close.ts";

const codes = (unseen: Unseen, classes: readonly string[] | null) =>
  modelDiagnostics(modelScores(unseen, classes)).map(({ code }) => code);

const numbers = (mean: Float64Array, y: Float64Array): Unseen => ({
  rows: Uint32Array.from(y, (_, i) => i),
  y,
  prediction: { mean, sd: mean, probabilities: null },
  naive: new Float64Array(y.length),
});

/** Two classes, the second in about `share` of the rows; `signal` of the logit is known to the model. */
function two(seed: number, n: number, share: number, signal: number, noise = 0): Unseen {
  const key = fold(keyFromSeed(seed), n);
  const next = normals(key);
  const uniform = uniforms(fold(key, "came"));
  const y = new Float64Array(n);
  const probabilities = new Float64Array(2 * n);
  const base = Math.log(share / (1 - share));
  for (let i = 0; i < n; i++) {
    const logit = base + signal * next();
    y[i] = Number(uniform() < 1 / (1 + Math.exp(-logit)));
    const told = 1 / (1 + Math.exp(-(logit + noise * next())));
    probabilities.set([1 - told, told], 2 * i);
  }
  return {
    rows: Uint32Array.from(y, (_, i) => i),
    y,
    prediction: { mean: null, sd: null, probabilities },
    naive: Float64Array.from({ length: 2 * n }, (_, e) => (e % 2 === 1 ? share : 1 - share)),
  };
}
const classes = ["no", "yes"];

describe("numbers", () => {
  const next = normals(keyFromSeed(1));
  const y = Float64Array.from({ length: 400 }, next);
  const off = (noise: number) =>
    numbers(
      y.map((value) => value + noise * next()),
      y,
    );

  test("a score that is too good is doubted, a good one is not, and one of nothing is told", () => {
    expect(codes(off(0.02), null)).toEqual(["model-predicts-perfectly"]);
    expect(codes(off(0.1), null)).toEqual([]);
    expect(codes(numbers(new Float64Array(400), y), null)).toEqual(["model-predicts-poorly"]);
  });

  test("errors are in the unit of the target, and the interval is about R²", () => {
    const scores = modelScores(
      numbers(
        y.map((value) => 10 * value + 3),
        y.map((v) => 10 * v),
      ),
      null,
    );
    expect(scores).toMatchObject({ metric: "r2", mae: expect.closeTo(3), rmse: expect.closeTo(3) });
    expectClose([scores.score - scores.lower!], [scores.upper! - scores.score]);
    expect(scores.lower).toBeLessThan(scores.score);
  });
});

describe("classes", () => {
  test("a rare class that is told apart has been learnt, though the commonest class is named in every row", () => {
    const unseen = two(1, 3000, 0.04, 1.5);
    const scores = modelScores(unseen, classes);
    const { score, baseline } = heldOutScore(unseen);
    expect(score - baseline).toBeLessThan(0.01);
    expect(scores).toMatchObject({ metric: "logLoss", f1Class: "yes" });
    expect(hasLearnt(scores)).toBe(true);
    expect(codes(unseen, classes)).toEqual([]);
  });

  test("a model that guesses is said to have learnt nothing in at least 95 of 100 tables", () => {
    let said = 0;
    for (let seed = 0; seed < 300; seed++)
      if (codes(two(seed, 300, 0.3, 0, 0.2), classes).includes("model-predicts-poorly")) said++;
    expect(said / 300).toBeGreaterThan(0.95 - 4 * Math.sqrt((0.05 * 0.95) / 300));
    // It is the paired loss that tells: without noise its probabilities are the shares.
    expect(codes(two(1, 300, 0.3, 0), classes)).toEqual(["model-predicts-poorly"]);
  });

  test("a weak signal is learnt where there are rows to show it, and not where there are few", () => {
    expect(codes(two(2, 20_000, 0.3, 0.2), classes)).toEqual([]);
    expect(codes(two(2, 60, 0.3, 0.2), classes)).toEqual(["model-predicts-poorly"]);
    expect(codes(two(2, 40, 0.3, 0.2), classes)[0]).toBe("few-held-out-rows");
  });

  test("a leak is doubted, also where one class is rare; a good model is not", () => {
    const leaking = (share: number): Unseen => {
      const unseen = two(3, 2000, share, 1);
      const probabilities = Float64Array.from({ length: 4000 }, (_, e) =>
        unseen.y[e >> 1] === e % 2 ? 0.99 : 0.01,
      );
      return { ...unseen, prediction: { mean: null, sd: null, probabilities } };
    };
    expect(codes(leaking(0.5), classes)).toEqual(["model-predicts-perfectly"]);
    expect(codes(leaking(0.01), classes)).toEqual(["model-predicts-perfectly"]);
    expect(codes(two(3, 2000, 0.5, 6), classes)).toEqual([]);
  });

  test("rows that are put in their order and given the wrong probabilities are no leak", () => {
    const unseen = two(3, 2000, 0.5, 1);
    const probabilities = Float64Array.from({ length: 4000 }, (_, e) => {
      const second = unseen.y[e >> 1] === 1 ? 0.45 : 0.3;
      return e % 2 === 1 ? second : 1 - second;
    });
    const ordered = { ...unseen, prediction: { mean: null, sd: null, probabilities } };
    expect(codes(ordered, classes)).not.toContain("model-predicts-perfectly");
  });

  test("of fewer than five groups a score has no interval, and rows say how sure its gain is", () => {
    const unseen = two(5, 2000, 0.4, 1);
    const of = (count: number) =>
      modelScores(
        { ...unseen, groups: Int32Array.from(unseen.rows, (row) => row % count) },
        classes,
      );
    const [few, enough, plain] = [of(4), of(5), modelScores(unseen, classes)];
    expect([few.lower, few.upper]).toEqual([null, null]);
    expect(few.gain).toEqual(plain.gain);
    expect(enough.lower).toBeLessThan(enough.score);
    expect(enough.gain.standardError).not.toBe(plain.gain.standardError);
  });

  test("a class that only the rows to test on have is told of, by name", () => {
    const of = (train: number[], test: number[]) =>
      unseenClasses({
        classes: ["a", "b", "c"],
        train: { y: Float64Array.from(train) },
        test: { y: Float64Array.from(test) },
      } as unknown as Prepared);
    expect(of([0, 1, 2], [0, 2])).toEqual([]);
    const [found, ...more] = of([0, 1], [0, 2, 2, 2]);
    expect([found.code, more]).toEqual(["class-not-in-training", []]);
    expect(found.message).toContain('The class "c" is in 3 of the rows to test on and in none');
  });

  test("a rare class that every row is denied is no leak", () => {
    const unseen = two(4, 3000, 0.0005, 0);
    expect(heldOutScore(unseen).score).toBeGreaterThan(0.999);
    expect(codes(unseen, classes)).toEqual(["model-predicts-poorly"]);
  });

  test("a class that training lacks counts as half a row", () => {
    expectClose(
      [...naivePredictions({ y: Float64Array.of(0, 0, 2) }, 3, 2)],
      [2, 0.5, 1, 2, 0.5, 1].map((count) => count / 3.5),
    );
    expectClose([...naivePredictions({ y: Float64Array.of(1, 4) }, 0, 2)], [2.5, 2.5]);
  });
});

test("a network from elsewhere is judged by its probabilities too", () => {
  expect(networkNotes(modelScores(two(1, 3000, 0.04, 1.5), classes))).toEqual([]);
  expect(networkNotes(modelScores(two(1, 300, 0.3, 0), classes))).toMatchObject([
    { code: "model-predicts-poorly" },
  ]);
  expect(networkNotes(null)).toEqual([]);
});
