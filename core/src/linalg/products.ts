import { engine } from "../compute/engine.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { requireLength, shapeOf } from "./checks.ts";
import { type Matrix, matrix } from "./matrix.ts";

/** A B. */
export function multiply(A: Matrix, B: Matrix): Matrix {
  return multiplyInto(matrix(A.rows, B.cols), A, B);
}

/** out ← A B. As in every `…Into` here, `out` is returned and may not share memory with A or B. */
export function multiplyInto(out: Matrix, A: Matrix, B: Matrix): Matrix {
  return product("multiply", out, A, false, B, false);
}

/** Aᵀ B, without forming Aᵀ. */
export function transposeMultiply(A: Matrix, B: Matrix): Matrix {
  return transposeMultiplyInto(matrix(A.cols, B.cols), A, B);
}

/** out ← Aᵀ B. */
export function transposeMultiplyInto(out: Matrix, A: Matrix, B: Matrix): Matrix {
  return product("transposeMultiply", out, A, true, B, false);
}

/** A Bᵀ, without forming Bᵀ. */
export function multiplyTranspose(A: Matrix, B: Matrix): Matrix {
  return product("multiplyTranspose", matrix(A.rows, B.rows), A, false, B, true);
}

/** Aᵀ A (p×p for an n×p matrix), exactly symmetric; half the work of a product. */
export function gram(A: Matrix): Matrix {
  return gramInto(matrix(A.cols, A.cols), A);
}

/** out ← Aᵀ A. */
export function gramInto(out: Matrix, A: Matrix): Matrix {
  checkOutput("gram", out, A.cols, A.cols, A);
  engine().syrk(true, A.cols, A.rows, 1, A.data, A.cols, 0, out.data, out.cols);
  return out;
}

/** out ← out + Aᵀ A. */
export function addGramInPlace(out: Matrix, A: Matrix): Matrix {
  checkOutput("gram", out, A.cols, A.cols, A);
  engine().syrk(true, A.cols, A.rows, 1, A.data, A.cols, 1, out.data, out.cols);
  return out;
}

/** A Aᵀ (n×n for an n×p matrix), exactly symmetric; half the work of a product. */
export function outerGram(A: Matrix): Matrix {
  const out = matrix(A.rows, A.rows);
  engine().syrk(false, A.rows, A.cols, 1, A.data, A.cols, 0, out.data, out.cols);
  return out;
}

/** A x. */
export function multiplyVector(A: Matrix, x: Float64Array): Float64Array {
  return multiplyVectorInto(new Float64Array(A.rows), A, x);
}

/** out ← A x. */
export function multiplyVectorInto(out: Float64Array, A: Matrix, x: Float64Array): Float64Array {
  requireLength("multiplyVector", "x", x, A.cols);
  requireLength("multiplyVector", "the output", out, A.rows);
  return product("multiplyVector", asColumn(out), A, false, asColumn(x), false).data;
}

/** Aᵀ x. */
export function transposeMultiplyVector(A: Matrix, x: Float64Array): Float64Array {
  requireLength("transposeMultiplyVector", "x", x, A.rows);
  return product("transposeMultiplyVector", matrix(A.cols, 1), A, true, asColumn(x), false).data;
}

const asColumn = (x: Float64Array): Matrix => matrix(x.length, 1, x);

function product(
  where: string,
  out: Matrix,
  A: Matrix,
  transposeA: boolean,
  B: Matrix,
  transposeB: boolean,
): Matrix {
  const [m, k] = transposeA ? [A.cols, A.rows] : [A.rows, A.cols];
  const [rows, n] = transposeB ? [B.cols, B.rows] : [B.rows, B.cols];
  if (rows !== k) {
    const [sideA, sideB] = [transposeA ? "rows" : "columns", transposeB ? "columns" : "rows"];
    throw shapeError(
      where,
      `as many ${sideA} in A as ${sideB} in B`,
      `${shapeOf(A)} and ${shapeOf(B)}`,
    );
  }
  checkOutput(where, out, m, n, A, B);
  engine().gemm(
    transposeA,
    transposeB,
    m,
    n,
    k,
    1,
    A.data,
    A.cols,
    B.data,
    B.cols,
    0,
    out.data,
    out.cols,
  );
  return out;
}

function checkOutput(
  where: string,
  out: Matrix,
  rows: number,
  cols: number,
  ...inputs: readonly Matrix[]
): void {
  if (out.rows !== rows || out.cols !== cols)
    throw shapeError(where, `a ${rows}×${cols} output`, shapeOf(out));
  if (inputs.some((input) => overlap(out.data, input.data)))
    throw new RatewiseError("domain", {
      in: where,
      what: "needs an output of its own, got one that shares memory with an input",
      advice: "allocate another",
    });
}

function overlap(x: Float64Array, y: Float64Array): boolean {
  return (
    x.buffer === y.buffer &&
    x.byteOffset < y.byteOffset + y.byteLength &&
    y.byteOffset < x.byteOffset + x.byteLength
  );
}
