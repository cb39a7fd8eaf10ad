import { type Matrix, transposeMultiplyVector } from "../linalg/index.ts";
import { selectRows } from "../linalg/matrix.ts";
import { svd } from "../linalg/svd.ts";
import { meanTermScorer, type Scorer } from "./scorer.ts";

/**
 * The R code before November 2020 where p exceeds the rank: Λ = (A Aᵀ)⁺ and, since removing a variable then
 * leaves the rank as it was, Δ_g = Λ_g. With A = P diag(σ) Qᵀ, ½ μ_gᵀΛ_gμ_g = ½ ‖σ⁻¹P_gᵀμ_g‖² over the
 * eigenvalues σ² of A Aᵀ above max(p, l)·ε of the largest. O(p·l²) once, O(|g|·l) per group.
 */
export function pseudoInverseScorer(factor: Matrix, mean: Float64Array): Scorer {
  const { U: P, values } = svd(factor);
  const smallest =
    Math.sqrt(Math.max(factor.rows, factor.cols) * Number.EPSILON) * (values[0] ?? 0);
  return meanTermScorer(mean.length, (members) => {
    const ownMean = Float64Array.from(members, (j) => mean[j]);
    const projected = transposeMultiplyVector(selectRows(P, members), ownMean);
    let sum = 0;
    for (let k = 0; k < values.length && values[k] > smallest; k++)
      sum += 0.5 * (projected[k] / values[k]) ** 2;
    return sum;
  });
}
