import { gemmBelow } from "./gemm";
import { solveRows } from "./triangular";

const BASE: i32 = 16;

/**
 * Overwrites the lower triangle of A[n×n] with L, A = L Lᵀ; the strict upper triangle is left as
 * rubbish. Recursive: L₁₁ of the leading half, L₂₁ = A₂₁L₁₁⁻ᵀ, then A₂₂ − L₂₁L₂₁ᵀ. n³/3
 * multiplications. `strip` holds n·STRIP elements.
 * @returns −1, or the index of the first pivot that is not positive.
 */
export function cholesky<T>(n: i32, a: usize, aRow: i32, strip: usize, scratch: usize): i32 {
  if (n <= BASE) return choleskyBase<T>(n, a, aRow);
  const size = <i32>sizeof<T>();
  const half = ((n >> 1) + BASE - 1) & -BASE;
  const rest = n - half;
  const below = a + <usize>(half * aRow * size);
  const corner = below + <usize>(half * size);
  const failed = cholesky<T>(half, a, aRow, strip, scratch);
  if (failed >= 0) return failed;
  solveRows<T>(rest, half, a, aRow, below, aRow, strip, scratch);
  gemmBelow<T>(rest, rest, half, <T>-1, below, aRow, 1, below, 1, aRow, <T>1, corner, aRow, 0, scratch);
  const later = cholesky<T>(rest, corner, aRow, strip, scratch);
  return later < 0 ? -1 : half + later;
}

function choleskyBase<T>(n: i32, a: usize, aRow: i32): i32 {
  const size = <i32>sizeof<T>();
  for (let i = 0; i < n; i++) {
    const rowI = a + <usize>(i * aRow * size);
    for (let j = 0; j <= i; j++) {
      const rowJ = a + <usize>(j * aRow * size);
      let sum = load<T>(rowI + <usize>(j * size));
      for (let k = 0; k < j; k++) {
        const shift = <usize>(k * size);
        sum = <T>(sum - load<T>(rowI + shift) * load<T>(rowJ + shift));
      }
      if (j < i) sum = <T>(sum / load<T>(rowJ + <usize>(j * size)));
      else if (!(sum > <T>0)) return i; // also NaN
      else sum = sqrt<T>(sum);
      store<T>(rowI + <usize>(j * size), sum);
    }
  }
  return -1;
}
