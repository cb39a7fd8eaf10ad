export { firstNonFinite } from "./checks.ts";
export {
  type CholeskyOutcome,
  cholesky,
  choleskyInverse,
  choleskyLogDeterminant,
  choleskySolve,
  choleskySolveInPlace,
  choleskySolveVector,
  solveLowerTriangular,
  tryCholesky,
} from "./cholesky.ts";
export { eigenvalues, eigh, type SymmetricEigen } from "./eigh.ts";
export { rowLeverages } from "./leverage.ts";
export {
  fromRows,
  identity,
  type Matrix,
  matrix,
  rowBlock,
  selectColumns,
  selectRows,
  transpose,
} from "./matrix.ts";
export {
  addGramInPlace,
  gram,
  gramInto,
  multiply,
  multiplyInto,
  multiplyTranspose,
  multiplyVector,
  multiplyVectorInto,
  outerGram,
  transposeMultiply,
  transposeMultiplyInto,
  transposeMultiplyVector,
} from "./products.ts";
export { defaultRcond, pseudoInverse } from "./pseudo-inverse.ts";
export { type QR, qr } from "./qr.ts";
export { type SingularValueDecomposition, svd } from "./svd.ts";
export { type TopOptions, type TopSvd, topSvd } from "./top-svd.ts";
