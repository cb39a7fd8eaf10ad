import type { Design } from "../../data/design.ts";
import { addJacobian, gradientMoments } from "../../effects/gradient-moments.ts";
import { solveLowerTriangular } from "../../linalg/cholesky.ts";
import {
  cholesky,
  choleskyInverse,
  gram,
  type Matrix,
  matrix,
  multiply,
  multiplyTranspose,
  transposeMultiply,
} from "../../linalg/index.ts";
import { meanOf, meansOfColumns, squaresOf } from "../../linalg/moments.ts";
import type { Network } from "../../network/index.ts";
import { jacobianBlocks } from "../../network/jacobian.ts";
import type { Partition, QuadraticScore } from "../../select/index.ts";
import { variancesOf } from "../fit/direct-from-blocks.ts";
import { ensembleHidden } from "../fit/ensemble.ts";
import { linearUnits, momentsWithLinear } from "../fit/group-weights.ts";

/**
 * The direct score of every unit when the output layer of trained networks is fitted anew to other rows, as a function of their responses. With H
 * centred, prior N(0, I) and τ² fixed, w ~ N(m, V) with V = (I + HᵀH/τ²)⁻¹ and m = VHᵀy/τ², linear in y; and the gradient score of unit g is
 *
 *     ½v_gᵀ(I + S_g)⁻¹v_g = ½‖L_g⁻¹FᵀG_g m‖²,   V = FFᵀ,  G_g = Σ_j (1/d_j)(1/n)Σ_i J_ijJ_ijᵀ,  I + FᵀG_gF = L_gL_gᵀ
 *
 * Responses are to be centred and of variance about 1; classes are given as indicators. O(n·p·l² + units·l³).
 */
export function outputLayerScore(
  networks: readonly Network[],
  X: Design,
  units: Partition,
  noiseVariance: number,
  whole: readonly number[],
): QuadraticScore {
  const { hidden } = ensembleHidden(networks, X);
  const { rows: n, cols: l } = hidden;
  const H = centred(hidden);
  const precision = gram(H);
  for (let e = 0; e < precision.data.length; e++) precision.data[e] /= noiseVariance;
  for (let k = 0; k < l; k++) precision.data[k * (l + 1)] += 1;
  const V = choleskyInverse(cholesky(precision));
  const F = cholesky(V);
  const project = multiplyTranspose(V, H); // l×n
  for (let e = 0; e < project.data.length; e++) project.data[e] /= noiseVariance;

  const linear = linearUnits(networks);
  const moments = gradientMoments(X.cols, linear ? linear.hidden.length : l);
  for (const block of jacobianBlocks(networks, X)) addJacobian(moments, block);
  const variances = variancesOf(X);
  const weights = matrix(units.length * l, l);
  units.forEach((members, u) => {
    const G = matrix(l, l);
    for (const j of members) {
      const scale = ((n - 1) * variances[j]) / noiseVariance / n;
      const own = linear
        ? momentsWithLinear(moments, linear, j)
        : moments.second!.subarray(j * l * l, (j + 1) * l * l);
      for (let e = 0; e < l * l; e++) G.data[e] += scale * own[e];
    }
    const FG = transposeMultiply(F, G);
    const inner = multiply(FG, F);
    for (let k = 0; k < l; k++) inner.data[k * (l + 1)] += 1;
    const rows = solveLowerTriangular(cholesky(inner), FG);
    weights.data.set(
      rows.data.map((value) => value * Math.SQRT1_2),
      u * l * l,
    );
  });
  const unit = Uint32Array.from({ length: units.length * l }, (_, r) => Math.floor(r / l));
  return { project, weights, unit, units: units.length, whole };
}

function centred(X: Matrix): Matrix {
  const mean = meansOfColumns(X);
  return matrix(
    X.rows,
    X.cols,
    X.data.map((value, e) => value - mean[e % X.cols]),
  );
}

/** Numbers centred and scaled, or one centred indicator a class (one of two), each over its standard deviation. */
export function standardResponses(y: Float64Array, classes: number): Float64Array[] {
  if (classes === 0) return [scaled(y)];
  const shown = classes === 2 ? [1] : Array.from({ length: classes }, (_, c) => c);
  return shown.map((c) => scaled(y.map((label) => (label === c ? 1 : 0))));
}

function scaled(y: Float64Array): Float64Array {
  const mean = meanOf(y);
  const square = squaresOf(y, mean);
  const scale = square > 0 ? Math.sqrt((y.length - 1) / square) : 0;
  return y.map((value) => (value - mean) * scale);
}
