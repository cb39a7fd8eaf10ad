import { expect, test } from "vitest";
import { fromRows, gram, matrix, outerGram, transpose } from "../../src/linalg/index.ts";
import { selectColumns } from "../../src/linalg/matrix.ts";
import { factorisePivoted } from "../../src/linalg/pivoted-qr.ts";
import { expectClose } from "../support/close.ts";
import { randomMatrix, scaleColumns } from "./random-matrix.ts";

test("orthogonal columns come in the order of their size", () => {
  const A = fromRows([
    [1, 0, 0],
    [0, 3, 0],
    [0, 0, 2],
  ]);
  const columns = transpose(A);
  const { order } = factorisePivoted(columns.data, 3, 3);
  expect([...order]).toEqual([1, 2, 0]);
  expectClose(columns.data.map(Math.abs), [3, 0, 0, 0, 2, 0, 0, 0, 1]);
});

test("RᵀR is the Gram matrix of the reordered columns, and no entry right of R_jj exceeds it", () => {
  const [n, p] = [40, 23];
  const scales = Array.from({ length: p }, (_, j) => 1 + ((7 * j) % p));
  const A = scaleColumns(randomMatrix(1, n, p), scales);
  const columns = transpose(A);
  const { order } = factorisePivoted(columns.data, p, n);
  const Rt = matrix(p, n, columns.data);
  expectClose(outerGram(Rt).data, gram(selectColumns(A, order)).data, { rtol: 1e-12, atol: 1e-9 });
  const R = (i: number, j: number) => Math.abs(columns.data[j * n + i]);
  for (let j = 0; j < p; j++) {
    for (let c = j + 1; c < p; c++) expect(R(j, c)).toBeLessThanOrEqual(R(j, j) * (1 + 1e-14));
    for (let i = j + 1; i < n; i++) expect(R(i, j)).toBe(0);
    if (j > 0) expect(R(j, j)).toBeLessThanOrEqual(R(j - 1, j - 1) * (1 + 1e-14));
  }
});
