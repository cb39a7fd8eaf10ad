import { engine } from "../compute/engine.ts";
import { dotFrom } from "./dot.ts";

/** Sweeps over all pairs: five to ten are enough after a pivoted QR, at any size seen. */
const MAX_SWEEPS = 60;

/**
 * Makes the n rows of G (each n long) orthogonal to one another by rotating pairs of them (one-sided
 * Jacobi, Hestenes 1958), applying every rotation to the rows of J too: G ← R G and J ← R J, R orthogonal.
 *
 * A pair counts as orthogonal when |g_i·g_j| ≤ √n·ε·‖g_i‖‖g_j‖. The test is relative, which is what gives
 * small rows as many correct digits as large ones (Demmel & Veselić 1992). Rows whose norm is under
 * `smallest` are left alone. A sweep begins with G Gᵀ from the engine and visits the pairs that stand out
 * in it, so a nearly orthogonal G costs little more than that product; 14n³ operations at the worst.
 *
 * @returns whether it converged.
 */
export function orthogonaliseRows(
  G: Float64Array,
  J: Float64Array,
  n: number,
  smallest: number,
): boolean {
  const tolerance = Math.sqrt(n) * Number.EPSILON;
  const gramian = new Float64Array(n * n);
  const squares = new Float64Array(n);
  const orthogonal = (i: number, j: number, product: number) =>
    !(squares[i] > smallest ** 2 && squares[j] > smallest ** 2) ||
    Math.abs(product) <= tolerance * Math.sqrt(squares[i]) * Math.sqrt(squares[j]);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    engine().syrk(false, n, n, 1, G, n, 0, gramian, n);
    for (let i = 0; i < n; i++) squares[i] = gramian[i * n + i];
    let rotations = 0;
    for (let i = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++) {
        if (orthogonal(i, j, gramian[i * n + j])) continue;
        // Earlier rotations of this sweep have changed the product since.
        const product = dotFrom(G, i * n, G, j * n, n);
        if (orthogonal(i, j, product)) continue;
        rotations++;
        const t = tangent((squares[j] - squares[i]) / (2 * product));
        rotate(G, i * n, j * n, n, t);
        rotate(J, i * n, j * n, n, t);
        squares[i] = updatedSquare(G, i, n, squares[i], -t * product);
        squares[j] = updatedSquare(G, j, n, squares[j], t * product);
      }
    }
    if (rotations === 0) return true;
  }
  return false;
}

/** ‖g_i‖² after a rotation has changed it; computed afresh where the difference would cancel. */
function updatedSquare(
  G: Float64Array,
  i: number,
  n: number,
  before: number,
  change: number,
): number {
  const after = before + change;
  return after > 0.5 * before ? after : dotFrom(G, i * n, G, i * n, n);
}

/** tan of the smaller angle with cot 2θ = ζ. |ζ| ≤ ‖g_j‖/(√n·ε·smallest), whose square is finite. */
function tangent(zeta: number): number {
  const size = Math.abs(zeta);
  const t = 1 / (size + Math.sqrt(1 + size * size));
  return zeta < 0 ? -t : t;
}

/**
 * x ← c x − s y, y ← s x + c y, written as corrections (Rutishauser 1966): with c and s multiplied out,
 * c² + s² exceeds 1 by the rounding of c at every small angle, and thousands of rotations add that up.
 */
function rotate(X: Float64Array, x: number, y: number, n: number, t: number): void {
  const c = 1 / Math.sqrt(1 + t * t);
  const s = c * t;
  const u = s / (1 + c);
  for (let k = 0; k < n; k++, x++, y++) {
    const a = X[x];
    const b = X[y];
    X[x] = a - s * (b + u * a);
    X[y] = b + s * (a - u * b);
  }
}
