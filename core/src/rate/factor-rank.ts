import { eigenvalues } from "../linalg/eigh.ts";
import { type Matrix, outerGram } from "../linalg/index.ts";
import { invertFullRank } from "./full-rank.ts";
import { rowNorms } from "./vector.ts";
import { type Whitened, whitenedGram, whitenedRows } from "./whitened.ts";

/**
 * Numerical rank of A Aᵀ, rows of A brought to length 1 first so that units do not count. Eigenvalues of the
 * smaller Gram matrix above max(p, l)·ε of the largest, so directions with less than about 10⁻⁷ of the largest
 * spread are not seen; of full rank when no variable is a combination of the others (see invertFullRank).
 */
export function factorRank(A: Matrix): number {
  const { rows: p, cols: l } = A;
  if (p === 0 || l === 0) return 0;
  if (p <= l && invertFullRank(A, null)) return p;
  const norms = rowNorms(A.data, p, l);
  const scale = norms.map((value) => (value > 0 ? 1 / value : 0));
  const U: Whitened = { rows: p, cols: l, factor: A, scale, norms };
  return countAbove(
    eigenvalues(p <= l ? outerGram(whitenedRows(U, [...scale.keys()])) : whitenedGram(U)),
    Math.max(p, l) * Number.EPSILON,
  );
}

/** How many of the values exceed `share` of the largest. */
export function countAbove(values: Float64Array, share: number): number {
  const limit = share * values.reduce((most, value) => Math.max(most, value), 0);
  return values.reduce((count, value) => count + Number(value > limit), 0);
}
