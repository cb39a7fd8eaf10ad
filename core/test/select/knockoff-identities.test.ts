import { describe, expect, test } from "vitest";
import { eigenvalues } from "../../src/linalg/eigh.ts";
import {
  identity,
  type Matrix,
  matrix,
  multiply,
  multiplyTranspose,
  outerGram,
  transpose,
  transposeMultiply,
} from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normalInto } from "../../src/random/index.ts";
import {
  denseConstruction,
  denseCopies,
  type KnockoffMethod,
  spread,
} from "../../src/select/dense-construction.ts";
import {
  type LowRankCovariance,
  lowRankConstruction,
  lowRankCopies,
} from "../../src/select/low-rank-construction.ts";
import { type Partition, singletons } from "../../src/select/partition.ts";

const methods: readonly KnockoffMethod[] = ["equicorrelated", "minimum-variance"];

function normalMatrix(rows: number, cols: number, label: string): Matrix {
  const out = matrix(rows, cols);
  normalInto(out.data, fold(keyFromSeed(5), label));
  return out;
}

/** A correlation matrix with neighbours at ρ and something in common. */
function correlation(p: number, rho: number): Matrix {
  const out = matrix(p, p);
  for (let i = 0; i < p; i++)
    for (let j = 0; j < p; j++)
      out.data[i * p + j] = i === j ? 1 : 0.9 * rho ** Math.abs(i - j) + 0.05;
  return out;
}

const plus = (A: Matrix, B: Matrix, sign = 1): Matrix =>
  matrix(
    A.rows,
    A.cols,
    A.data.map((a, e) => a + sign * B.data[e]),
  );

const largest = (A: Matrix): number => A.data.reduce((most, a) => Math.max(most, Math.abs(a)), 0);

/** MᵀΣM + V = Σ and ΣM = Σ − S, relative to Σ. */
function identityErrors(Sigma: Matrix, M: Matrix, C: Matrix, S: Matrix): [number, number] {
  const V = outerGram(C);
  const copies = plus(transposeMultiply(M, multiply(Sigma, M)), V);
  const cross = multiply(Sigma, M);
  return [
    largest(plus(copies, Sigma, -1)) / largest(Sigma),
    largest(plus(cross, plus(Sigma, S, -1), -1)) / largest(Sigma),
  ];
}

const p = 12;
const mixed: Partition = [[0, 5, 2], [1], [3, 4], [6], [11, 7, 8, 9], [10]];

describe.each(methods)("%s copies of a full covariance", (method) => {
  test.each([
    ["columns", singletons(p)],
    ["groups", mixed],
  ])("of %s have the covariance of the columns, and theirs with others", (_, groups) => {
    const Sigma = correlation(p, 0.7);
    const made = denseConstruction(Sigma, groups, method);
    const M = denseCopies(made, identity(p), matrix(p, p));
    const C = transpose(denseCopies(made, matrix(p, p), identity(p)));
    const S = spread(made.distances, groups, p);
    const errors = identityErrors(Sigma, M, C, S);
    expect(errors[0]).toBeLessThan(1e-10);
    expect(errors[1]).toBeLessThan(1e-10);
    // S is what it should be: in the groups only, and as far as 2Σ allows.
    for (let i = 0; i < p; i++)
      for (let j = 0; j < p; j++) {
        const together = groups.some((group) => group.includes(i) && group.includes(j));
        if (!together) expect(S.data[i * p + j]).toBe(0);
      }
    const room = eigenvalues(plus(plus(Sigma, Sigma), S, -1))[0];
    expect(room).toBeGreaterThan(0);
    if (method === "equicorrelated") expect(room).toBeLessThan(1e-5);
    else expect(room).toBeGreaterThan(1e-3);
    expect(S.data[0]).toBeGreaterThan(0.1);
  });

  test("of independent columns are independent of them", () => {
    const { distances } = denseConstruction(identity(p), singletons(p), method);
    for (const { data } of distances) expect(data[0]).toBeGreaterThan(1 - 1e-4);
  });

  test("of groups of one are the plain copies, of the whole table one group's", () => {
    const Sigma = correlation(p, 0.6);
    const plain = denseConstruction(Sigma, singletons(p), method);
    const shuffled = denseConstruction(Sigma, singletons(p).reverse(), method);
    plain.distances.forEach(({ data }, j) => {
      expect(shuffled.distances[p - 1 - j].data[0]).toBeCloseTo(data[0], 4);
    });
    const whole = denseConstruction(Sigma, [singletons(p).flat()], method);
    expect(largest(plus(whole.distances[0], Sigma, -1))).toBeLessThan(1e-4);
  });
});

test("equicorrelated distances are min(1, 2λ_min), in closed form for exchangeable columns", () => {
  const rho = 0.8;
  const Sigma = matrix(5, 5, new Float64Array(25).fill(rho));
  for (let j = 0; j < 5; j++) Sigma.data[j * 6] = 1;
  const { distances } = denseConstruction(Sigma, singletons(5), "equicorrelated");
  for (const { data } of distances) expect(data[0]).toBeCloseTo(2 * (1 - rho), 5);
});

