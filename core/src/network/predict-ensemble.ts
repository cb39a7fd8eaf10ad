import { shapeError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import type { Prediction } from "./predict.ts";

/**
 * The predictive distribution of an ensemble from its members' on the same rows: means, noise and
 * probabilities are averaged; the variance of f is that of the mixture, (1/K)Σ_k(Var_k + (f_k − f̄)²),
 * which holds the members' disagreement.
 */
export function predictEnsemble(members: readonly Prediction[]): Prediction {
  if (members.length === 0) throw shapeError("predictEnsemble", "at least one member", "none");
  const mean = average(members.map((member) => member.mean));
  const variance = average(
    members.map((member) => ({
      ...member.mean,
      data: member.mean.data.map((f, i) => member.variance.data[i] + (f - mean.data[i]) ** 2),
    })),
  );
  const [first] = members;
  return {
    mean,
    variance,
    noiseVariance:
      first.noiseVariance === null
        ? null
        : members.reduce((sum, member) => sum + member.noiseVariance! / members.length, 0),
    probabilities: first.probabilities
      ? average(members.map((member) => member.probabilities!))
      : null,
  };
}

function average(parts: readonly Matrix[]): Matrix {
  const { rows, cols } = parts[0];
  const out = matrix(rows, cols);
  for (const part of parts) {
    if (part.rows !== rows || part.cols !== cols)
      throw shapeError(
        "predictEnsemble",
        `${rows}×${cols} in every member`,
        `${part.rows}×${part.cols}`,
      );
    for (let i = 0; i < out.data.length; i++) out.data[i] += part.data[i] / parts.length;
  }
  return out;
}
