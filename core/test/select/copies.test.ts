import { describe, expect, test } from "vitest";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { selectColumns } from "../../src/linalg/matrix.ts";
import { fold, keyFromSeed, uniforms } from "../../src/random/index.ts";
import {
  drawGenotypeKnockoffs,
  fitGenotypeKnockoffs,
  type GenotypeKnockoffs,
} from "../../src/select/genotype-knockoffs.ts";
import { drawGaussianKnockoffs, fitGaussianKnockoffs } from "../../src/select/index.ts";
import { singletons } from "../../src/select/partition.ts";
import { drawPermutedKnockoffs } from "../../src/select/permuted-knockoffs.ts";
import { estimateShrinkage } from "../../src/select/shrinkage.ts";
import { standardise } from "../../src/select/standardise.ts";
import { correlatedNormals } from "../../src/simulate/index.ts";
import { expectClose } from "../support/close.ts";

const key = keyFromSeed(11);

function correlationOf(A: Matrix, a: number, B: Matrix, b: number): number {
  const column = (M: Matrix, j: number) =>
    Float64Array.from({ length: M.rows }, (_, i) => M.data[i * M.cols + j]);
  const [x, y] = [column(A, a), column(B, b)];
  const mean = (v: Float64Array) => v.reduce((s, e) => s + e, 0) / v.length;
  const [mx, my] = [mean(x), mean(y)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    xx += (x[i] - mx) ** 2;
    yy += (y[i] - my) ** 2;
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / Math.sqrt(xx * yy);
}

describe("Gaussian copies of rows", () => {
  const X = correlatedNormals(8000, 8, { kind: "autoregressive", rho: 0.6 }, fold(key, "X"));
  // In units of their own, far from zero.
  const inUnits = (A: Matrix): Matrix =>
    matrix(
      A.rows,
      A.cols,
      A.data.map((x, e) => (1 + (e % A.cols)) * (100 + x)),
    );
  const own = inUnits(X);
  // One factor behind all columns.
  const factor = correlatedNormals(
    8000,
    40,
    { kind: "blocks", rho: 0.5, size: 40 },
    fold(key, "F"),
  );

  test.each([
    ["dense", inUnits(X), {}, (lag: number) => 0.6 ** lag],
    ["low-rank", inUnits(factor), { rank: 1 }, () => 0.5],
  ] as const)(
    "(%s) have means, spreads and correlations of the columns",
    (structure, rows, options, expected) => {
      const p = rows.cols;
      const model = fitGaussianKnockoffs(rows, { structure, ...options });
      const copies = drawGaussianKnockoffs(model, rows, fold(key, "draw"));
      for (let j = 0; j < 8; j++) {
        let [mean, square] = [0, 0];
        for (let i = 0; i < rows.rows; i++) mean += copies.data[i * p + j] / rows.rows;
        for (let i = 0; i < rows.rows; i++)
          square += (copies.data[i * p + j] - mean) ** 2 / rows.rows;
        expect(Math.abs(mean / (j + 1) - 100)).toBeLessThan(0.05);
        expect(Math.sqrt(square) / (j + 1)).toBeCloseTo(1, 1);
        for (let k = 0; k < 8; k++) {
          if (k === j) continue;
          const target = expected(Math.abs(j - k));
          expect(Math.abs(correlationOf(copies, j, copies, k) - target)).toBeLessThan(0.05);
          expect(Math.abs(correlationOf(rows, j, copies, k) - target)).toBeLessThan(0.05);
        }
        // A copy is not its original.
        expect(correlationOf(rows, j, copies, j)).toBeLessThan(0.8);
      }
    },
  );

  test("differ by key and are the same for the same key", () => {
    const model = fitGaussianKnockoffs(own);
    const draw = (label: string) => drawGaussianKnockoffs(model, own, fold(key, label));
    expect(draw("a").data).toEqual(draw("a").data);
    expect(draw("a").data).not.toEqual(draw("b").data);
    expect(drawGaussianKnockoffs(structuredClone(model), own, fold(key, "a")).data).toEqual(
      draw("a").data,
    );
  });

  test("need fewer rows than columns no more than others: correlations are shrunk", () => {
    const few = correlatedNormals(30, 60, { kind: "autoregressive", rho: 0.5 }, fold(key, "few"));
    for (const structure of ["dense", "low-rank"] as const) {
      const model = fitGaussianKnockoffs(few, { structure });
      expect(model.lambda).toBeGreaterThan(0.3);
      const copies = drawGaussianKnockoffs(model, few, key);
      expect(copies.data.every(Number.isFinite)).toBe(true);
    }
  });

  test("say which columns are too close to others, and keep the rest apart", () => {
    const twins = matrix(500, 4);
    for (let i = 0; i < 500; i++) {
      for (let j = 0; j < 3; j++) twins.data[i * 4 + j] = X.data[i * 8 + j];
      twins.data[i * 4 + 3] = X.data[i * 8];
    }
    const { diagnostics, construction } = fitGaussianKnockoffs(twins);
    expect(diagnostics[0]).toMatchObject({ code: "copies-near-originals", columns: [0, 3] });
    if (construction.kind !== "dense") throw new Error("expected a dense construction");
    expect(construction.distances[2].data[0]).toBeGreaterThan(0.4);
    expect(fitGaussianKnockoffs(twins, { groups: [[0, 3]] }).diagnostics).toEqual([]);
  });

  test("say what is wrong with columns, groups and shrinkage", () => {
    const constant = matrix(5, 2, Float64Array.of(1, 7, 2, 7, 3, 7, 4, 7, 6, 7));
    expect(() => fitGaussianKnockoffs(constant)).toThrow(/columns that vary, got column 1/);
    expect(() => fitGaussianKnockoffs(X, { groups: [[0, 1], [1]] })).toThrow(
      /share no column, got column 1/,
    );
    expect(() => fitGaussianKnockoffs(X, { groups: [[9]] })).toThrow(/columns from 0 to 7, got 9/);
    expect(() => fitGaussianKnockoffs(X, { shrinkage: 2 })).toThrow(/from 0 to 1, got 2/);
    expect(() => fitGaussianKnockoffs(X, { shrinkage: 0, structure: "low-rank" })).toThrow(
      /shrinkage above 0/,
    );
    const model = fitGaussianKnockoffs(X);
    expect(() => drawGaussianKnockoffs(model, selectColumns(X, [0]), key)).toThrow(/8 columns/);
  });
});

test("shrinkage is Schäfer and Strimmer's, pair by pair", () => {
  const X = correlatedNormals(40, 6, { kind: "autoregressive", rho: 0.5 }, fold(key, "shrink"));
  const { Z } = standardise("test", X);
  const groups = [[0, 1], [2], [3], [4, 5]];
  const n = 40;
  let [variance, squares] = [0, 0];
  for (let j = 0; j < 6; j++)
    for (let k = 0; k < 6; k++) {
      if (groups.some((group) => group.includes(j) && group.includes(k))) continue;
      const w = Array.from({ length: n }, (_, i) => Z.data[i * 6 + j] * Z.data[i * 6 + k]);
      const mean = w.reduce((sum, value) => sum + value, 0) / n;
      variance += (n / (n - 1) ** 3) * w.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      squares += ((n / (n - 1)) * mean) ** 2;
    }
  const { lambda, target } = estimateShrinkage(Z, groups);
  expect(lambda).toBeCloseTo(variance / squares, 12);
  expect(target[0].data[0]).toBe(1);
  expect(Math.abs(target[0].data[1])).toBeGreaterThan(0.1);
  expect(estimateShrinkage(Z, singletons(6), 0.25).lambda).toBe(0.25);
});

test("permuted copies hold the values of each column in another order, groups by whole rows", () => {
  const X = correlatedNormals(200, 4, { kind: "independent" }, fold(key, "permuted"));
  const plain = drawPermutedKnockoffs(X, key);
  const sorted = (A: Matrix, j: number) =>
    Float64Array.from({ length: A.rows }, (_, i) => A.data[i * A.cols + j]).sort();
  for (let j = 0; j < 4; j++) {
    expect(sorted(plain, j)).toEqual(sorted(X, j));
    expect(Math.abs(correlationOf(plain, j, X, j))).toBeLessThan(0.3);
  }
  expect(drawPermutedKnockoffs(X, key, singletons(4)).data).toEqual(plain.data);
  const grouped = drawPermutedKnockoffs(X, key, [[1, 2]]);
  expectClose([correlationOf(grouped, 1, grouped, 2)], [correlationOf(X, 1, X, 2)], { rtol: 1e-9 });
});

describe("copies of genotypes", () => {
  /** Three columns, the last depends on the middle one, the middle one on the first. */
  const transitions = Float64Array.of(
    0.5,
    0.3,
    0.2,
    0.5,
    0.3,
    0.2,
    0.5,
    0.3,
    0.2,
    0.8,
    0.15,
    0.05,
    0.2,
    0.6,
    0.2,
    0.1,
    0.3,
    0.6,
    0.7,
    0.2,
    0.1,
    0.25,
    0.5,
    0.25,
    0.05,
    0.15,
    0.8,
  );
  const chain = (rows: number): Matrix => {
    const out = matrix(rows, 3);
    const next = uniforms(fold(key, "chain"));
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < 3; j++) {
        const from = j === 0 ? 0 : out.data[i * 3 + j - 1];
        const at = (j * 3 + from) * 3;
        const u = next();
        out.data[i * 3 + j] =
          u < transitions[at] ? 0 : u < transitions[at] + transitions[at + 1] ? 1 : 2;
      }
    return out;
  };
  const X = chain(200_000);
  const model: GenotypeKnockoffs = { kind: "genotype-knockoffs", transitions };

  test("change places with their columns, any of them, without anybody noticing", () => {
    const copies = drawGenotypeKnockoffs(model, X, key);
    const counts = new Float64Array(3 ** 6);
    for (let i = 0; i < X.rows; i++) {
      let cell = 0;
      for (let j = 0; j < 3; j++) cell = cell * 9 + X.data[i * 3 + j] * 3 + copies.data[i * 3 + j];
      counts[cell]++;
    }
    for (const swapped of [[0], [1], [2], [0, 1], [1, 2], [0, 2]]) {
      let [chi, degrees] = [0, 0];
      for (let cell = 0; cell < counts.length; cell++) {
        const pairs = [Math.floor(cell / 81), Math.floor(cell / 9) % 9, cell % 9];
        const other = pairs
          .map((pair, j) => (swapped.includes(j) ? (pair % 3) * 3 + Math.floor(pair / 3) : pair))
          .reduce((sum, pair) => sum * 9 + pair, 0);
        if (other <= cell || counts[cell] + counts[other] < 10) continue;
        chi += (counts[cell] - counts[other]) ** 2 / (counts[cell] + counts[other]);
        degrees++;
      }
      // Four standard deviations of χ² above its mean.
      expect(chi).toBeLessThan(degrees + 4 * Math.sqrt(2 * degrees));
      expect(degrees).toBeGreaterThan(100);
    }
    let same = 0;
    for (let e = 0; e < X.data.length; e++) if (X.data[e] === copies.data[e]) same++;
    expect(same / X.data.length).toBeLessThan(0.7);
  });

  test("come from transitions that the rows show, and a new chain forgets the last one", () => {
    expectClose(fitGenotypeKnockoffs(X).transitions, transitions, { rtol: 0, atol: 0.01 });
    const apart = fitGenotypeKnockoffs(X, { chainStarts: [2] }).transitions;
    expectClose(apart.slice(18, 21), apart.slice(24, 27), { rtol: 1e-12 });
    const copies = drawGenotypeKnockoffs(fitGenotypeKnockoffs(X, { chainStarts: [2] }), X, key);
    expect(Math.abs(correlationOf(copies, 2, X, 1))).toBeLessThan(0.02);
    expect(Math.abs(correlationOf(X, 2, X, 1))).toBeGreaterThan(0.4);
  });

  test("are refused where something is no genotype", () => {
    const wrong = matrix(2, 2, Float64Array.of(0, 1, 2, 0.5));
    expect(() => fitGenotypeKnockoffs(wrong)).toThrow(/got 0.5 in row 1, column 1/);
    expect(() => fitGenotypeKnockoffs(X, { pseudoCount: 0 })).toThrow(/above 0/);
  });
});