test("minimum-variance distances minimise the sum of reciprocal eigenvalues", () => {
  const Sigma = correlation(p, 0.7);
  const objective = (S: Matrix): number => {
    const joint = matrix(2 * p, 2 * p);
    for (let i = 0; i < p; i++)
      for (let j = 0; j < p; j++) {
        const [sigma, s] = [Sigma.data[i * p + j], S.data[i * p + j]];
        joint.data[i * 2 * p + j] = sigma;
        joint.data[(p + i) * 2 * p + p + j] = sigma;
        joint.data[(p + i) * 2 * p + j] = sigma - s;
        joint.data[i * 2 * p + p + j] = sigma - s;
      }
    return eigenvalues(joint).reduce((sum, value) => sum + 1 / value, 0);
  };
  for (const groups of [singletons(p), mixed]) {
    const { distances } = denseConstruction(Sigma, groups, "minimum-variance");
    const best = objective(spread(distances, groups, p));
    groups.forEach((_, g) => {
      for (const factor of [0.98, 1.02]) {
        const moved = distances.map((block, h) =>
          h === g
            ? matrix(
                block.rows,
                block.cols,
                block.data.map((s) => s * factor),
              )
            : block,
        );
        // A share of 1 is the most there is.
        if (factor > 1 && moved[g].data[0] > 1) continue;
        expect(objective(spread(moved, groups, p))).toBeGreaterThan(best);
      }
    });
  }
});

describe.each(methods)("%s copies of a diagonal plus low rank", (method) => {
  const k = 4;
  const build = (groups: Partition): LowRankCovariance & { full: Matrix; D: Matrix } => {
    const factorTransposed = normalMatrix(k, p, "factor");
    const blocks = groups.map((members) => {
      const block = outerGram(normalMatrix(members.length, 8, `block ${members}`));
      return matrix(
        block.rows,
        block.cols,
        block.data.map((value) => value / 8),
      );
    });
    const D = spread(blocks, groups, p);
    return {
      groups,
      blocks,
      factorTransposed,
      D,
      full: plus(D, transposeMultiply(factorTransposed, factorTransposed)),
    };
  };
  test.each([
    ["columns", singletons(p)],
    ["groups", mixed],
  ])("of %s keep the same identities", (_, groups) => {
    const covariance = build(groups);
    const made = lowRankConstruction(covariance, method);
    const zeros = (rows: number) => matrix(rows, p + k);
    const M = lowRankCopies(made, identity(p), (start, end) => zeros(end - start));
    const unit = identity(p + k);
    const C = transpose(lowRankCopies(made, matrix(p + k, p), () => unit));
    const S = matrix(
      p,
      p,
      covariance.D.data.map((d, e) => d * made.distance[e % p]),
    );
    const errors = identityErrors(covariance.full, M, C, S);
    expect(errors[0]).toBeLessThan(1e-10);
    expect(errors[1]).toBeLessThan(1e-10);
    for (const c of made.distance) expect(c).toBeGreaterThan(0.5);
    // Never past the originals' own covariance.
    groups.forEach((members, g) => {
      if (members.length > 1) return;
      const [j] = members;
      expect(made.distance[j] * covariance.blocks[g].data[0]).toBeLessThan(
        covariance.full.data[j * (p + 1)] * (1 + 1e-12),
      );
    });
  });

  test("of a diagonal alone are independent of the columns", () => {
    const D = singletons(p).map((_, j) => matrix(1, 1, Float64Array.of(1 + j)));
    const made = lowRankConstruction(
      { groups: singletons(p), blocks: D, factorTransposed: matrix(1, p) },
      method,
    );
    for (const c of made.distance) expect(c).toBeCloseTo(1, 10);
    const M = lowRankCopies(made, identity(p), (start, end) => matrix(end - start, p + 1));
    expect(largest(M)).toBeLessThan(1e-10);
  });
});

test("copies of low rank in two blocks of rows are those of one row at a time", () => {
  const made = lowRankConstruction(
    {
      groups: singletons(p),
      blocks: singletons(p).map(() => matrix(1, 1, Float64Array.of(0.5))),
      factorTransposed: normalMatrix(3, p, "F"),
    },
    "minimum-variance",
  );
  const Z = normalMatrix(600, p, "Z");
  const E = normalMatrix(600, p + 3, "E");
  const rowsOf = (A: Matrix, start: number, end: number): Matrix =>
    matrix(end - start, A.cols, A.data.slice(start * A.cols, end * A.cols));
  const all = lowRankCopies(made, Z, (start, end) => rowsOf(E, start, end));
  const last = lowRankCopies(made, rowsOf(Z, 599, 600), () => rowsOf(E, 599, 600));
  expect(largest(plus(last, rowsOf(all, 599, 600), -1))).toBeLessThan(1e-12);
  expect(multiplyTranspose(last, last).data[0]).toBeGreaterThan(0);
});
