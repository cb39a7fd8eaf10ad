/** What the host may call. Names end in the precision; see the generic functions for the meaning. */
import { gemm, GEMM_SCRATCH_BYTES } from "./gemm";

export function gemmScratchBytes(): i32 {
  return GEMM_SCRATCH_BYTES;
}

export function gemmF32(
  m: i32, n: i32, k: i32, alpha: f32, a: usize, aRow: i32, aColumn: i32,
  b: usize, bRow: i32, bColumn: i32, beta: f32, c: usize, cRow: i32, scratch: usize,
): void {
  gemm<f32>(m, n, k, alpha, a, aRow, aColumn, b, bRow, bColumn, beta, c, cRow, scratch);
}

export function gemmF64(
  m: i32, n: i32, k: i32, alpha: f64, a: usize, aRow: i32, aColumn: i32,
  b: usize, bRow: i32, bColumn: i32, beta: f64, c: usize, cRow: i32, scratch: usize,
): void {
  gemm<f64>(m, n, k, alpha, a, aRow, aColumn, b, bRow, bColumn, beta, c, cRow, scratch);
}
