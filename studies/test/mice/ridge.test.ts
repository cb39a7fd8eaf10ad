import { fold, keyFromSeed, matrix, normals } from "@ratewise/core";
import { cholesky, choleskySolveVector, gram } from "@ratewise/core/linalg";
import { expect, test } from "vitest";
import { linearBaseline } from "../../src/mice/baseline.ts";
import { traitResiduals } from "../../src/mice/covariates.ts";
import { heldOutCorrelation, splitMice, traitRows } from "../../src/mice/network.ts";
import type { Mice } from "../../src/mice/read-mice.ts";
import { fitRidge, ridgeCorrelation } from "../../src/mice/ridge.ts";
import type { StudyContext } from "../../src/study/study.ts";

/** min ‖y − a − Xw‖² + λ‖w‖² by the normal equations of the rows asked for. */
function primalRidge(
  X: readonly (readonly number[])[],
  y: readonly number[],
  rows: readonly number[],
  penalty: number,
): { readonly intercept: number; readonly weights: Float64Array } {
  const p = X[0].length;
  const mean = (of: (row: number) => number): number =>
    rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const means = X[0].map((_, j) => mean((row) => X[row][j]));
  const middle = mean((row) => y[row]);
  const own = matrix(rows.length, p);
  rows.forEach((row, i) => {
    own.data.set(
      X[row].map((value, j) => value - means[j]),
      i * p,
    );
  });
  const products = gram(own);
  for (let j = 0; j < p; j++) products.data[j * (p + 1)] += penalty;
  const right = Float64Array.from({ length: p }, (_, j) =>
    rows.reduce((sum, row, i) => sum + own.data[i * p + j] * (y[row] - middle), 0),
  );
  const weights = choleskySolveVector(cholesky(products), right);
  return { intercept: middle - means.reduce((sum, at, j) => sum + at * weights[j], 0), weights };
}

test("weights and penalty are those of the normal equations, each row left out and fitted anew", () => {
  const next = normals(keyFromSeed(3));
  const [n, p] = [24, 40];
  const raw = Array.from({ length: n }, () => Array.from({ length: p }, next));
  const X = raw.map((row) =>
    row.map((value, j) => value - raw.reduce((sum, other) => sum + other[j], 0) / n),
  );
  const y = X.map((row) => 3 + row[0] - 2 * row[1] + next());
  const all = [...X.keys()];
  const tried = [0.01, 0.1, 1, 10, 100];
  const square = X.flat().reduce((sum, value) => sum + value * value, 0) / n;
  const errors = tried.map((part) =>
    all.reduce((sum, left) => {
      const others = all.filter((row) => row !== left);
      const { intercept, weights } = primalRidge(X, y, others, part * square);
      return sum + (y[left] - intercept - X[left].reduce((s, x, j) => s + x * weights[j], 0)) ** 2;
    }, 0),
  );
  const best = errors.indexOf(Math.min(...errors));
  // Neither end of those tried: a choice that ignored the errors would not be here.
  expect([0, tried.length - 1]).not.toContain(best);
  const found = fitRidge(matrix(n, p, Float64Array.from(X.flat())), Float64Array.from(y), tried);
  expect(found.penalty).toBeCloseTo(tried[best] * square, 8);
  const naive = primalRidge(X, y, all, found.penalty);
  expect(found.intercept).toBeCloseTo(naive.intercept, 10);
  found.weights.forEach((weight, j) => {
    expect(weight).toBeCloseTo(naive.weights[j], 10);
  });
});

const MICE = 200;
const SNPS = 30;

/** The trait is the sum of the first SNPs, and sex. */
function stock(): Mice {
  const next = normals(keyFromSeed(4));
  const coin = (): number => Number(next() > 0);
  const genotypes = Int8Array.from({ length: SNPS * MICE }, () => coin() + coin());
  const category = (name: string, levels: string[], of: (mouse: number) => number) => ({
    ...({ kind: "category", name, levels } as const),
    codes: Int32Array.from({ length: MICE }, (_, i) => of(i)),
  });
  const sex = category("sex", ["F", "M"], (i) => i % 2);
  const trait = Float64Array.from({ length: MICE }, (_, i) => {
    let sum = next() + 3 * sex.codes[i];
    for (let v = 0; v < 4; v++) sum += genotypes[v * MICE + i];
    return i % 10 === 0 ? Number.NaN : sum;
  });
  return {
    ...{ mice: MICE, genotypes, sex, cage: category("cage", ["a", "b"], (i) => (i >> 1) % 2) },
    variants: Array.from({ length: SNPS }, (_, v) => ({
      ...{ chromosome: "1", position: v + 1, id: `${v}`, allele1: "A", allele2: "G" },
    })),
    traits: new Map([["t", trait]]),
    litter: Array.from({ length: MICE }, (_, i) => `${i % 20}`),
  };
}

test("ridge regression predicts the very mice that the network of the same key does not see", async () => {
  const mice = stock();
  const key = keyFromSeed(5);
  const of = traitRows(mice.traits.get("t")!, null);
  const { seen, unseen, target, measured } = splitMice(mice, of, key);
  expect([seen.length, unseen.length]).toEqual([144, 36]);
  expect([...seen, ...unseen].sort((a, b) => a - b)).toEqual([...of.rows]);
  expect([...target, ...measured].sort()).toEqual([...of.y].sort());
  // What is not in training does not matter for the fit: other values there change the correlation alone.
  const correlation = ridgeCorrelation(mice, of, key);
  expect(correlation).toBeGreaterThan(0.3);
  const mirrored = of.y.map((value, i) => (unseen.includes(of.rows[i]) ? -value : value));
  expect(ridgeCorrelation(mice, { ...of, y: mirrored }, key)).toBeCloseTo(-correlation, 10);
  expect(await heldOutCorrelation(mice, of, key, 1, {})).not.toBe(correlation);
});

test("the baseline takes out what the networks have taken out, and permutes the trait as they do", async () => {
  const mice = stock();
  const stages: string[] = [];
  const context = (permuted: boolean) =>
    ({
      permuted,
      stage: (name: string, work: () => Promise<unknown>) => {
        stages.push(name);
        return work();
      },
    }) as unknown as StudyContext;
  const sizes = {
    ...{ epochs: 1, splits: 4, permutations: 1 },
    trees: 1,
    refits: 1,
    otherSplits: 2,
  };
  const input = { mice, trait: "t", sizes, covariates: [] };
  const found = await linearBaseline(input, context(false), keyFromSeed(6));
  expect(stages).toEqual(new Array(3).fill("t: ridge regression"));
  expect(found.correlations).toHaveLength(4);
  expect(
    found.others.map(({ covariate, correlations }) => [covariate, correlations.length]),
  ).toEqual([
    ["cage", 2],
    ["litter", 2],
  ]);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean(found.correlations)).toBeGreaterThan(0.6);
  const small = { ...input, sizes: { ...sizes, otherSplits: 0 } };
  const key = keyFromSeed(6);
  const control = await linearBaseline(small, context(true), key);
  const { values } = traitResiduals(mice, "t", []);
  const rows = traitRows(values, fold(key, "permuted"));
  expect(control).toEqual({
    correlations: [0, 1, 2, 3].map((s) => ridgeCorrelation(mice, rows, fold(key, "split", s))),
    others: [],
  });
  expect(control.correlations).not.toEqual(found.correlations);
});
