import type { Engine, FloatArray } from "@ratewise/core";
import type { OpenBlas } from "./openblas.ts";

// CBLAS's constants.
const ROW_MAJOR = 101;
const NO_TRANSPOSE = 111;
const TRANSPOSE = 112;
const LOWER = 122;
const NON_UNIT = 131;
const LEFT = 141;
const RIGHT = 142;

/** Rows of U solved at a time by `leverage`: a block of 1 MB at l = 128 stays in the cache. */
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
      const block: FloatArray =
        U instanceof Float32Array
          ? new Float32Array(LEVERAGE_ROWS * l)
          : new Float64Array(LEVERAGE_ROWS * l);
      const { trsm } = blas.routinesFor(U);
      for (let start = 0; start < p; start += LEVERAGE_ROWS) {
        const rows = Math.min(LEVERAGE_ROWS, p - start);
        if (ldu === l) block.set(U.subarray(start * l, (start + rows) * l));
        else
          for (let i = 0; i < rows; i++)
            block.set(U.subarray((start + i) * ldu, (start + i) * ldu + l), i * l);
        // Rows are z_jᵀ = u_jᵀ L⁻ᵀ.
        trsm(ROW_MAJOR, RIGHT, LOWER, TRANSPOSE, NON_UNIT, rows, l, 1, L, ldl, block, l);
        for (let i = 0, at = 0; i < rows; i++) {
          let total = 0;
          for (let k = 0; k < l; k++, at++) total += block[at] * block[at];
          out[start + i] = total;
        }
      }
    },
  };
}

/** OpenBLAS lets NaN pass through a factorisation; the contract of `cholesky` does not. */
function firstNotPositive(n: number, A: FloatArray, lda: number): number {
  for (let i = 0; i < n; i++) if (!(A[i * lda + i] > 0)) return i;
  return -1;
}
