/** Both precisions run through the same functions; all arrays of one call have the same one. */
export type FloatArray = Float64Array | Float32Array;

/**
 * The dense kernels that `linalg` stands on. Row-major with leading dimensions; arrays are raw,
 * shapes are the caller's to check. C may not overlap A or B. Sums are formed in an order that
 * depends on the engine and the shapes alone, never on the number of threads.
 */
export interface Engine {
  readonly name: string;
  /** C ← α·op(A)·op(B) + β·C; op(A) is m×k, op(B) k×n, C m×n. β = 0 overwrites, even NaN. */
  gemm(
    transposeA: boolean,
    transposeB: boolean,
    m: number,
    n: number,
    k: number,
    alpha: number,
    A: FloatArray,
    lda: number,
    B: FloatArray,
    ldb: number,
    beta: number,
    C: FloatArray,
    ldc: number,
  ): void;
  /** C ← α·op(A)·op(A)ᵀ + β·C, both triangles; op(A) is n×k (`transpose`: A is stored k×n). */
  syrk(
    transpose: boolean,
    n: number,
    k: number,
    alpha: number,
    A: FloatArray,
    lda: number,
    beta: number,
    C: FloatArray,
    ldc: number,
  ): void;
  /**
   * Overwrites the lower triangle of A with L, A = L Lᵀ, and sets the strict upper triangle to zero.
   * @returns −1, or the index of the first pivot that is not positive (A then holds garbage).
   */
  cholesky(n: number, A: FloatArray, lda: number): number;
  /** B ← L⁻¹B, or L⁻ᵀB when `transpose`; L lower triangular n×n, B n×m. */
  solveTriangular(
    transpose: boolean,
    n: number,
    m: number,
    L: FloatArray,
    ldl: number,
    B: FloatArray,
    ldb: number,
  ): void;
  /** out[j] ← ‖L⁻¹u_j‖² for each of the p rows u_j (length l) of U. */
  leverage(
    p: number,
    l: number,
    U: FloatArray,
    ldu: number,
    L: FloatArray,
    ldl: number,
    out: FloatArray,
  ): void;
  /**
   * y ← A·x for a symmetric A n×n, of which the lower triangle is read. Engines without it are given
   * the whole of A and a product.
   */
  symmetricVector?(n: number, A: FloatArray, lda: number, x: FloatArray, y: FloatArray): void;
  /**
   * Arrays that this engine uses where they lie, to be freed by the caller; all others it copies at every
   * call, which counts where a matrix is used many times. Engines that copy nothing have none.
   */
  workspace?(): Workspace;
}

/** Arrays in an engine's own memory, freed together. */
export interface Workspace {
  /** Zeros. */
  float64(length: number): Float64Array;
  /** Zeros. */
  float32(length: number): Float32Array;
  free(): void;
}
