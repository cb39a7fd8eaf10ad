import { expect, test } from "vitest";
import { solveLowerTriangular } from "../../src/linalg/cholesky.ts";
import { cholesky, fromRows, gram, transpose } from "../../src/linalg/index.ts";
import { rowLeverages } from "../../src/linalg/leverage.ts";
import { expectClose } from "../support/close.ts";
import { randomMatrix } from "./random-matrix.ts";

test("one row by hand: U = (4, 9), L = [[2, 0], [1, 3]]", () => {
  const L = fromRows([
    [2, 0],
    [1, 3],
  ]);
  // L⁻¹u = (2, 7/3).
  expectClose(rowLeverages(fromRows([[4, 9]]), L), [4 + 49 / 9], { rtol: 1e-15 });
});

test("each row's squared length after half a solve, over shapes", () => {
  for (const [p, l] of [
    [0, 2],
    [5, 0],
    [1, 3],
    [7, 2],
    [67, 67],
    [130, 5],
  ]) {
    const U = randomMatrix(1, p, l);
    const K = gram(randomMatrix(2, l + 3, l));
    for (let k = 0; k < l; k++) K.data[k * l + k] += 1;
    const L = cholesky(K);
    const half = solveLowerTriangular(L, transpose(U));
    const expected = Float64Array.from({ length: p }, (_, j) =>
      Array.from({ length: l }, (_, k) => half.data[k * p + j] ** 2).reduce((a, b) => a + b, 0),
    );
    expectClose(rowLeverages(U, L), expected, { rtol: 1e-12 });
    expect(rowLeverages(U, L).length).toBe(p);
  }
});
