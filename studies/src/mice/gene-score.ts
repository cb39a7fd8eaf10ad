import { type EffectSizes, type Matrix, matrix } from "@ratewise/core";
import {
  cholesky,
  choleskySolve,
  eigh,
  gram,
  multiply,
  multiplyTranspose,
  transpose,
} from "@ratewise/core/linalg";
import type { QuadraticScore } from "@ratewise/core/select";
import type { Gene } from "./genes.ts";

/**
 * groupRATE of genes as squared lengths of linear functions of the response. With μ = A z and z = project·y, rows u_j = a_j/√d_j,
 * S_g = U_gᵀU_g and K = I + S over all variables,
 *
 *     kld_g = ½(U_g z)ᵀT_g(U_g z),   T_g = U_g[(I + S_g)⁻¹ − K⁻¹]U_gᵀ,
 *
 * so R_gU_g/√2 with R_gᵀR_g = T_g are a gene's rows, as many as it has SNPs: ten thousand rows in all where l rows a gene would be seventy.
 *
 * @param project l×n, from responses to z
 */
export function geneScore(
  effects: EffectSizes,
  genes: readonly Gene[],
  project: Matrix,
): QuadraticScore {
  const U = whitened(effects);
  const l = U.cols;
  const K = cholesky(plusIdentity(gram(U)));
  const blocks = genes.map(({ members }) => geneRows(rowsOf(U, members), K));
  const count = blocks.reduce((sum, { rows }) => sum + rows, 0);
  const weights = matrix(count, l);
  const unit = new Uint32Array(count);
  let at = 0;
  blocks.forEach((block, g) => {
    weights.data.set(block.data, at * l);
    unit.fill(g, at, at + block.rows);
    at += block.rows;
  });
  return { project, weights, unit, units: genes.length };
}

function geneRows(U: Matrix, K: Matrix): Matrix {
  const Ut = transpose(U);
  const own = choleskySolve(cholesky(plusIdentity(gram(U))), Ut);
  const others = choleskySolve(K, Ut);
  const difference = matrix(
    own.rows,
    own.cols,
    own.data.map((value, e) => 0.5 * (value - others.data[e])),
  );
  return multiply(rootOf(multiply(U, difference)), U);
}

function whitened({ factor, noise }: EffectSizes): Matrix {
  const { rows, cols } = factor;
  const out = matrix(rows, cols);
  for (let j = 0; j < rows; j++) {
    const scale = noise && noise[j] > 0 ? 1 / Math.sqrt(noise[j]) : 0;
    for (let k = 0; k < cols; k++) out.data[j * cols + k] = scale * factor.data[j * cols + k];
  }
  return out;
}

function rowsOf(U: Matrix, members: readonly number[]): Matrix {
  const out = matrix(members.length, U.cols);
  members.forEach((j, i) => {
    out.data.set(U.data.subarray(j * U.cols, (j + 1) * U.cols), i * U.cols);
  });
  return out;
}

function plusIdentity(M: Matrix): Matrix {
  const out = matrix(M.rows, M.cols, M.data.slice());
  for (let k = 0; k < M.rows; k++) out.data[k * (M.cols + 1)] += 1;
  return out;
}

/** R with RᵀR = M for a positive semidefinite M; eigenvalues that rounding made negative are zero. */
function rootOf(M: Matrix): Matrix {
  if (M.rows === 1) return matrix(1, 1, Float64Array.of(Math.sqrt(Math.max(0, M.data[0]))));
  const even = matrix(M.rows, M.rows);
  for (let i = 0; i < M.rows; i++)
    for (let j = 0; j < M.rows; j++)
      even.data[i * M.rows + j] = (M.data[i * M.rows + j] + M.data[j * M.rows + i]) / 2;
  const { values, vectors } = eigh(even);
  const root = transpose(vectors);
  for (let k = 0; k < M.rows; k++) {
    const scale = Math.sqrt(Math.max(0, values[k]));
    for (let i = 0; i < M.rows; i++) root.data[k * M.rows + i] *= scale;
  }
  return root;
}

/** FᵀHᵀ/τ² for V = FFᵀ: z = Fᵀ·V⁻¹m with m the mean fitted to centred responses, so that μ = A z = B m. */
export function coordinates(factor: Matrix, centred: Matrix, noiseVariance: number): Matrix {
  const out = multiplyTranspose(transpose(factor), centred);
  for (let e = 0; e < out.data.length; e++) out.data[e] /= noiseVariance;
  return out;
}
