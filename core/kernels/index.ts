/**
 * What the host may call: every kernel in both precisions, its arguments in the order of the generic
 * function, which says what they mean.
 */
import { cholesky } from "./cholesky";
import { gemmBelow, GEMM_SCRATCH_BYTES } from "./gemm";
import { genotypeProduct } from "./genotype";
import { packB } from "./pack";
import { symmetricVector } from "./symmetric-vector";
import { mirror, transpose } from "./transpose";
import { leverage, solveRows, solveTriangular, STRIP } from "./triangular";

export function gemmScratchBytes(): i32 {
  return GEMM_SCRATCH_BYTES;
}

export function stripRows(): i32 {
  return STRIP;
}

export function gemmF32(
  m: i32, n: i32, k: i32, alpha: f32, a: usize, aRow: i32, aColumn: i32, b: usize, bRow: i32, bColumn: i32,
  beta: f32, c: usize, cRow: i32, diagonal: i32, scratch: usize,
): void {
  gemmBelow<f32>(m, n, k, alpha, a, aRow, aColumn, b, bRow, bColumn, beta, c, cRow, diagonal, scratch);
}

export function gemmF64(
  m: i32, n: i32, k: i32, alpha: f64, a: usize, aRow: i32, aColumn: i32, b: usize, bRow: i32, bColumn: i32,
  beta: f64, c: usize, cRow: i32, diagonal: i32, scratch: usize,
): void {
  gemmBelow<f64>(m, n, k, alpha, a, aRow, aColumn, b, bRow, bColumn, beta, c, cRow, diagonal, scratch);
}

export function packBF32(columns: i32, depth: i32, b: usize, bRow: i32, bColumn: i32, out: usize): void {
  packB<f32>(columns, depth, b, bRow, bColumn, out);
}

export function packBF64(columns: i32, depth: i32, b: usize, bRow: i32, bColumn: i32, out: usize): void {
  packB<f64>(columns, depth, b, bRow, bColumn, out);
}

export function mirrorF32(n: i32, c: usize, cRow: i32): void {
  mirror<f32>(n, c, cRow);
}

export function mirrorF64(n: i32, c: usize, cRow: i32): void {
  mirror<f64>(n, c, cRow);
}

export function transposeF32(rows: i32, columns: i32, a: usize, aRow: i32, out: usize, outRow: i32): void {
  transpose<f32>(rows, columns, a, aRow, out, outRow);
}

export function transposeF64(rows: i32, columns: i32, a: usize, aRow: i32, out: usize, outRow: i32): void {
  transpose<f64>(rows, columns, a, aRow, out, outRow);
}

export function solveTriangularF32(
  transposed: bool, n: i32, m: i32, l: usize, lRow: i32, b: usize, bRow: i32, scratch: usize,
): void {
  solveTriangular<f32>(transposed, n, m, l, lRow, b, bRow, scratch);
}

export function solveTriangularF64(
  transposed: bool, n: i32, m: i32, l: usize, lRow: i32, b: usize, bRow: i32, scratch: usize,
): void {
  solveTriangular<f64>(transposed, n, m, l, lRow, b, bRow, scratch);
}

export function solveRowsF32(
  rows: i32, n: i32, l: usize, lRow: i32, x: usize, xRow: i32, strip: usize, scratch: usize,
): void {
  solveRows<f32>(rows, n, l, lRow, x, xRow, strip, scratch);
}

export function solveRowsF64(
  rows: i32, n: i32, l: usize, lRow: i32, x: usize, xRow: i32, strip: usize, scratch: usize,
): void {
  solveRows<f64>(rows, n, l, lRow, x, xRow, strip, scratch);
}

export function choleskyF32(n: i32, a: usize, aRow: i32, strip: usize, scratch: usize): i32 {
  return cholesky<f32>(n, a, aRow, strip, scratch);
}

export function choleskyF64(n: i32, a: usize, aRow: i32, strip: usize, scratch: usize): i32 {
  return cholesky<f64>(n, a, aRow, strip, scratch);
}

export function symmetricVectorF32(n: i32, a: usize, aRow: i32, x: usize, y: usize): void {
  symmetricVector<f32>(n, a, aRow, x, y);
}

export function symmetricVectorF64(n: i32, a: usize, aRow: i32, x: usize, y: usize): void {
  symmetricVector<f64>(n, a, aRow, x, y);
}

export function leverageF32(
  count: i32, n: i32, u: usize, uRow: i32, l: usize, lRow: i32, out: usize, strip: usize, scratch: usize,
): void {
  leverage<f32>(count, n, u, uRow, l, lRow, out, strip, scratch);
}

export function leverageF64(
  count: i32, n: i32, u: usize, uRow: i32, l: usize, lRow: i32, out: usize, strip: usize, scratch: usize,
): void {
  leverage<f64>(count, n, u, uRow, l, lRow, out, strip, scratch);
}

export { predictRows, trainBatches } from "./train";
export { histogram } from "./histogram";
export { binValues, partition } from "./bins";
export { bestSplits } from "./split";

export function genotypeProductF32(
  snps: i32, samples: i32, bed: usize, snpBytes: i32, centred: bool, l: i32, h: usize, hRow: i32,
  out: usize, outRow: i32, stats: usize, panel: usize, scratch: usize,
): void {
  genotypeProduct<f32>(snps, samples, bed, snpBytes, centred, l, h, hRow, out, outRow, stats, panel, scratch);
}

export function genotypeProductF64(
  snps: i32, samples: i32, bed: usize, snpBytes: i32, centred: bool, l: i32, h: usize, hRow: i32,
  out: usize, outRow: i32, stats: usize, panel: usize, scratch: usize,
): void {
  genotypeProduct<f64>(snps, samples, bed, snpBytes, centred, l, h, hRow, out, outRow, stats, panel, scratch);
}
