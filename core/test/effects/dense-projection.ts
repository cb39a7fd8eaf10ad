/** The definitions of the three projections with every matrix formed, as arrays of rows: what the tests compare with. */
export type Rows = readonly (readonly number[])[];

export const toRows = (m: { data: ArrayLike<number>; rows: number; cols: number }): Rows =>
  Array.from({ length: m.rows }, (_, i) =>
    Array.from({ length: m.cols }, (_, j) => m.data[i * m.cols + j]),
  );

export const transposed = (A: Rows): Rows => A[0].map((_, j) => A.map((row) => row[j]));

export const times = (A: Rows, B: Rows): Rows => {
  const columns = transposed(B);
  return A.map((row) => columns.map((column) => row.reduce((sum, a, k) => sum + a * column[k], 0)));
};

export const timesVector = (A: Rows, x: ArrayLike<number>): number[] =>
  A.map((row) => row.reduce((sum, a, k) => sum + a * x[k], 0));

/** C A, C = I − 11ᵀ/n. */
export const centred = (A: Rows): Rows => {
  const means = A[0].map((_, j) => A.reduce((sum, row) => sum + row[j], 0) / A.length);
  return A.map((row) => row.map((a, j) => a - means[j]));
};

/** A⁻¹ by Gauss–Jordan elimination with partial pivoting. */
export const inverse = (A: Rows): Rows => {
  const n = A.length;
  const work = A.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let i = c + 1; i < n; i++) if (Math.abs(work[i][c]) > Math.abs(work[pivot][c])) pivot = i;
    [work[c], work[pivot]] = [work[pivot], work[c]];
    const lead = work[c][c];
    work[c] = work[c].map((a) => a / lead);
    for (let i = 0; i < n; i++) {
      if (i === c) continue;
      const f = work[i][c];
      work[i] = work[i].map((a, j) => a - f * work[c][j]);
    }
  }
  return work.map((row) => row.slice(n));
};

/** XᵀC/(n−1). */
export const covarianceP = (X: Rows): Rows =>
  transposed(centred(X)).map((row) => row.map((a) => a / (X.length - 1)));

/** (XᵀCX + κI)⁻¹XᵀC; κ = 0 is the linear projection of an X with independent columns. */
export const ridgeP = (X: Rows, kappa: number): Rows => {
  const Z = centred(X);
  const G = times(transposed(Z), Z).map((row, i) => row.map((g, j) => (i === j ? g + kappa : g)));
  return times(inverse(G), transposed(Z));
};

/** (CX)⁺ when p ≥ n − 1 and CX has rank n − 1: ZᵀG⁺ with G = ZZᵀ, and 11ᵀ/n fills G's null space. */
export const wideLinearP = (X: Rows): Rows => {
  const Z = centred(X);
  const G = times(Z, transposed(Z)).map((row) => row.map((g) => g + 1 / X.length));
  return times(transposed(Z), inverse(G));
};

export const diagonalOfOuter = (P: Rows): number[] =>
  P.map((row) => row.reduce((sum, a) => sum + a * a, 0));
