import { beforeAll, describe, expect, test } from "vitest";
import { type Table, table } from "../../../src/data/index.ts";
import { diagnosticOf } from "../../../src/diagnostic.ts";
import { addJacobian, gradientMoments, gradientScores } from "../../../src/effects/index.ts";
import { variancesOf } from "../../../src/explain/fit/direct-from-blocks.ts";
import { ensembleHidden } from "../../../src/explain/fit/ensemble.ts";
import {
  type ExplainedVariable,
  estimatePower,
  explain,
  networkScore,
  selectByOutputPermutation,
} from "../../../src/explain/index.ts";
import { outputLayerScore } from "../../../src/explain/selection/output-null.ts";
import { unitVariance } from "../../../src/explain/selection/score.ts";
import { drawImportance, rankingStability } from "../../../src/explain/selection/stability.ts";
import {
  cholesky,
  choleskyInverse,
  gram,
  matrix,
  multiplyVector,
} from "../../../src/linalg/index.ts";
import { fit, jacobianBlocks, type Network } from "../../../src/network/index.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../../src/random/index.ts";
import { simulate } from "../../../src/simulate/index.ts";
import { expectClose } from "../../support/close.ts";

const key = keyFromSeed(41);
const settings = {
  link: "identity",
  hidden: [8, 4],
  recipe: "paper",
  members: 1,
  workers: 0,
} as const;

/** y = sum of the first twelve of twenty numbers and of a category, two families of rows. */
function tableOf(n: number): Table {
  const next = normals(fold(key, "table"));
  const uniform = uniforms(fold(key, "levels"));
  const columns = Array.from({ length: 20 }, () => Float64Array.from({ length: n }, next));
  const codes = Int32Array.from({ length: n }, () => Math.floor(3 * uniform()));
  const y = Float64Array.from({ length: n }, (_, i) => {
    const sum = columns.slice(0, 12).reduce((total, column) => total + column[i], 0);
    return sum + 2 * codes[i] + next();
  });
  return table([
    ...columns.map((values, j) => ({ kind: "number" as const, name: `x${j + 1}`, values })),
    { kind: "category", name: "level", levels: ["a", "b", "c"], codes },
    { kind: "number", name: "family", values: Float64Array.from({ length: n }, (_, i) => i % 5) },
    { kind: "number", name: "y", values: y },
  ]);
}

