import { afterAll, describe, expect, test } from "vitest";
import { type Table, table } from "../../../src/data/index.ts";
import {
  type CompareDocument,
  type CompareMethod,
  compare,
  compareMethods,
  explain,
  writeModel,
} from "../../../src/explain/index.ts";
import { closeWorkers } from "../../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../../src/random/index.ts";

afterAll(closeWorkers);

const n = 400;
const next = normals(fold(keyFromSeed(1), "compare"));
const normal = () => Float64Array.from({ length: n }, () => next());
const [a, b, noise, other] = [normal(), normal(), normal(), normal()];
const copy = a.map((value) => value + 0.5 * next());
const codes = Int32Array.from({ length: n }, (_, i) => i % 3);
const y = a.map(
  (value, i) => 3 * value + 2.7 * Math.abs(b[i]) + (codes[i] === 0 ? 1 : 0) + 0.3 * next(),
);
const classes = ["high", "low", "middle"];
const labels = Int32Array.from(y, (value) => (value > 4 ? 0 : value < 1 ? 1 : 2));
const source: Table = table([
  { kind: "number", name: "a", values: a },
  { kind: "number", name: "b", values: b },
  { kind: "number", name: "copy", values: copy },
  { kind: "category", name: "colour", levels: ["red", "green", "blue"], codes },
  { kind: "number", name: "noise", values: noise },
  { kind: "number", name: "other", values: other },
  { kind: "number", name: "y", values: y },
  { kind: "category", name: "label", levels: classes, codes: labels },
]);
const regression = { target: "y", exclude: ["label"], seed: 3 };
const groups = () => [
  { name: "signal", members: [0, 1] },
  { name: "noise", members: [4, 5] },
  { name: "mixed", members: [1, 5] },
];
const ranksOf = ({ variables }: CompareDocument, method: (typeof compareMethods)[number]) =>
  Object.fromEntries(variables.map(({ name, ranks }) => [name, ranks[method]]));

const SEES_CURVES: readonly CompareMethod[] = [
  "gradient",
  "permutation",
  "forest",
  "gbm",
  "tree-shap",
  "group-forest",
];

