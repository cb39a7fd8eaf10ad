import { describe, expect, test } from "vitest";
import {
  fromRows,
  gram,
  type Matrix,
  matrix,
  multiply,
  multiplyTranspose,
  multiplyVector,
  outerGram,
  rowBlock,
  transpose,
  transposeMultiply,
  transposeMultiplyVector,
} from "../../src/linalg/index.ts";
import {
  gramInto,
  multiplyInto,
  multiplyVectorInto,
  transposeMultiplyInto,
} from "../../src/linalg/products.ts";
import { expectClose } from "../support/close.ts";
import { naiveProduct, randomMatrix, shapes } from "./random-matrix.ts";

const A = fromRows([
  [1, 2],
  [3, 4],
  [5, 6],
]);
const B = fromRows([
  [1, 0, -1],
  [2, 1, 0],
]);

function expectSame(actual: Matrix, expected: Matrix) {
  expect([actual.rows, actual.cols]).toEqual([expected.rows, expected.cols]);
  expectClose(actual.data, expected.data, { rtol: 1e-13, atol: 1e-13 });
}

test("a product worked by hand", () => {
  expect(multiply(A, B)).toEqual(
    fromRows([
      [5, 2, -1],
      [11, 4, -3],
      [17, 6, -5],
    ]),
  );
  expect(gram(A)).toEqual(
    fromRows([
      [35, 44],
      [44, 56],
    ]),
  );
  expect([...multiplyVector(A, Float64Array.of(1, -1))]).toEqual([-1, -1, -1]);
  expect([...transposeMultiplyVector(A, Float64Array.of(1, 0, -1))]).toEqual([-4, -4]);
});

test("every product is its definition, over all shapes", () => {
  for (const [n, p] of shapes) {
    const X = randomMatrix(1, n, p);
    const Y = randomMatrix(2, p, 4);
    const Z = randomMatrix(3, n, 4);
    const x = randomMatrix(4, p, 1);
    const z = randomMatrix(5, n, 1);
    expectSame(multiply(X, Y), naiveProduct(X, Y));
    expectSame(transposeMultiply(X, Z), naiveProduct(transpose(X), Z));
    expectSame(multiplyTranspose(X, transpose(Y)), naiveProduct(X, Y));
    expectSame(gram(X), naiveProduct(transpose(X), X));
    expectSame(outerGram(X), naiveProduct(X, transpose(X)));
    expectClose(multiplyVector(X, x.data), naiveProduct(X, x).data, { atol: 1e-13 });
    expectClose(transposeMultiplyVector(X, z.data), naiveProduct(transpose(X), z).data, {
      atol: 1e-13,
    });
  }
});

test("…Into forms overwrite whatever was in the output, NaN included, and return it", () => {
  const filled = (rows: number, cols: number) => {
    const out = matrix(rows, cols);
    out.data.fill(Number.NaN);
    return out;
  };
  const square = filled(3, 3);
  expect(multiplyInto(square, A, B)).toBe(square);
  expect(square).toEqual(multiply(A, B));
  expect(transposeMultiplyInto(filled(2, 2), A, transpose(B))).toEqual(
    transposeMultiply(A, transpose(B)),
  );
  expect(gramInto(filled(2, 2), A)).toEqual(gram(A));
  const x = Float64Array.of(1, -1);
  expect(multiplyVectorInto(filled(3, 1).data, A, x)).toEqual(multiplyVector(A, x));
});

describe("refusals", () => {
  test("inner sizes that disagree are named with both shapes", () => {
    expect(() => multiply(A, A)).toThrow(
      "multiply: needs as many columns in A as rows in B, got 3×2 and 3×2",
    );
    expect(() => transposeMultiply(A, B)).toThrow("as many rows in A as rows in B");
    expect(() => multiplyTranspose(A, B)).toThrow("as many columns in A as columns in B");
    expect(() => multiplyVector(A, new Float64Array(3))).toThrow(
      "multiplyVector: needs 2 numbers in x, got 3",
    );
    expect(() => transposeMultiplyVector(A, new Float64Array(2))).toThrow(
      "needs 3 numbers in x, got 2",
    );
  });

  test("an output of the wrong shape", () => {
    expect(() => multiplyInto(matrix(2, 2), A, B)).toThrow("multiply: needs a 3×3 output, got 2×2");
    expect(() => gramInto(matrix(3, 3), A)).toThrow("gram: needs a 2×2 output, got 3×3");
    expect(() => multiplyVectorInto(new Float64Array(2), A, new Float64Array(2))).toThrow(
      "the output",
    );
  });

  test("an output that overlaps an input, but not one that only lives in the same buffer", () => {
    const S = fromRows([
      [1, 2],
      [3, 4],
      [0, 0],
      [0, 0],
    ]);
    const top = rowBlock(S, 0, 2);
    const middle = rowBlock(S, 1, 3);
    const bottom = rowBlock(S, 2, 4);
    expect(() => multiplyInto(middle, top, top)).toThrow(
      expect.objectContaining({ code: "domain" }),
    );
    expect(() => gramInto(top, top)).toThrow("shares memory");
    expect(multiplyInto(bottom, top, top)).toEqual(
      fromRows([
        [7, 10],
        [15, 22],
      ]),
    );
  });
});
