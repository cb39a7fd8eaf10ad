import { describe, expect, test } from "vitest";
import { table } from "../../../src/data/index.ts";
import { ranksNothing, sharedRanks, shuffleOrder } from "../../../src/explain/compare/ranks.ts";
import { compare } from "../../../src/explain/index.ts";
import { fold, keyFromSeed, normals } from "../../../src/random/index.ts";

describe("ranks of a comparison", () => {
  test("equal scores share the mean of their ranks", () => {
    expect(sharedRanks(Float64Array.of(0, 5, 0, 7, 0))).toEqual([4, 2, 4, 1, 4]);
    expect(sharedRanks(Float64Array.of(1, 2, 2))).toEqual([3, 1.5, 1.5]);
    expect(sharedRanks(Float64Array.of(-1, Number.NaN, 3))).toEqual([2, null, 1]);
  });

  test("scores that are all the same rank nothing, one alone is first", () => {
    expect(sharedRanks(Float64Array.of(0.2, 0.2, 0.2))).toEqual([null, null, null]);
    expect(ranksNothing(Float64Array.of(0, 0))).toBe(true);
    expect(ranksNothing(Float64Array.of(0, 1))).toBe(false);
    expect(sharedRanks(Float64Array.of(0))).toEqual([1]);
  });

  test("the shuffle test goes from the largest on, equal ones as the columns stand, NaN last", () => {
    expect([...shuffleOrder(Float64Array.of(0, 5, Number.NaN, 0, 7, -1))]).toEqual([
      4, 1, 0, 3, 5, 2,
    ]);
  });
});

describe("a comparison on few rows", () => {
  const n = 14;
  const next = normals(fold(keyFromSeed(5), "few"));
  const column = () => Float64Array.from({ length: n }, () => next());
  const a = column();
  const source = table([
    { kind: "number", name: "a", values: a },
    { kind: "number", name: "b", values: column() },
    { kind: "number", name: "c", values: column() },
    { kind: "number", name: "y", values: a.map((value) => 2 * value + 0.1 * next()) },
  ]);
  const groups = () => [
    { name: "one", members: [0] },
    { name: "two", members: [1, 2] },
  ];
  const fits: string[] = [];
  const compared = compare(source, {
    target: "y",
    methods: ["gbm", "tree-shap", "correlation"],
    groups,
    repeats: 2,
    workers: 0,
    onProgress: ({ phase, done, total }) => {
      if (done === total) fits.push(phase);
    },
  });

  test("a method that found nothing has no ranks and no curve, and says so", async () => {
    const { variables, shuffle, diagnostics } = (await compared).document;
    // Leaves of boosting hold at least 20 rows, and there are fewer.
    for (const { scores, ranks } of variables)
      expect([scores.gbm, ranks.gbm, ranks["tree-shap"]]).toEqual([0, null, null]);
    expect(variables.map(({ ranks }) => ranks.correlation).sort()).toEqual([1, 2, 3]);
    expect(shuffle.curves.map(({ name }) => name)).toEqual(["correlation", "random"]);
    expect(shuffle.curves[0].scores[0]).not.toBe(shuffle.curves[0].scores.at(-1));
    const nothing = diagnostics.filter(({ code }) => code === "ranks-nothing");
    expect(nothing.map(({ method }) => method)).toEqual(["gbm", "tree-shap"]);
    expect(nothing[0].message).toMatch(
      /^gbm found nothing\. It gives every variable the same score/,
    );
  });

  test("groups of equal scores have no ranks either", async () => {
    const { groups: rows } = (await compared).document;
    expect(rows.map(({ ranks }) => ranks.gbm)).toEqual([null, null]);
    expect(rows.map(({ ranks }) => ranks.correlation).sort()).toEqual([1, 2]);
  });

  test("gbm and tree-shap share one mimic, by the method's name, and what is said of it is said once", async () => {
    const { diagnostics, methods } = (await compared).document;
    expect(fits.filter((phase) => phase === "boosting")).toHaveLength(1);
    expect(diagnostics.filter(({ code }) => code === "mimics-poorly")).toMatchObject([
      { method: "gbm", learner: "gbm" },
    ]);
    expect(methods[0].mimicScore).toBe(methods[1].mimicScore);
  });

  test("a forest and a group forest tell their progress by their own names", async () => {
    const ended: string[] = [];
    await compare(source, {
      target: "y",
      methods: ["forest", "group-forest"],
      repeats: 2,
      workers: 0,
      onProgress: ({ phase, done, total }) => {
        if (done === total) ended.push(phase);
      },
    });
    const forests = ended.filter((phase) => /forest/.test(phase));
    expect([...new Set(forests)]).toEqual(["forest", "group-forest"]);
  });

  test("the rows that are shuffled are those that nothing was trained on", async () => {
    const { shuffle, model } = (await compared).document;
    expect(shuffle.rows).toHaveLength(model.rows.test);
    expect(new Set(shuffle.rows).size).toBe(model.rows.test);
    expect(Math.min(...shuffle.rows)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...shuffle.rows)).toBeLessThanOrEqual(n);
  });

  test("a misspelt option is named", async () => {
    const options = { target: "y", method: ["rate"] } as never;
    await expect(compare(source, options)).rejects.toThrow("compare: needs options of target");
  });
});