describe("the score of a refitted output layer", () => {
  const { X, y } = simulate({ key: fold(key, "sim"), rows: 300, variables: 6, causalSetSize: 2 });
  const design = unitVariance(X);
  const networks: Network[] = [];
  beforeAll(async () => {
    for (const k of [0, 1]) {
      const architecture = {
        inputs: 6,
        layers: [{ kind: "dense" as const, units: 5, activation: "relu" as const }],
        link: "identity" as const,
      };
      networks.push(
        (await fit(design, y, { key: fold(key, k), architecture, recipe: "paper" })).network,
      );
    }
  });

  test("is the gradient score of the posterior that the responses give, for columns and groups", () => {
    const units = [[0], [3], [1, 2, 5]];
    const noise = 0.5;
    const score = outputLayerScore(networks, design, units, noise, [0, 1]);
    const { hidden } = ensembleHidden(networks, design);
    const { rows: n, cols: l } = hidden;
    const H = matrix(n, l, hidden.data.slice());
    for (let k = 0; k < l; k++) {
      let mean = 0;
      for (let i = 0; i < n; i++) mean += H.data[i * l + k] / n;
      for (let i = 0; i < n; i++) H.data[i * l + k] -= mean;
    }
    const K = gram(H);
    for (let e = 0; e < l * l; e++) K.data[e] = K.data[e] / noise + (e % (l + 1) === 0 ? 1 : 0);
    const V = choleskyInverse(cholesky(K));
    const moment = new Float64Array(l);
    for (let i = 0; i < n; i++) for (let k = 0; k < l; k++) moment[k] += H.data[i * l + k] * y[i];
    const mean = multiplyVector(V, moment).map((value) => value / noise);
    expectClose(multiplyVector(score.project, y), mean, { rtol: 1e-8, atol: 1e-10 });
    const moments = gradientMoments(6, l);
    for (const block of jacobianBlocks(networks, design)) addJacobian(moments, block);
    const { full } = gradientScores(
      moments,
      { mean, covariance: V },
      {
        noiseVariance: noise,
        columnVariances: variancesOf(design),
        groups: units,
        conditional: false,
      },
    );
    const rows = multiplyVector(score.weights, multiplyVector(score.project, y));
    const own = new Float64Array(3);
    rows.forEach((value, r) => {
      own[score.unit[r]] += value * value;
    });
    expectClose(own, full!, { rtol: 1e-7 });
    expect(own[0]).toBeGreaterThan(0);
  });

  test("gives uniform p-values for pure noise, for numbers and for classes", async () => {
    const values: number[] = [];
    for (let r = 0; r < 60; r++) {
      const own = fold(key, "null", r);
      const next = normals(own);
      const rows = matrix(80, 4, Float64Array.from({ length: 320 }, next));
      const numbers = Float64Array.from({ length: 80 }, next);
      const { pValues } = await selectByOutputPermutation(
        rows,
        r % 2 ? numbers.map((value) => Number(value > 0)) : numbers,
        {
          ...settings,
          link: r % 2 ? "logistic" : "identity",
          key: own,
          units: [[0], [1], [2], [3]],
          whole: [0, 1, 2, 3],
          permutations: 199,
          randomiseTies: true,
        },
      );
      values.push(pValues[2]);
    }
    const sorted = values.sort((a, b) => a - b);
    const distance = Math.max(...sorted.map((p, i) => Math.max(p - i / 60, (i + 1) / 60 - p)));
    expect(distance * Math.sqrt(60)).toBeLessThan(1.95);
  });
});

test("a network scores whatever units it is given, copies of variables included", async () => {
  const { X, y } = simulate({ key: fold(key, "score"), rows: 600, variables: 6, causalSetSize: 1 });
  const strong = y.map((value, i) => value + 2 * X.data[i * 6 + 4]);
  const score = (measure: "direct" | "rate") =>
    networkScore({ ...settings, measure, variables: [[0], [1], [2]] });
  for (const measure of ["direct", "rate"] as const) {
    const scores = await score(measure)(X, strong, key, { units: [[0], [4], [4, 5]] });
    expect(scores.length).toBe(3);
    expect(scores[1]).toBeGreaterThan(10 * scores[0]);
    expect(scores[2]).toBeGreaterThan(0.5 * scores[1]);
  }
});