describe("compare", () => {
  const compared = compare(source, { ...regression, groups, repeats: 5, workers: 0 });

  test("asks about exactly the network that explain trains", async () => {
    const { document, model } = await compared;
    const explained = await explain(source, { ...regression, groups });
    expect(writeModel(model)).toEqual(writeModel(explained.model));
    expect(document.model).toEqual(explained.document.model);
    document.variables.forEach(({ scores }, j) => {
      const { rate, direct } = explained.document.variables[j];
      expect(scores.rate).toBe(rate);
      expect(scores.gradient).toBe(direct!.rate);
    });
    document.groups.forEach(({ scores, size }, g) => {
      expect(size).toBe(2);
      expect(scores.rate).toBe(explained.document.groups[g].rate);
    });
  });

  test("every method scores every variable and group, finds the cause and leaves the noise", async () => {
    const { document } = await compared;
    expect(document.methods.map(({ name }) => name)).toEqual(compareMethods);
    for (const { name, mimicScore, of, seconds } of document.methods) {
      const ranks = ranksOf(document, name);
      expect([name, ranks.a]).toEqual([name, 1]);
      // 1 + … + 6, whoever shares ranks; the group lasso has four zeros.
      expect(Object.values(ranks).reduce((sum, rank) => sum! + rank!, 0)).toBe(21);
      if (name === "rate") expect(Object.values(ranks).sort()).toEqual([1, 2, 3, 4, 5, 6]);
      const group = Object.fromEntries(document.groups.map((row) => [row.name, row.ranks[name]]));
      expect([name, group.signal]).toEqual([name, 1]);
      // What looks at lines cannot tell |b| from noise.
      if (SEES_CURVES.includes(name)) expect([name, group.noise]).toEqual([name, 3]);
      expect(mimicScore === null).toBe(of !== "mimic");
      expect(seconds).toBeNull();
    }
    // |b| is no line: the network sees it, and what looks at lines does not.
    for (const name of SEES_CURVES) expect([name, ranksOf(document, name).b]).toEqual([name, 2]);
    for (const name of ["correlation", "t-test"] as const)
      expect([name, ranksOf(document, name).copy]).toEqual([name, 2]);
    const permuted = document.variables[0].standardErrors;
    expect(permuted.permutation).toBeGreaterThan(0);
    expect(permuted.rate).toBeUndefined();
  });

  test("the shuffle test prefers what the network uses, and random orders are the worst", async () => {
    const { shuffle, spearman, model, diagnostics } = (await compared).document;
    const area = Object.fromEntries(shuffle.curves.map((curve) => [curve.name, curve.area]));
    expect(shuffle.curves.at(-1)!.name).toBe("random");
    expect(shuffle.counts).toEqual([0, 1, 2, 3, 4, 5, 6]);
    for (const { scores } of shuffle.curves) expect(scores[0]).toBeCloseTo(model.heldOut.score, 12);
    expect(area.gradient).toBeLessThan(area.correlation);
    for (const name of compareMethods) expect(area[name]).toBeLessThan(area.random);
    spearman.forEach((row, m) => {
      expect(row[m]).toBeCloseTo(1, 12);
      row.forEach((value, k) => {
        expect(value).toBe(spearman[k][m]);
      });
    });
    // An explanation's `direct` goes by the name of its column here.
    const overlooked = diagnostics.find(({ code }) => code === "overlooked-by-rate")!.message;
    expect(overlooked).toContain("b (direct rank 2, RATE rank ");
    // A line through |b| is a bad mimic.
    expect(diagnostics.map(({ code, method }) => [code, method])).toContainEqual([
      "mimics-poorly",
      "linear",
    ]);
    expect(diagnostics.map(({ code, method }) => [code, method])).not.toContainEqual([
      "mimics-poorly",
      "gbm",
    ]);
  });

  test("classes: probabilities are mimicked and accuracy is shuffled", async () => {
    const { document } = await compare(source, {
      target: "label",
      exclude: ["y"],
      repeats: 3,
      workers: 0,
    });
    expect(document.shuffle.metric).toBe("accuracy");
    for (const name of ["gradient", "forest", "gbm", "group-lasso"] as const)
      expect([name, ranksOf(document, name).a]).toEqual([name, 1]);
    const scoreOf = (method: CompareMethod) =>
      document.methods.find(({ name }) => name === method)!.mimicScore!;
    // Three probabilities bend; a line follows them less well than trees do.
    expect(scoreOf("gbm")).toBeGreaterThan(scoreOf("linear"));
    expect(scoreOf("linear")).toBeGreaterThan(0.3);
  });

  test("a search keeps its table, and the document is the same for any number of workers", async () => {
    const options = {
      ...regression,
      methods: ["rate", "gbm", "group-lasso"] as const,
      search: { candidates: 3, folds: 2 },
      repeats: 2,
    };
    const documents = [];
    for (const workers of [1, 2])
      documents.push((await compare(source, { ...options, workers })).document);
    expect(documents[1]).toEqual(documents[0]);
    const [rate, gbm] = documents[0].methods;
    expect(rate.search).toBeNull();
    expect(gbm.search).toMatchObject({ method: "boosting", folds: 2 });
    expect(gbm.search!.candidates).toHaveLength(3);
    expect(gbm.search!.candidates[0].scores).toHaveLength(2);
  });

  test("a clock gives seconds, an abort is heard, and what is unknown or too little is said", async () => {
    const quick = { ...regression, methods: ["correlation"] as const, repeats: 2 };
    let time = 0;
    const clock = () => {
      time += 1500;
      return time;
    };
    const { document } = await compare(source, { ...quick, clock });
    expect(document.methods[0].seconds).toBe(1.5);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(compare(source, { ...quick, signal })).rejects.toThrow("enough");
    await expect(compare(source, { ...quick, methods: ["magic" as never] })).rejects.toThrow(
      'got "magic"',
    );
    await expect(compare(source, { ...quick, methods: [] })).rejects.toThrow("different methods");
    const search = { candidates: 2, folds: 500 };
    await expect(compare(source, { ...quick, methods: ["forest"], search })).rejects.toThrow(
      "280 rows and 500 folds",
    );
  });
});
