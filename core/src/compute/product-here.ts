import type { Engine } from "./contract.ts";

/**
 * C ← α·op(A)·op(B) + β·C without leaving script: for vectors, where memory is the limit and a copy
 * into kernel memory would double it, and for the smallest matrices. Sums in double precision, along
 * the rows of A and B as they are stored.
 */
export const productHere: Engine["gemm"] = (
  transposeA,
  transposeB,
  m,
  n,
  k,
  alpha,
  A,
  lda,
  B,
  ldb,
  beta,
  C,
  ldc,
) => {
  const [ai, ak] = transposeA ? [1, lda] : [lda, 1];
  const [bk, bj] = transposeB ? [1, ldb] : [ldb, 1];
  const sums = new Float64Array(m * n);
  if (n === 1 && ak === 1) {
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let q = 0; q < k; q++) sum += A[i * ai + q] * B[q * bk];
      sums[i] = sum;
    }
  } else if (m === 1 && bk === 1) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let q = 0; q < k; q++) sum += A[q * ak] * B[j * bj + q];
      sums[j] = sum;
    }
  } else {
    for (let q = 0; q < k; q++) {
      for (let i = 0; i < m; i++) {
        const a = A[i * ai + q * ak];
        for (let j = 0; j < n; j++) sums[i * n + j] += a * B[q * bk + j * bj];
      }
    }
  }
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      const at = i * ldc + j;
      const value = alpha * sums[i * n + j];
      C[at] = beta === 0 ? value : value + beta * C[at];
    }
  }
};
