import { engine } from "../compute/engine.ts";
import { implicitQL } from "./implicit-ql.ts";
import { hypotenuse } from "./norm.ts";
import { secularRoot } from "./secular-equation.ts";

/** Blocks up to this order are left to the QL method. */
const LEAF = 32;

/** A block of eigenvectors on its way to the whole: row i of `rows` (length `order`) belongs to `values[i]`. */
interface Block {
  readonly order: number;
  readonly values: Float64Array;
  readonly rows: Float64Array;
}

/**
 * Eigenvalues, unsorted, and eigenvectors, as rows, of a symmetric tridiagonal matrix: halves are solved
 * and joined by a rank-one update (Cuppen 1981), with deflation and the vectors of Gu and Eisenstat
 * (1995), orthogonal to rounding however close the eigenvalues. At most 8n³/3 operations, nearly all in
 * products, and often far fewer; `diagonal` and `offDiagonal` are overwritten.
 * @returns null when a leaf does not converge.
 */
export function divideAndConquer(diagonal: Float64Array, offDiagonal: Float64Array): Block | null {
  const order = diagonal.length;
  if (order <= LEAF) {
    const rows = new Float64Array(order * order);
    for (let i = 0; i < order; i++) rows[i * order + i] = 1;
    const values = diagonal.slice();
    const couplings = offDiagonal.slice();
    if (order > 0) couplings[order - 1] = 0;
    return implicitQL(values, couplings, rows) ? { order, values, rows } : null;
  }
  const half = order >> 1;
  const coupling = offDiagonal[half - 1];
  diagonal[half - 1] -= Math.abs(coupling);
  diagonal[half] -= Math.abs(coupling);
  const upper = divideAndConquer(diagonal.subarray(0, half), offDiagonal.subarray(0, half));
  const lower = divideAndConquer(diagonal.subarray(half), offDiagonal.subarray(half));
  return upper && lower && join(upper, lower, coupling);
}

/** Where the entries of a row may be other than zero. */
const UPPER = 1;
const LOWER = 2;

/** The eigenvectors of diag(upper, lower) + |β| u uᵀ, u = (0 … 0, 1, ±1, 0 … 0). */
function join(upper: Block, lower: Block, coupling: number): Block {
  const half = upper.order;
  const order = half + lower.order;
  const values = new Float64Array(order);
  values.set(upper.values);
  values.set(lower.values, half);
  const rows = new Float64Array(order * order);
  const support = new Uint8Array(order);
  // z = Qᵀu scaled to length one, and ρ with it.
  const z = new Float64Array(order);
  const sign = coupling < 0 ? -1 : 1;
  for (let i = 0; i < half; i++) {
    rows.set(upper.rows.subarray(i * half, (i + 1) * half), i * order);
    z[i] = upper.rows[i * half + half - 1] * Math.SQRT1_2;
    support[i] = UPPER;
  }
  for (let i = 0; i < lower.order; i++) {
    const row = lower.rows.subarray(i * lower.order, (i + 1) * lower.order);
    rows.set(row, (half + i) * order + half);
    z[half + i] = sign * row[0] * Math.SQRT1_2;
    support[half + i] = LOWER;
  }
  const block: Block = { order, values, rows };
  const rho = 2 * Math.abs(coupling);
  const kept = deflate(block, z, rho, support);
  if (kept.length > 0) update(block, z, rho, half, kept, support);
  return block;
}

/**
 * Finds the entries of z that matter, by ascending value. Where ρ|z_i| is rounding, or two values are so
 * close that a rotation makes it so, the pair (value, row) is already an eigenpair of the sum.
 */
function deflate(
  { order, values, rows }: Block,
  z: Float64Array,
  rho: number,
  support: Uint8Array,
): number[] {
  let largest = 0;
  for (let i = 0; i < order; i++) largest = Math.max(largest, Math.abs(values[i]), Math.abs(z[i]));
  const tolerance = 8 * 0.5 * Number.EPSILON * largest;
  const ascending = Array.from(values.keys()).sort((i, j) => values[i] - values[j]);
  const kept: number[] = [];
  let before = -1;
  for (const i of ascending) {
    if (rho * Math.abs(z[i]) <= tolerance) continue;
    if (before >= 0) {
      const length = hypotenuse(z[i], z[before]);
      const c = z[i] / length;
      const s = -z[before] / length;
      if (Math.abs((values[i] - values[before]) * c * s) <= tolerance) {
        z[i] = length;
        z[before] = 0;
        rotate(rows, order, before, i, c, s);
        support[before] = support[i] = support[before] | support[i];
        const [first, second] = [values[before], values[i]];
        values[before] = first * c * c + second * s * s;
        values[i] = first * s * s + second * c * c;
      } else kept.push(before);
    }
    before = i;
  }
  if (before >= 0) kept.push(before);
  return kept;
}

