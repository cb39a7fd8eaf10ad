import { engine } from "../compute/engine.ts";
import { hypotenuse, norm } from "./norm.ts";

/**
 * An orthogonal Q = H₀H₁…H_{k−1}, H_j = I − τ_j v_j v_jᵀ, as every Householder reduction leaves it.
 *
 * All vectors here are rows, so matrices come transposed: a column of A is then contiguous, and
 * applying Q is a product from the right that the engine runs at full speed.
 */
export interface Reflectors {
  /** Row j is v_j; zero before `shift + j`, where it is 1. k×length. */
  readonly vectors: Float64Array;
  readonly tau: Float64Array;
  readonly length: number;
  /** 0 for a QR factorisation, 1 where the first row stays as it is (tridiagonal form). */
  readonly shift: number;
}

/** Reflectors applied in one product (compact WY form): the middle way of LAPACK's block sizes. */
export const REFLECTOR_BLOCK = 32;

/** `count` reflectors of the given length, all of them still the identity. */
export function identityReflectors(count: number, length: number, shift: number): Reflectors {
  return {
    vectors: new Float64Array(count * length),
    tau: new Float64Array(count),
    length,
    shift,
  };
}

/**
 * Writes into `v` (v₀ = 1) the reflector that maps x to (β, 0, …, 0): β = −sign(x₀)‖x‖, so that
 * x₀ − β never cancels (LAPACK's dlarfg). `v` may be `x` itself.
 */
export function reflectorInto(v: Float64Array, x: Float64Array): { tau: number; beta: number } {
  const first = x[0];
  const rest = norm(x.subarray(1));
  if (rest === 0) {
    v.fill(0);
    v[0] = 1;
    return { tau: 0, beta: first };
  }
  const length = hypotenuse(first, rest);
  const beta = first >= 0 ? -length : length;
  for (let i = 1; i < x.length; i++) v[i] = x[i] / (first - beta);
  v[0] = 1;
  return { tau: (beta - first) / beta, beta };
}

/** x ← (I − τ v vᵀ) x for the v.length numbers of X from `start` on (an offset: views cost more than the work). */
export function applyReflector(X: Float64Array, start: number, v: Float64Array, tau: number): void {
  let dot = 0;
  for (let i = 0; i < v.length; i++) dot += X[start + i] * v[i];
  dot *= tau;
  for (let i = 0; i < v.length; i++) X[start + i] -= dot * v[i];
}

/** X ← X · H_start…H_{end−1} for the `rows` rows of X (row-major, Q.length wide). */
export function multiplyByBlock(
  X: Float64Array,
  rows: number,
  Q: Reflectors,
  start: number,
  end: number,
): void {
  applyBlock(X, rows, Q, start, end, false);
}

/** X ← X Qᵀ for the `rows` rows of X (row-major, Q.length wide). 4·rows·length·k operations. */
export function multiplyByTransposed(X: Float64Array, rows: number, Q: Reflectors): void {
  const count = Q.tau.length;
  const lastBlock = Math.floor((count - 1) / REFLECTOR_BLOCK) * REFLECTOR_BLOCK;
  for (let start = lastBlock; start >= 0; start -= REFLECTOR_BLOCK)
    applyBlock(X, rows, Q, start, Math.min(start + REFLECTOR_BLOCK, count), true);
}

/**
 * H_start…H_{end−1} = I − Vᵀ T V with V the block's rows and T upper triangular, built column by column:
 * T_jj = τ_j, T_{<j,j} = −τ_j T_{<j,<j} V_{<j} v_j (Schreiber & Van Loan 1989).
 */
function applyBlock(
  X: Float64Array,
  rows: number,
  Q: Reflectors,
  start: number,
  end: number,
  transposed: boolean,
): void {
  const { length, tau } = Q;
  const b = end - start;
  const first = Q.shift + start;
  const width = length - first;
  if (rows === 0 || b <= 0 || width <= 0) return;
  const V = Q.vectors.subarray(start * length + first);
  const G = new Float64Array(b * b);
  engine().syrk(false, b, width, 1, V, length, 0, G, b);
  const T = new Float64Array(b * b);
  for (let j = 0; j < b; j++) {
    T[j * b + j] = tau[start + j];
    for (let i = 0; i < j; i++) {
      let sum = 0;
      for (let k = i; k < j; k++) sum += T[i * b + k] * G[k * b + j];
      T[i * b + j] = -tau[start + j] * sum;
    }
  }
  const from = X.subarray(first);
  const projected = new Float64Array(rows * b);
  const weights = new Float64Array(rows * b);
  engine().gemm(false, true, rows, b, width, 1, from, length, V, length, 0, projected, b);
  engine().gemm(false, transposed, rows, b, b, 1, projected, b, T, b, 0, weights, b);
  engine().gemm(false, false, rows, width, b, -1, weights, b, V, length, 1, from, length);
}
