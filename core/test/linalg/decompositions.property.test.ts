import fc from "fast-check";
import { expect, test } from "vitest";
import {
  eigh,
  gram,
  identity,
  type Matrix,
  matrix,
  multiply,
  multiplyTranspose,
  qr,
} from "../../src/linalg/index.ts";
import { defaultRcond, pseudoInverse } from "../../src/linalg/pseudo-inverse.ts";
import { svd } from "../../src/linalg/svd.ts";
import { expectClose } from "../support/close.ts";
import { largest, scaleColumns } from "./random-matrix.ts";

/** Small whole numbers: zeros, ties, repeated rows and exact rank deficiency come up all the time. */
const integerMatrix = fc
  .tuple(
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 0, max: 3 }),
  )
  .chain(([rows, cols, size]) =>
    fc
      .array(fc.integer({ min: -size, max: size }), {
        minLength: rows * cols,
        maxLength: rows * cols,
      })
      .map((values) => matrix(rows, cols, Float64Array.from(values))),
  );

const always = (check: (A: Matrix) => void) =>
  fc.assert(fc.property(integerMatrix, check), { seed: 1, numRuns: 300 });

const expectOrthonormal = (A: Matrix) =>
  expectClose(gram(A).data, identity(A.cols).data, { rtol: 0, atol: 1e-13 });

const expectSame = (actual: Matrix, expected: Matrix) =>
  expectClose(actual.data, expected.data, { rtol: 0, atol: 1e-12 });

test("Q R = A", () => {
  always((A) => {
    const { Q, R } = qr(A);
    expectOrthonormal(Q);
    expectSame(multiply(Q, R), A);
  });
});

test("V Λ Vᵀ = AᵀA, with no eigenvalue below zero by more than rounding", () => {
  always((A) => {
    const S = gram(A);
    const { values, vectors } = eigh(S);
    expectOrthonormal(vectors);
    expectSame(multiplyTranspose(scaleColumns(vectors, values), vectors), S);
    for (const value of values) expect(value).toBeGreaterThan(-1e-12);
  });
});

test("U Σ Vᵀ = A, and Σ² are the eigenvalues of AᵀA", () => {
  always((A) => {
    const { U, values, V } = svd(A);
    expectOrthonormal(U);
    expectOrthonormal(V);
    expectSame(multiplyTranspose(scaleColumns(U, values), V), A);
    const squares = eigh(gram(A)).values.toReversed().slice(0, values.length);
    expectClose(
      values.map((v) => v * v),
      squares,
      { rtol: 0, atol: 1e-11 },
    );
  });
});

test("A A⁺ A = A, and the rank is the trace of A⁺A", () => {
  always((A) => {
    const P = pseudoInverse(A);
    expectSame(multiply(multiply(A, P), A), A);
    const PA = multiply(P, A);
    let trace = 0;
    for (let i = 0; i < PA.rows; i++) trace += PA.data[i * PA.rows + i];
    const { values } = svd(A);
    const rank = values.filter((value) => value > defaultRcond(A) * values[0]).length;
    expect(Math.abs(trace - rank)).toBeLessThan(1e-9 * Math.max(1, largest(P)));
  });
});
