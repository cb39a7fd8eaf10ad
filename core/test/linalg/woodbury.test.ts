import { describe, expect, test } from "vitest";
import {
  cholesky,
  choleskyInverseDiagonal,
  choleskyLogDeterminant,
  choleskySolve,
  factoriseDiagonalPlusLowRank,
  fromRows,
  type Matrix,
  matrix,
  outerGram,
  woodburyInverseDiagonal,
  woodburyLeverage,
  woodburyLogDeterminant,
  woodburySolve,
  woodburySolveVector,
} from "../../src/linalg/index.ts";
import { expectClose } from "../support/close.ts";
import { randomMatrix } from "./random-matrix.ts";

function dense(D: Float64Array, A: Matrix): Matrix {
  const S = outerGram(A);
  for (let j = 0; j < D.length; j++) S.data[j * D.length + j] += D[j];
  return S;
}

const noise = (seed: number, p: number) => randomMatrix(seed, p, 1).data.map(Math.exp);

test("one variable by hand: D = 2, A = (1, 2)", () => {
  const F = factoriseDiagonalPlusLowRank(Float64Array.of(2), fromRows([[1, 2]]));
  expectClose(woodburySolveVector(F, Float64Array.of(14)), [2], { rtol: 1e-15 });
  expectClose([woodburyLogDeterminant(F)], [Math.log(7)], { rtol: 1e-15 });
  expectClose(woodburyInverseDiagonal(F), [1 / 7], { rtol: 1e-15 });
  expectClose(woodburyLeverage(F), [5 / 7], { rtol: 1e-15 });
});

test("agrees with the dense matrix over shapes, l = 0 and l > p included", () => {
  for (const [p, l] of [
    [0, 2],
    [1, 0],
    [5, 0],
    [1, 3],
    [7, 2],
    [31, 5],
    [67, 67],
    [13, 29],
  ]) {
    const D = noise(1, p);
    const A = randomMatrix(2, p, l);
    const B = randomMatrix(3, p, 2);
    const F = factoriseDiagonalPlusLowRank(D, A);
    const L = cholesky(dense(D, A));
    const tolerance = { rtol: 1e-10, atol: 1e-12 };
    expectClose(woodburySolve(F, B).data, choleskySolve(L, B).data, tolerance);
    expectClose(woodburyInverseDiagonal(F), choleskyInverseDiagonal(L), { rtol: 1e-11 });
    expectClose([woodburyLogDeterminant(F)], [choleskyLogDeterminant(L)], {
      rtol: 1e-12,
      atol: 1e-12,
    });
    const b = randomMatrix(4, p, 1);
    expectClose(woodburySolveVector(F, b.data), choleskySolve(L, b).data, tolerance);
  }
});

test("rescaling a variable rescales its answers and leaves its leverage", () => {
  const p = 20;
  const D = noise(5, p);
  const A = randomMatrix(6, p, 4);
  const scales = noise(7, p).map((v) => v ** 10);
  const scaled = matrix(
    p,
    4,
    A.data.map((v, at) => v * scales[Math.floor(at / 4)]),
  );
  const plain = factoriseDiagonalPlusLowRank(D, A);
  const rescaled = factoriseDiagonalPlusLowRank(
    D.map((d, j) => d * scales[j] ** 2),
    scaled,
  );
  expectClose(woodburyLeverage(rescaled), woodburyLeverage(plain), { rtol: 1e-13 });
  expectClose(
    woodburyInverseDiagonal(rescaled),
    woodburyInverseDiagonal(plain).map((v, j) => v / scales[j] ** 2),
    { rtol: 1e-12 },
  );
});

test("a hundred thousand variables need no p×p matrix", () => {
  const p = 100_000;
  const A = matrix(p, 1, new Float64Array(p).fill(1));
  const F = factoriseDiagonalPlusLowRank(new Float64Array(p).fill(2), A);
  // (2I + 11ᵀ)⁻¹ = I/2 − 11ᵀ/(2(2 + p)),  |2I + 11ᵀ| = 2^p(1 + p/2)
  const diagonal = 0.5 - 0.5 / (2 + p);
  expectClose(woodburyInverseDiagonal(F).subarray(0, 3), [diagonal, diagonal, diagonal], {
    rtol: 1e-12,
  });
  expectClose([woodburyLogDeterminant(F)], [p * Math.log(2) + Math.log1p(p / 2)], { rtol: 1e-12 });
});

describe("refusals", () => {
  const A = fromRows([[1], [2]]);

  test("a diagonal entry that is not positive and finite is named", () => {
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => factoriseDiagonalPlusLowRank(Float64Array.of(1, bad), A)).toThrow(
        `needs a positive diagonal, got ${bad} at 1`,
      );
  });

  test("shapes that disagree, and NaN in the factor", () => {
    expect(() => factoriseDiagonalPlusLowRank(Float64Array.of(1), A)).toThrow(
      "needs 2 numbers in D, got 1",
    );
    const F = factoriseDiagonalPlusLowRank(Float64Array.of(1, 1), A);
    expect(() => woodburySolve(F, matrix(3, 1))).toThrow(
      "woodburySolve: needs 2 rows in B, as in D, got 3×1",
    );
    expect(() => woodburySolveVector(F, new Float64Array(1))).toThrow(
      "needs 2 numbers in b, got 1",
    );
    expect(() =>
      factoriseDiagonalPlusLowRank(Float64Array.of(1, 1), fromRows([[1], [Number.NaN]])),
    ).toThrow(expect.objectContaining({ code: "domain" }));
  });
});
