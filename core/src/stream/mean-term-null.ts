import { expm1 } from "../elementary/index.ts";
import { shapeError } from "../errors.ts";
import {
  cholesky,
  choleskySolve,
  eigh,
  type Matrix,
  matrix,
  multiply,
  rowBlock,
} from "../linalg/index.ts";
import { addGramInPlace } from "../linalg/products.ts";
import type { QuadraticScore } from "../select/index.ts";

/** The most variables that a block of scores holds. */
const BLOCK = 1024;

/** What the mean term of RATE is made of, for A = `factor` with Ω = A Aᵀ + D. */
export interface MeanTerm {
  /** p×l. */
  readonly factor: Matrix;
  /** D. */
  readonly noise: Float64Array;
  /** √Ω_jj and the mutual information with the others, as rate gives them for the variant `noise`. */
  readonly sd: Float64Array;
  readonly mutualInformation: Float64Array;
}

/** Rows of scores: unit u has Σ (row·z)² over its rows. */
export type ScoreRows = Pick<QuadraticScore, "weights" | "unit" | "units">;

/**
 * The mean terms as functions of z, where μ = A z: kld_j = ½(Λ_jj − 1/Ω_jj)(a_jᵀz)². With Λ_jjΩ_jj = exp(2·information) that is
 * the squared length of √(½·expm1(2·information))/sd_j·a_jᵀz: one row per variable, some variables at a time.
 */
export function* variableRows({ factor, sd, mutualInformation }: MeanTerm): Generator<ScoreRows> {
  const { rows: p, cols: l } = factor;
  for (let start = 0; start < p; start += BLOCK) {
    const end = Math.min(p, start + BLOCK);
    const weights = matrix(end - start, l);
    for (let j = start; j < end; j++) {
      const scale = sd[j] > 0 ? Math.sqrt(0.5 * expm1(2 * mutualInformation[j])) / sd[j] : 0;
      for (let k = 0; k < l; k++)
        weights.data[(j - start) * l + k] = scale * factor.data[j * l + k];
    }
    const unit = Uint32Array.from({ length: end - start }, (_, i) => i);
    yield { weights, unit, units: end - start };
  }
}

/** l rows whose squared lengths add up to the mean terms of all variables: the whole that shares are of. O(p·l²). */
export function wholeRows(term: MeanTerm): Matrix {
  const l = term.factor.cols;
  const Q = matrix(l, l);
  for (const { weights } of variableRows(term)) addGramInPlace(Q, weights);
  return rootOf(Q);
}

/**
 * The same for groups, l rows each: with S_g = Σ_j∈g u_ju_jᵀ, u_j = a_j/√d_j, and K = I + S,
 * kld_g = ½ zᵀS_g[(I + S_g)⁻¹ − K⁻¹]S_g z. O(l³ + |g|·l²) per group.
 */
export function* groupRows(
  { factor, noise }: MeanTerm,
  groups: readonly { readonly members: readonly number[] }[],
): Generator<ScoreRows> {
  const l = factor.cols;
  const all = matrix(l, l);
  for (let start = 0; start < factor.rows; start += BLOCK) {
    const end = Math.min(factor.rows, start + BLOCK);
    const members = Array.from({ length: end - start }, (_, i) => start + i);
    addGramInPlace(all, whitenedRows(factor, noise, members));
  }
  const K = cholesky(plusIdentity(all));
  const together = Math.max(1, Math.floor(BLOCK / l));
  for (let start = 0; start < groups.length; start += together) {
    const some = groups.slice(start, start + together);
    const weights = matrix(some.length * l, l);
    some.forEach(({ members }, g) => {
      const S = matrix(l, l);
      addGramInPlace(S, whitenedRows(factor, noise, [...new Set(members)]));
      const own = choleskySolve(cholesky(plusIdentity(S)), S);
      const others = choleskySolve(K, S);
      const difference = matrix(
        l,
        l,
        own.data.map((value, e) => 0.5 * (value - others.data[e])),
      );
      rowBlock(weights, g * l, (g + 1) * l).data.set(rootOf(multiply(S, difference)).data);
    });
    const unit = Uint32Array.from({ length: some.length * l }, (_, r) => Math.floor(r / l));
    yield { weights, unit, units: some.length };
  }
}

function whitenedRows(factor: Matrix, noise: Float64Array, members: readonly number[]): Matrix {
  const l = factor.cols;
  const out = matrix(members.length, l);
  members.forEach((j, i) => {
    const scale = noise[j] > 0 ? 1 / Math.sqrt(noise[j]) : 0;
    for (let k = 0; k < l; k++) out.data[i * l + k] = scale * factor.data[j * l + k];
  });
  return out;
}

function plusIdentity({ data, rows, cols }: Matrix): Matrix {
  const out = matrix(rows, cols, data.slice());
  for (let k = 0; k < rows; k++) out.data[k * (cols + 1)] += 1;
  return out;
}

/** R with RᵀR = M for a positive semidefinite M; eigenvalues that rounding made negative are zero. */
function rootOf(M: Matrix): Matrix {
  const l = M.rows;
  if (M.cols !== l) throw shapeError("rootOf", "a square matrix", `${l}×${M.cols}`);
  const symmetric = matrix(l, l);
  for (let i = 0; i < l; i++)
    for (let j = 0; j < l; j++)
      symmetric.data[i * l + j] = (M.data[i * l + j] + M.data[j * l + i]) / 2;
  const { values, vectors } = eigh(symmetric);
  const root = matrix(l, l);
  for (let k = 0; k < l; k++) {
    const scale = Math.sqrt(Math.max(0, values[k]));
    for (let i = 0; i < l; i++) root.data[k * l + i] = scale * vectors.data[i * l + k];
  }
  return root;
}
