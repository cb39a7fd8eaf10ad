export { findAsymmetry, firstNonFinite, isSymmetric } from "./checks.ts";
export {
  type CholeskyOutcome,
  cholesky,
  choleskyInverse,
  choleskyInverseDiagonal,
  choleskyLogDeterminant,
  choleskySolve,
  choleskySolveInPlace,
  choleskySolveVector,
  solveLowerTriangular,
  tryCholesky,
} from "./cholesky.ts";
export { eigenvalues, eigh, type SymmetricEigen } from "./eigh.ts";
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
  multiplyTransposeInto,
  multiplyVector,
  multiplyVectorInto,
  outerGram,
  outerGramInto,
  transposeMultiply,
  transposeMultiplyInto,
  transposeMultiplyVector,
  transposeMultiplyVectorInto,
} from "./products.ts";
export { defaultRcond, numericalRank, pseudoInverse } from "./pseudo-inverse.ts";
export { type QR, qr } from "./qr.ts";
export { type SingularValueDecomposition, svd } from "./svd.ts";
export { type TopEigen, type TopOptions, type TopSvd, topEigen, topSvd } from "./top-eigen.ts";
export {
  type DiagonalPlusLowRank,
  factoriseDiagonalPlusLowRank,
  rowLeverages,
  woodburyInverseDiagonal,
  woodburyLeverage,
  woodburyLogDeterminant,
  woodburySolve,
  woodburySolveVector,
} from "./woodbury.ts";
