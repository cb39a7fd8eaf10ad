import type { Engine, FloatArray } from "./contract.ts";

/**
 * The definition of every kernel, written to be read: what the fast engines are tested against.
 * All sums run in double precision whatever the arrays hold.
 */
export const naive: Engine = {
  name: "naive",

  gemm(transposeA, transposeB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) {
    const [ai, ak] = transposeA ? [1, lda] : [lda, 1];
    const [bk, bj] = transposeB ? [1, ldb] : [ldb, 1];
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let q = 0; q < k; q++) sum += A[i * ai + q * ak] * B[q * bk + j * bj];
        const at = i * ldc + j;
        C[at] = beta === 0 ? alpha * sum : alpha * sum + beta * C[at];
      }
    }
  },

  syrk(transpose, n, k, alpha, A, lda, beta, C, ldc) {
    const [ai, ak] = transpose ? [1, lda] : [lda, 1];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let q = 0; q < k; q++) sum += A[i * ai + q * ak] * A[j * ai + q * ak];
        const at = i * ldc + j;
        C[at] = beta === 0 ? alpha * sum : alpha * sum + beta * C[at];
        C[j * ldc + i] = C[at];
      }
    }
  },

  cholesky(n, A, lda) {
    for (let i = 0; i < n; i++) {
      const ri = i * lda;
      for (let j = 0; j <= i; j++) {
        const rj = j * lda;
        let sum = A[ri + j];
        for (let k = 0; k < j; k++) sum -= A[ri + k] * A[rj + k];
        if (j < i) A[ri + j] = sum / A[rj + j];
        else if (sum > 0) A[ri + i] = Math.sqrt(sum);
        else return i; // also catches NaN
      }
      A.fill(0, ri + i + 1, ri + n);
    }
    return -1;
  },

  solveTriangular(transpose, n, m, L, ldl, B, ldb) {
    for (let step = 0; step < n; step++) {
      const i = transpose ? n - 1 - step : step;
      const [from, to] = transpose ? [i + 1, n] : [0, i];
      for (let j = 0; j < m; j++) {
        let sum = B[i * ldb + j];
        for (let k = from; k < to; k++)
          sum -= (transpose ? L[k * ldl + i] : L[i * ldl + k]) * B[k * ldb + j];
        B[i * ldb + j] = sum / L[i * ldl + i];
      }
    }
  },

  leverage(p, l, U, ldu, L, ldl, out) {
    const z: FloatArray = new Float64Array(l);
    for (let j = 0; j < p; j++) {
      let total = 0;
      for (let i = 0; i < l; i++) {
        let sum = U[j * ldu + i];
        for (let k = 0; k < i; k++) sum -= L[i * ldl + k] * z[k];
        z[i] = sum / L[i * ldl + i];
        total += z[i] * z[i];
      }
      out[j] = total;
    }
  },
};
