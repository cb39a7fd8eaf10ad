import { hypotenuse } from "./norm.ts";

/** Below this an off-diagonal entry of a matrix scaled to size 1 is zero: its square would underflow. */
const TINY = 2 ** -500;

/** Columns rotated at a time, so that a sweep stays in the cache. */
const TILE = 128;

/** LAPACK's bound: in practice under two sweeps an eigenvalue. */
const SWEEPS_PER_EIGENVALUE = 30;

/**
 * Diagonalises a symmetric tridiagonal matrix in place by the implicit QL method with Wilkinson's shift
 * (EISPACK's tql2; Golub & Van Loan 2013, 8.3.5): `diagonal` becomes the eigenvalues, unsorted, and every
 * rotation is applied to the rows of `vectors` (n rows of length n; null when they are not wanted), so that
 * starting from the identity row i ends as eigenvector i. About 3n³ operations with vectors, 15n² without.
 *
 * @returns whether it converged.
 */
export function implicitQL(
  diagonal: Float64Array,
  offDiagonal: Float64Array,
  vectors: Float64Array | null,
): boolean {
  const [d, e] = [diagonal, offDiagonal];
  const n = d.length;
  const cosines = new Float64Array(n);
  const sines = new Float64Array(n);
  let sweeps = 0;
  for (let l = 0; l < n; l++) {
    for (;;) {
      let m = l;
      while (m < n - 1 && !negligible(d, e, m)) m++;
      if (m === l) break;
      if (sweeps++ === SWEEPS_PER_EIGENVALUE * n) return false;
      const last = sweep(d, e, l, m, cosines, sines);
      if (vectors) rotateRows(vectors, n, last, m, cosines, sines);
    }
  }
  return true;
}

const negligible = (d: Float64Array, e: Float64Array, i: number): boolean =>
  Math.abs(e[i]) <= TINY ||
  Math.abs(e[i]) <= 0.5 * Number.EPSILON * (Math.abs(d[i]) + Math.abs(d[i + 1]));

/** One QL sweep over the block l … m; @returns the lowest index whose rotation was made. */
function sweep(
  d: Float64Array,
  e: Float64Array,
  l: number,
  m: number,
  cosines: Float64Array,
  sines: Float64Array,
): number {
  let g = (d[l + 1] - d[l]) / (2 * e[l]);
  let r = hypotenuse(g, 1);
  g = d[m] - d[l] + e[l] / (g + (g >= 0 ? r : -r));
  let s = 1;
  let c = 1;
  let shift = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    r = hypotenuse(f, g);
    e[i + 1] = r;
    if (r === 0) {
      // The bulge vanished: the block has split at i + 1.
      d[i + 1] -= shift;
      e[m] = 0;
      return i + 1;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - shift;
    r = (d[i] - g) * s + 2 * c * b;
    shift = s * r;
    d[i + 1] = g + shift;
    g = c * r - b;
    cosines[i] = c;
    sines[i] = s;
  }
  d[l] -= shift;
  e[l] = g;
  e[m] = 0;
  return l;
}

/** Rotates rows i and i + 1 for i = m − 1 down to l. */
function rotateRows(
  Z: Float64Array,
  n: number,
  l: number,
  m: number,
  cosines: Float64Array,
  sines: Float64Array,
): void {
  for (let left = 0; left < n; left += TILE) {
    const width = Math.min(TILE, n - left);
    for (let i = m - 1; i >= l; i--) {
      const c = cosines[i];
      const s = sines[i];
      let a = i * n + left;
      let b = a + n;
      for (let k = 0; k < width; k++, a++, b++) {
        const upper = Z[a];
        const lower = Z[b];
        Z[a] = c * upper - s * lower;
        Z[b] = s * upper + c * lower;
      }
    }
  }
}
