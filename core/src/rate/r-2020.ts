import { dot } from "../linalg/dot.ts";
import {
  identity,
  type Matrix,
  matrix,
  multiplyVector,
  transposeMultiplyVector,
} from "../linalg/index.ts";
import { addGramInPlace } from "../linalg/products.ts";
import type { FullRank } from "./full-rank.ts";
import { type LowRank, shrink } from "./low-rank.ts";
import { meanTermScorer, type Scorer } from "./scorer.ts";
import { forEachBlock, whitenedRows } from "./whitened.ts";

/**
 * The R code since November 2020, where the inverse of Λ₋g went missing: ½ μ_gᵀΛ*ᵀΛ₋gΛ*μ_g, which for one
 * variable is ½ μ_j²[(Λ³)_jj − 2Λ_jj(Λ²)_jj + Λ_jj³]. Formed as xᵀΛx with x = Λμ_g outside g and zero inside,
 * so that only non-negative terms meet. O(p²) per group.
 */
export function r2020Scorer({ inverse, sd }: FullRank, mean: Float64Array): Scorer {
  const p = sd.length;
  return meanTermScorer(p, (members) => {
    const weighted = new Float64Array(p);
    for (const j of members) weighted[j] = mean[j] / sd[j];
    // Λ = diag(1/sd) C⁻¹ diag(1/sd)
    const x = multiplyVector(inverse, weighted).map((value, j) => value / sd[j] ** 2);
    for (const j of members) x[j] = 0;
    return 0.5 * dot(x, multiplyVector(inverse, x));
  });
}

/**
 * The same for diag(d) + A Aᵀ. With W = D⁻¹A, Λ = D⁻¹ − W K⁻¹Wᵀ and t = K⁻¹W_gᵀμ_g the vector x is −W t
 * outside g, so xᵀΛx = tᵀ[F − E K⁻¹E]t with E = Σ_{k∉g} w_kw_kᵀ and F = Σ_{k∉g} w_kw_kᵀ/d_k. O(l²) per variable.
 */
export function r2020LowRankScorer({ U, eigen }: LowRank, mean: Float64Array): Scorer {
  const l = U.cols;
  const once = matrix(l, l);
  const twice = matrix(l, l);
  forEachBlock(U, (block, start) => {
    const scale = U.scale.subarray(start, start + block.rows);
    scaleRows(block, scale);
    addGramInPlace(once, block);
    scaleRows(block, scale);
    addGramInPlace(twice, block);
  });
  const inverse = shrink(eigen, identity(l), (s) => 1 / (1 + s));
  return meanTermScorer(mean.length, (members) => {
    const rows = whitenedRows(U, members);
    const scale = Float64Array.from(members, (j) => U.scale[j]);
    scaleRows(rows, scale);
    const ownMean = Float64Array.from(members, (j) => mean[j]);
    const t = multiplyVector(inverse, transposeMultiplyVector(rows, ownMean));
    const own = multiplyVector(rows, t);
    const e = multiplyVector(once, t);
    subtractInPlace(e, transposeMultiplyVector(rows, own));
    const f = multiplyVector(twice, t);
    for (let i = 0; i < own.length; i++) own[i] *= scale[i] ** 2;
    subtractInPlace(f, transposeMultiplyVector(rows, own));
    return 0.5 * (dot(t, f) - dot(e, multiplyVector(inverse, e)));
  });
}

function scaleRows({ data, rows, cols }: Matrix, scale: Float64Array): void {
  for (let i = 0; i < rows; i++) for (let k = 0; k < cols; k++) data[i * cols + k] *= scale[i];
}

function subtractInPlace(out: Float64Array, term: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] -= term[i];
}