/** Rows i and j ← c·i + s·j and c·j − s·i. */
function rotate(
  rows: Float64Array,
  order: number,
  i: number,
  j: number,
  c: number,
  s: number,
): void {
  for (let k = 0; k < order; k++) {
    const x = rows[i * order + k];
    const y = rows[j * order + k];
    rows[i * order + k] = c * x + s * y;
    rows[j * order + k] = c * y - s * x;
  }
}

/** Eigenpairs of diag(d) + ρ z zᵀ on the kept entries, put in the place of theirs. */
function update(
  { order, values, rows }: Block,
  z: Float64Array,
  rho: number,
  half: number,
  kept: readonly number[],
  support: Uint8Array,
): void {
  const count = kept.length;
  const d = Float64Array.from(kept, (i) => values[i]);
  const squares = Float64Array.from(kept, (i) => z[i] * z[i]);
  // Row j: d_i − λ_j, first, then the eigenvector.
  const vectors = new Float64Array(count * count);
  const row = (j: number): Float64Array => vectors.subarray(j * count, (j + 1) * count);
  for (let j = 0; j < count; j++) values[kept[j]] = secularRoot(j, d, squares, rho, row(j));

  // The ẑ of which the λ are the exact roots (Löwner): −ẑ_i² ∝ Π_j (d_i − λ_j)/Π_{j≠i} (d_i − d_j).
  const exact = new Float64Array(count).fill(1);
  for (let j = 0; j < count; j++) {
    const delta = row(j);
    for (let i = 0; i < count; i++) exact[i] *= i === j ? delta[i] : delta[i] / (d[i] - d[j]);
  }
  for (let i = 0; i < count; i++) {
    const size = Math.sqrt(Math.abs(exact[i]));
    exact[i] = z[kept[i]] < 0 ? -size : size;
  }

  // Rows of the upper half first, then those that a rotation has mixed, then the lower half: then each
  // half of the columns needs a contiguous part of them.
  const place = { [UPPER]: 0, [UPPER | LOWER]: 1, [LOWER]: 2 };
  const grouped = Array.from(kept.keys()).sort(
    (i, j) => place[support[kept[i]]] - place[support[kept[j]]] || i - j,
  );
  const upperEnd = grouped.filter((i) => support[kept[i]] !== LOWER).length;
  const lowerStart = grouped.filter((i) => support[kept[i]] === UPPER).length;
  const scratch = new Float64Array(count);
  for (let j = 0; j < count; j++) {
    const vector = row(j);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      vector[i] = exact[i] / vector[i];
      sum += vector[i] * vector[i];
    }
    const length = Math.sqrt(sum);
    for (let i = 0; i < count; i++) scratch[i] = vector[grouped[i]] / length;
    vector.set(scratch);
  }

  const old = new Float64Array(count * order);
  grouped.forEach((i, at) => {
    old.set(rows.subarray(kept[i] * order, (kept[i] + 1) * order), at * order);
  });
  const fresh = new Float64Array(count * order);
  const below = vectors.subarray(lowerStart);
  const oldBelow = old.subarray(lowerStart * order + half);
  const rest = count - lowerStart;
  const freshRight = fresh.subarray(half);
  const { gemm } = engine();
  gemm(false, false, count, half, upperEnd, 1, vectors, count, old, order, 0, fresh, order);
  if (rest > 0)
    gemm(
      ...([false, false, count, order - half, rest, 1, below, count, oldBelow, order] as const),
      ...([0, freshRight, order] as const),
    );
  for (let j = 0; j < count; j++)
    rows.set(fresh.subarray(j * order, (j + 1) * order), kept[j] * order);
}