describe("explain", () => {
  const source = tableOf(600);
  const base = { target: "y", recipe: "paper", exclude: ["family"] } as const;
  const real = ({ name }: ExplainedVariable) => name === "level" || Number(name.slice(1)) <= 12;

  test("selects by knockoffs, categories as one, and groups where they share none", async () => {
    const { document } = await explain(source, {
      ...base,
      recipe: "standard",
      hidden: [8],
      select: { fdr: 0.2, by: "knockoffs" },
      groups: (names) => [
        { name: "real", members: [names.get("x1")!, names.get("x2")!] },
        { name: "noise", members: [names.get("x19")!, names.get("x20")!] },
      ],
    });
    const selected = document.variables.filter((row) => row.selected);
    // How many are false is known on average only; that is tested over many tables where scores are cheap.
    expect(selected.filter(real).length).toBeGreaterThanOrEqual(10);
    expect(selected.length).toBeLessThan(document.variables.length);
    for (const row of document.variables) {
      expect(row.pValue).toBeNull();
      expect(row.selected).toBe(row.qValue! <= 0.2);
      expect(row.topK).toBeNull();
    }
    expect(document.groups.map((row) => typeof row.selected)).toEqual(["boolean", "boolean"]);
    const note = document.diagnostics.find(({ code }) => code === "selection")!;
    expect(note.message).toMatch(/^1\d of 21 variables are selected by knockoffs/);
    expect(note.message).toMatch(
      /Guaranteed if the rows are independent .* and the columns are jointly normal/,
    );
  });

  test("gives p-values by permutation, within families where asked, and q-values", async () => {
    const { exclude: _, ...rest } = base;
    const { document } = await explain(source, {
      ...rest,
      families: "family",
      select: { fdr: 0.1, by: "permutation", permutations: 999 },
      groups: (names) => [
        {
          name: "all real",
          members: Array.from({ length: 12 }, (_, j) => names.get(`x${j + 1}`)!),
        },
        { name: "overlap", members: [names.get("x1")!] },
      ],
    });
    expect(document.excluded.map(({ name }) => name)).toContain("family");
    for (const row of [...document.variables, ...document.groups]) {
      expect(row.pValue).toBeGreaterThan(0);
      expect(row.qValue).toBeGreaterThanOrEqual(row.pValue!);
    }
    expect(document.diagnostics.find(({ code }) => code === "selection")!.message).toMatch(
      /999 permutations .* within families.*Not guaranteed/,
    );
  });

  test("refuses families that are missing, and more of the first than there are variables", async () => {
    const table = tableOf(60);
    const columns = table.columns.map((column) =>
      column.name !== "family"
        ? column
        : column.kind === "number"
          ? { ...column, values: column.values.map((value, i) => (i === 7 ? Number.NaN : value)) }
          : { ...column, codes: column.codes.map((code, i) => (i === 7 ? -1 : code)) },
    );
    const { exclude: _, ...rest } = base;
    const select = { fdr: 0.1, by: "permutation", permutations: 19 } as const;
    await expect(
      explain({ ...table, columns }, { ...rest, hidden: [2], families: "family", select }),
    ).rejects.toThrow("needs a family in every row in use, got 1 missing in column family");
    await expect(
      explain(table, { ...base, hidden: [2], stability: true, top: 22 }),
    ).rejects.toThrow("top can be at most the number of variables, 21; got 22");
  });

  test("says nothing of the first ten among fewer variables, where all are among them", async () => {
    const few = { ...base, hidden: [2], stability: true, keep: [] };
    const table = tableOf(60);
    const columns = table.columns.filter(({ name }) => ["x1", "x2", "x3", "y"].includes(name));
    const said = async (options: { top?: number }) => {
      const { document } = await explain(
        { ...table, columns },
        { ...few, ...options, exclude: [] },
      );
      return document.diagnostics.find(({ code }) => code === "stability")!.message;
    };
    expect(await said({})).toMatch(/^Rank intervals \(90%\) come from/);
    expect(await said({ top: 2 })).toMatch(/probability of being among the first 2 come from/);
  });

  test("knows genotypes by their values, and names the column that is none", async () => {
    const genotypes = (odd: number): Table => ({
      rows: 120,
      columns: [
        ...Array.from({ length: 5 }, (_, j) => ({
          ...({ kind: "number", name: `rs${j}` } as const),
          values: Float64Array.from(
            { length: 120 },
            (__, i) => (j === 3 ? odd : 1) * ((i * (j + 2)) % 3),
          ),
        })),
        { kind: "number", name: "y", values: Float64Array.from({ length: 120 }, (_, i) => i % 7) },
      ],
    });
    const settings = { target: "y", recipe: "paper", hidden: [2] } as const;
    const select = { fdr: 0.5, by: "knockoffs" } as const;
    const codes = async (odd: number) =>
      (await explain(genotypes(odd), { ...settings, select })).document.diagnostics.map(
        ({ code }) => code,
      );
    expect(await codes(1)).toContain("genotype-columns");
    expect(await codes(1.5)).not.toContain("genotype-columns");
    await expect(
      explain(genotypes(1.5), { ...settings, select: { ...select, copies: "genotype" } }),
    ).rejects.toThrow("needs genotypes 0, 1, 2 for genotype copies, got 1.5 in column rs3");
  });

  test("refits for every permutation on request", async () => {
    const { document } = await explain(tableOf(120), {
      ...base,
      hidden: [4],
      select: { fdr: 0.1, by: "permutation", refit: true, permutations: 19 },
    });
    for (const { pValue } of document.variables) {
      expect(pValue! * 20).toBeCloseTo(Math.round(pValue! * 20), 9);
    }
  });

  test("says how sure the ranking is, for one network and for several", async () => {
    for (const ensemble of [1, 2]) {
      const { document } = await explain(source, {
        ...base,
        ensemble,
        workers: 0,
        stability: true,
        top: 5,
      });
      for (const { rankInterval, topK, rank } of document.variables) {
        expect(rankInterval![0]).toBeLessThanOrEqual(rankInterval![1]);
        if (rankInterval![1] <= 5) expect(topK).toBeGreaterThan(0.9);
        expect(rank! >= rankInterval![0] - 3 && rank! <= rankInterval![1] + 3).toBe(true);
      }
      const sum = document.variables.reduce((total, { topK }) => total + topK!, 0);
      expect(sum).toBeCloseTo(5, 9); // exactly five are among the first five in every draw
    }
  });

  test("speaks of the first ten only where there are more", async () => {
    const words = async (count: number, top?: number) => {
      const next = normals(fold(key, "few", count));
      const columns = Array.from({ length: count + 1 }, (_, j) => ({
        kind: "number" as const,
        name: `c${j}`,
        values: Float64Array.from({ length: 60 }, next),
      }));
      const asked = { target: "c0", recipe: "paper", hidden: [2], stability: true } as const;
      const options = { ...asked, ...(top !== undefined && { top }) };
      const { document } = await explain(table(columns), options);
      return diagnosticOf(document.diagnostics, "stability")!;
    };
    const few = await words(4);
    expect(few.message).toMatch(/^Rank intervals \(90%\) come from the network's own uncertainty/);
    expect(few.message).not.toContain("first");
    expect(few.top).toBe(4);
    expect((await words(4, 2)).message).toContain("being among the first 2 come from");
    expect((await words(12)).message).toContain("being among the first 10 come from");
  });

  test("does not let overlapping groups pass for exchangeable, nor a Gaussian process for a network", async () => {
    const { document } = await explain(tableOf(200), {
      ...base,
      hidden: [4],
      select: { fdr: 0.2, by: "knockoffs", copies: "permuted" },
      groups: () => [
        { name: "a", members: [0, 1] },
        { name: "b", members: [1, 2] },
      ],
    });
    expect(document.groups.map(({ selected }) => selected)).toEqual([null, null]);
    expect(document.diagnostics.map(({ code }) => code)).toContain("groups-overlap");
    await expect(
      explain(tableOf(60), { target: "y", exclude: ["family"], model: "gp", stability: true }),
    ).rejects.toThrow(/needs a network .* got a Gaussian process/);
  });

  test("takes genotypes for what they are, and refuses others", async () => {
    const next = uniforms(fold(key, "genotypes"));
    const n = 300;
    const snps = Array.from({ length: 12 }, (_, j) => ({
      kind: "number" as const,
      name: `snp${j}`,
      values: Float64Array.from({ length: n }, () => Math.floor(3 * next())),
    }));
    const y = Float64Array.from({ length: n }, (_, i) =>
      snps.reduce((sum, { values }) => sum + values[i], next()),
    );
    const options = {
      target: "y",
      hidden: [8],
      recipe: "paper",
      select: { fdr: 0.2, by: "knockoffs", copies: "genotype" },
    } as const;
    const own = table([...snps, { kind: "number", name: "y", values: y }]);
    const { document } = await explain(own, { ...options, task: "regression" });
    expect(document.variables.map(({ selected }) => typeof selected)).toContain("boolean");
    await expect(explain(tableOf(100), { ...options, exclude: ["family"] })).rejects.toThrow(
      /got a category/,
    );
    const decimals = table([
      { ...snps[0], values: snps[0].values.map((x, i) => x + (i % 7) / 9) },
      ...snps.slice(1),
      { kind: "number", name: "y", values: y },
    ]);
    await expect(explain(decimals, { ...options, task: "regression" })).rejects.toThrow(
      /genotypes 0, 1, 2/,
    );
  });
});

test("draws of importance give the ranking and its intervals", async () => {
  const { X, y } = simulate({ key: fold(key, "draws"), rows: 500, variables: 8, causalSetSize: 2 });
  const design = unitVariance(X);
  const architecture = {
    inputs: 8,
    layers: [{ kind: "dense" as const, units: 6, activation: "relu" as const }],
    link: "identity" as const,
  };
  const { network } = await fit(design, y, { key, architecture, recipe: "paper" });
  const input = {
    key,
    networks: [network],
    X: design,
    y,
    variables: Array.from({ length: 8 }, (_, j) => ({ name: `${j}`, members: [j] })),
    top: 3,
    draws: 50,
  };
  const draws = await drawImportance(input);
  expect([draws.rows, draws.cols]).toEqual([50, 8]);
  expect(draws.data.every((score) => score >= 0)).toBe(true);
  expect(new Set(draws.data).size).toBeGreaterThan(300);
  // A variable of one column scores as a group of one, which is scored draw by draw, does.
  const twice = await drawImportance({
    ...input,
    variables: [...input.variables, { name: "again", members: [3, 3] }],
  });
  for (let d = 0; d < 50; d++)
    expectClose([twice.data[d * 9 + 8]], [draws.data[d * 8 + 3]], { rtol: 1e-6 });
  const { inTop } = await rankingStability(input);
  expect(inTop.reduce((sum, share) => sum + share, 0)).toBeCloseTo(3, 9);
});

describe("power", () => {
  const source = tableOf(400);
  const options = {
    target: "y",
    exclude: ["family"],
    recipe: "standard",
    hidden: [8],
    repeats: 2,
    causal: 12,
    select: { fdr: 0.3, by: "knockoffs" },
  } as const;

  test("plants causes on the table's own columns and counts what is found", async () => {
    const document = await estimatePower(source, {
      ...options,
      explainable: 0.95,
      interactions: 0,
    });
    expect(document).toMatchObject({
      kind: "power",
      variables: 21,
      causal: 12,
      rows: 400,
      by: "knockoffs",
      fdr: 0.3,
    });
    expect(document.repeats.length).toBe(2);
    expect(document.repeats[0].causal).not.toEqual(document.repeats[1].causal);
    expect(document.areaDirect.mean).toBeGreaterThan(0.8);
    const { causal, selected, power, falseDiscoveryProportion } = document.repeats[0];
    const right = selected.filter((name) => causal.includes(name)).length;
    expect(power).toBeCloseTo(right / 12, 12);
    expect(falseDiscoveryProportion).toBeCloseTo(
      (selected.length - right) / Math.max(1, selected.length),
      12,
    );
    expect(document.power.mean).toBeCloseTo((power + document.repeats[1].power) / 2, 12);
    const noise = await estimatePower(source, { ...options, explainable: 0.01, repeats: 1 });
    expect(noise.areaDirect.mean).toBeLessThan(document.areaDirect.mean);
    expect(noise.power.lower).toBeNaN();
  });

  test("plants classes too, and says when too few causes are to be found", async () => {
    const document = await estimatePower(source, {
      ...options,
      task: "classification",
      repeats: 1,
      causal: 2,
    });
    expect(document.task).toBe("classification");
    expect(document.heldOut.mean).toBeGreaterThan(0.3);
    expect(document.diagnostics.map(({ code }) => code)).toContain("few-causes");
  });

  test("says what cannot be", async () => {
    await expect(estimatePower(source, { ...options, explainable: 1.5 })).rejects.toThrow(
      /inside \(0, 1\)/,
    );
    await expect(estimatePower(source, { ...options, causal: 21 })).rejects.toThrow(/from 1 to 20/);
    await expect(estimatePower(source, { ...options, repeats: 0 })).rejects.toThrow(
      /at least 1 repeat/,
    );
  });
});
