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
