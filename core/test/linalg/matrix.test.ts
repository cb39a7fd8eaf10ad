import { describe, expect, test } from "vitest";
import {
  firstNonFinite,
  fromRows,
  identity,
  matrix,
  rowBlock,
  transpose,
} from "../../src/linalg/index.ts";
import { selectColumns, selectRows } from "../../src/linalg/matrix.ts";
import { randomMatrix, shapes } from "./random-matrix.ts";

const A = fromRows([
  [1, 2, 3],
  [4, 5, 6],
]);

describe("matrix", () => {
  test("wraps its numbers without copying and starts at zero without them", () => {
    const data = Float64Array.of(1, 2);
    expect(matrix(1, 2, data).data).toBe(data);
    expect([...matrix(2, 1).data]).toEqual([0, 0]);
  });

  test("refuses a wrong count and shapes that are no whole numbers", () => {
    expect(() => matrix(2, 2, new Float64Array(3))).toThrow("needs 4 numbers for 2×2, got 3");
    for (const [rows, cols] of [
      [-1, -2],
      [2.5, 2],
      [Number.NaN, 0],
    ])
      expect(() => matrix(rows, cols)).toThrow(expect.objectContaining({ code: "shape" }));
  });

  test("row blocks share memory", () => {
    const B = matrix(3, 2);
    rowBlock(B, 1, 2).data[0] = 5;
    expect(B.data[2]).toBe(5);
  });
});

test("fromRows copies rows in order and refuses ragged ones", () => {
  expect(A).toEqual({ rows: 2, cols: 3, data: Float64Array.of(1, 2, 3, 4, 5, 6) });
  expect(fromRows([])).toEqual(matrix(0, 0));
  expect(() => fromRows([[1, 2], [3]])).toThrow(
    "fromRows: needs 2 numbers in row 1, as in row 0, got 1",
  );
});

test("the identity has ones on its diagonal alone", () => {
  expect(identity(2)).toEqual(
    fromRows([
      [1, 0],
      [0, 1],
    ]),
  );
  expect(identity(0)).toEqual(matrix(0, 0));
});

test("transpose moves (i, j) to (j, i), across tiles too", () => {
  expect(transpose(A)).toEqual(
    fromRows([
      [1, 4],
      [2, 5],
      [3, 6],
    ]),
  );
  for (const [rows, cols] of shapes) {
    const B = randomMatrix(1, rows, cols);
    const T = transpose(B);
    expect([T.rows, T.cols]).toEqual([cols, rows]);
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < cols; j++)
        if (T.data[j * rows + i] !== B.data[i * cols + j]) expect.fail(`entry ${i}, ${j}`);
  }
});

test("selectRows and selectColumns copy in the asked order and refuse what is not there", () => {
  expect(selectRows(A, [1, 0, 1])).toEqual(
    fromRows([
      [4, 5, 6],
      [1, 2, 3],
      [4, 5, 6],
    ]),
  );
  expect(selectColumns(A, [2, 0])).toEqual(
    fromRows([
      [3, 1],
      [6, 4],
    ]),
  );
  expect(selectColumns(A, [])).toEqual(matrix(2, 0));
  expect(() => selectRows(A, [2])).toThrow("selectRows: needs row indices from 0 to 1, got 2");
  expect(() => selectColumns(A, [0.5])).toThrow(expect.objectContaining({ code: "shape" }));
});

test("a matrix for which there is no memory is refused with its size", () => {
  expect(() => matrix(1e6, 1e6)).toThrow(
    "matrix: needs 8000 GB for 1000000×1000000 numbers, more than there is",
  );
});

test("firstNonFinite finds NaN and both infinities", () => {
  for (let length = 0; length < 10; length++) {
    const values = new Float64Array(length).fill(Number.MAX_VALUE);
    expect(firstNonFinite(values)).toBe(-1);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      for (let at = 0; at < length; at++) {
        const one = values.with(at, bad);
        one[length - 1] = bad;
        expect(firstNonFinite(one)).toBe(at);
      }
  }
});
