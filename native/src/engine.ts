import type { Engine } from "@ratewise/core";
import type { FloatArray } from "@ratewise/core/compute";
import type { OpenBlas } from "./openblas.ts";

// CBLAS's constants.
const ROW_MAJOR = 101;
const NO_TRANSPOSE = 111;
const TRANSPOSE = 112;
const LOWER = 122;
const NON_UNIT = 131;
const LEFT = 141;
const RIGHT = 142;

/** Rows of U at a time in `leverage`: a block of 1 MB at l = 128 stays in the cache. */
const LEVERAGE_ROWS = 1024;

/** The engine that hands every kernel to OpenBLAS. Fast, but its rounding depends on its threads. */
export function nativeEngine(blas: OpenBlas): Engine {
  const transposed = (flag: boolean) => (flag ? TRANSPOSE : NO_TRANSPOSE);
  // BLAS insists on leading dimensions of at least one, also for empty matrices.
  const leading = (ld: number) => Math.max(1, ld);

  return {
    name: "native",

    gemm(transposeA, transposeB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) {
      if (m === 0 || n === 0) return;
      blas
        .routinesFor(C)
        .gemm(
          ROW_MAJOR,
          transposed(transposeA),
          transposed(transposeB),
          m,
          n,
          k,
          alpha,
          A,
          leading(lda),
          B,
          leading(ldb),
          beta,
          C,
          leading(ldc),
        );
    },

    syrk(transpose, n, k, alpha, A, lda, beta, C, ldc) {
      if (n === 0) return;
      blas
        .routinesFor(C)
        .syrk(ROW_MAJOR, LOWER, transposed(transpose), n, k, alpha, A, leading(lda), beta, C, ldc);
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) C[j * ldc + i] = C[i * ldc + j];
    },

    cholesky(n, A, lda) {
      if (n === 0) return -1;
      const info = new Int32Array(1);
      // LAPACK is column-major: its upper triangle is our lower one.
      blas.routinesFor(A).potrf("U", Int32Array.of(n), A, Int32Array.of(lda), info);
      for (let i = 0; i < n; i++) A.fill(0, i * lda + i + 1, i * lda + n);
      return info[0] > 0 ? info[0] - 1 : firstNotPositive(n, A, lda);
    },

    solveTriangular(transpose, n, m, L, ldl, B, ldb) {
      if (n === 0 || m === 0) return;
      blas
        .routinesFor(B)
        .trsm(ROW_MAJOR, LEFT, LOWER, transposed(transpose), NON_UNIT, n, m, 1, L, ldl, B, ldb);
    },

    leverage(p, l, U, ldu, L, ldl, out) {
      if (l === 0) {
        out.fill(0, 0, p);
        return;
      }
      const inverse = triangularInverse(blas, l, L, ldl);
      const { trmm } = blas.routinesFor(U);
      const Z = zerosLike(U, LEVERAGE_ROWS * l);
      for (let start = 0; start < p; start += LEVERAGE_ROWS) {
        const rows = Math.min(LEVERAGE_ROWS, p - start);
        for (let i = 0; i < rows; i += ldu === l ? rows : 1) {
          const from = (start + i) * ldu;
          Z.set(U.subarray(from, from + (ldu === l ? rows * l : l)), i * l);
        }
        // z_jᵀ = u_jᵀ L⁻ᵀ: times the inverse, a third faster than solving.
        trmm(ROW_MAJOR, RIGHT, LOWER, TRANSPOSE, NON_UNIT, rows, l, 1, inverse, l, Z, l);
        squaredRowsInto(out, start, rows, l, Z);
      }
    },

    symmetricVector(n, A, lda, x, y) {
      if (n === 0) return;
      y.fill(0, 0, n); // β = 0 need not overwrite NaN in every OpenBLAS
      blas.routinesFor(A).symv(ROW_MAJOR, LOWER, n, 1, A, leading(lda), x, 1, 0, y, 1);
    },
  };
}

/** L⁻¹ with zeros above its diagonal, rows of length n. */
function triangularInverse(blas: OpenBlas, n: number, L: FloatArray, ldl: number): FloatArray {
  const out = zerosLike(L, n * n);
  for (let i = 0; i < n; i++) out[i * n + i] = 1;
  blas.routinesFor(L).trsm(ROW_MAJOR, LEFT, LOWER, NO_TRANSPOSE, NON_UNIT, n, n, 1, L, ldl, out, n);
  return out;
}

function zerosLike(A: FloatArray, length: number): FloatArray {
  return A instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
}

/** out[start + i] ← Σ Z[i]²; of plain arrays, and two sums so that one need not wait for the other. */
function squaredRowsInto(
  out: FloatArray,
  start: number,
  rows: number,
  cols: number,
  Z: FloatArray,
): void {
  for (let i = 0, at = 0; i < rows; i++) {
    let even = 0;
    let odd = 0;
    for (const end = at + cols - 1; at < end; at += 2) {
      even += Z[at] * Z[at];
      odd += Z[at + 1] * Z[at + 1];
    }
    if (cols % 2 === 1) even += Z[at] * Z[at++];
    out[start + i] = even + odd;
  }
}

/** OpenBLAS lets NaN pass through a factorisation; the contract of `cholesky` does not. */
function firstNotPositive(n: number, A: FloatArray, lda: number): number {
  for (let i = 0; i < n; i++) if (!(A[i * lda + i] > 0)) return i;
  return -1;
}
