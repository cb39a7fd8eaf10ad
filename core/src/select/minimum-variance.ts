import { RatewiseError } from "../errors.ts";
import {
  cholesky,
  choleskyInverse,
  eigh,
  type Matrix,
  matrix,
  multiply,
  transposeMultiply,
} from "../linalg/index.ts";
import { selectRows } from "../linalg/matrix.ts";
import { type Blocks, blockFactors, blockOf } from "./blocks.ts";
import type { Partition } from "./partition.ts";

const MOST_SWEEPS = 100;
/** A sweep that moves no share by more than this is the last. */
const SMALL_STEP = 1e-5;

/**
 * The shares γ_g ≤ 1 in S_g = γ_gΣ_gg that minimise tr(S⁻¹) + tr((2Σ − S)⁻¹), the sum of the reciprocal eigenvalues of the
 * covariance of columns and copies (minimum variance-based reconstructability, Spector and Janson 2022), by coordinate descent
 * from a feasible start. With A = (2Σ − S)⁻¹, Σ_gg = LLᵀ, LᵀA_ggL = Q diag(ν) Qᵀ and ω_i = ‖A_·g L q_i‖², moving γ_g
 * by δ changes the objective to
 *
 *     tr(Σ_gg⁻¹)/(γ_g + δ) + δ Σ_i ω_i/(1 − δν_i) + const
 *
 * which is convex. O(p³) a sweep.
 */
export function minimumVarianceScales(
  Sigma: Matrix,
  groups: Partition,
  blocks: Blocks,
  start: Float64Array,
): Float64Array {
  const scales = start.slice();
  const factors = blockFactors(blocks);
  const traces = factors.map(traceOfInverse);
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    const A = choleskyInverse(cholesky(remainder(Sigma, groups, blocks, scales)));
    let largest = 0;
    for (let g = 0; g < groups.length; g++) {
      const step = moveGroup(A, groups[g], factors[g], traces[g], scales[g]);
      scales[g] += step;
      largest = Math.max(largest, Math.abs(step));
    }
    if (largest < SMALL_STEP) return scales;
  }
  throw new RatewiseError("not-converged", {
    in: "knockoffs",
    what: `needs shares that settle in ${MOST_SWEEPS} sweeps, got none`,
    advice: 'use the method "equicorrelated"',
  });
}

/** 2Σ − S. */
function remainder(Sigma: Matrix, groups: Partition, blocks: Blocks, scales: Float64Array): Matrix {
  const p = Sigma.rows;
  const out = matrix(
    p,
    p,
    Sigma.data.map((value) => 2 * value),
  );
  groups.forEach((members, g) => {
    const { data, cols } = blocks[g];
    for (let a = 0; a < cols; a++)
      for (let b = 0; b < cols; b++)
        out.data[members[a] * p + members[b]] -= scales[g] * data[a * cols + b];
  });
  return out;
}

/** Finds the best step of one group, applies it to A, and returns it. */
function moveGroup(
  A: Matrix,
  members: readonly number[],
  factor: Matrix,
  trace: number,
  scale: number,
): number {
  const p = A.cols;
  const { values, vectors } =
    members.length === 1
      ? {
          values: Float64Array.of(factor.data[0] ** 2 * A.data[members[0] * (p + 1)]),
          vectors: matrix(1, 1, Float64Array.of(1)),
        }
      : eigh(transposeMultiply(factor, multiply(blockOf(A, members), factor)));
  // Rows (A_·g L q_i)ᵀ
  const directions = transposeMultiply(multiply(factor, vectors), selectRows(A, members));
  const omega = Float64Array.from(values, (_, i) => {
    let sum = 0;
    for (let j = 0; j < p; j++) sum += directions.data[i * p + j] ** 2;
    return sum;
  });
  const step = Math.min(bestStep(values, omega, trace, scale), 1 - scale);
  for (let i = 0; i < values.length; i++) {
    const weight = step / (1 - step * values[i]);
    const a = directions.data.subarray(i * p, (i + 1) * p);
    for (let j = 0; j < p; j++) {
      const left = weight * a[j];
      if (left === 0) continue;
      for (let k = 0, at = j * p; k < p; k++, at++) A.data[at] += left * a[k];
    }
  }
  return step;
}

/** The root of Σω_i/(1−δν_i)² − trace/(scale+δ)², which grows in δ: in closed form for one column, else by halving. */
function bestStep(nu: Float64Array, omega: Float64Array, trace: number, scale: number): number {
  if (nu.length === 1) {
    const ratio = Math.sqrt(omega[0] / trace);
    return (1 - ratio * scale) / (nu[0] + ratio);
  }
  let low = -scale;
  let high = 1 / Math.max(...nu);
  for (let turn = 0; turn < 100; turn++) {
    const middle = (low + high) / 2;
    let slope = -trace / (scale + middle) ** 2;
    for (let i = 0; i < nu.length; i++) slope += omega[i] / (1 - middle * nu[i]) ** 2;
    if (slope > 0) high = middle;
    else low = middle;
  }
  return low;
}

/** tr((LLᵀ)⁻¹). */
function traceOfInverse(L: Matrix): number {
  const { data, rows } = choleskyInverse(L);
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += data[i * (rows + 1)];
  return sum;
}
