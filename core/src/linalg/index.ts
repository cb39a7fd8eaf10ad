export { firstNonFinite } from "./checks.ts";
export {
  type CholeskyOutcome,
  cholesky,
  choleskyInverse,
  choleskySolve,
  choleskySolveVector,
  tryCholesky,
} from "./cholesky.ts";
export { dot } from "./dot.ts";
export { eigh, type SymmetricEigen } from "./eigh.ts";
export { fromRows, identity, type Matrix, matrix, rowBlock, transpose } from "./matrix.ts";
export { variancesOfColumns } from "./moments.ts";
export {
  gram,
  multiply,
  multiplyTranspose,
  multiplyVector,
  outerGram,
  transposeMultiply,
  transposeMultiplyVector,
} from "./products.ts";
export { type QR, qr } from "./qr.ts";
export type { Rows } from "./rows.ts";
