import { expect, test } from "vitest";
import { addScaled, dot, dotFrom } from "../../src/linalg/dot.ts";
import { fromRows } from "../../src/linalg/index.ts";
import {
  errorOfMean,
  meanOf,
  meansOfColumns,
  squaresOf,
  squaresOfColumns,
  variancesOfColumns,
} from "../../src/linalg/moments.ts";
import { expectClose } from "../support/close.ts";
import { randomMatrix } from "./random-matrix.ts";

test("moments of 1, 2, 6 by hand", () => {
  expect(meanOf([1, 2, 6])).toBe(3);
  expect(squaresOf([1, 2, 6])).toBe(14);
  expect(squaresOf([1, 2, 6], 0)).toBe(41);
  expectClose([errorOfMean([1, 2, 6])], [Math.sqrt(7 / 3)], { rtol: 1e-15 });
});

test("moments of columns are those of each column", () => {
  const X = fromRows([
    [1, 10],
    [2, 20],
    [6, 60],
  ]);
  const means = meansOfColumns(X);
  expectClose(means, [3, 30], { rtol: 1e-15 });
  expectClose(squaresOfColumns(X, means), [14, 1400], { rtol: 1e-14 });
  expectClose(squaresOfColumns(X, Float64Array.of(0, 10)), [41, 2600], { rtol: 1e-14 });
  expectClose(variancesOfColumns(X), [7, 700], { rtol: 1e-14 });
});

test("both dot products are the sum of the products, over lengths and places", () => {
  for (let n = 0; n < 12; n++) {
    const a = randomMatrix(1, 1, n + 3).data;
    const b = randomMatrix(2, 1, n + 5).data;
    let expected = 0;
    for (let i = 0; i < n; i++) expected += a[2 + i] * b[4 + i];
    expectClose([dotFrom(a, 2, b, 4, n)], [expected], { atol: 1e-14 });
    expectClose([dot(a.subarray(2, n + 2), b.subarray(4, n + 4))], [expected], { atol: 1e-14 });
  }
});

test("addScaled adds a stretch", () => {
  const y = Float64Array.of(1, 2);
  addScaled(y, 10, Float64Array.of(7, 3, 4), 1);
  expect([...y]).toEqual([31, 42]);
});
