import { RatewiseError, shapeError } from "../errors.ts";

/** τ² of a logistic logit: the variance of the standard logistic distribution, π²/3. */
export const logisticNoiseVariance: number = Math.PI ** 2 / 3;

/** τ² of one softmax logit: the variance of the standard Gumbel distribution, π²/6. */
export const softmaxNoiseVariance: number = Math.PI ** 2 / 6;

/** τ² of a contrast of two softmax logits: the difference of two Gumbels is logistic, π²/3. */
export const softmaxContrastNoiseVariance: number = Math.PI ** 2 / 3;

/**
 * τ² of a regression: (1/n) Σ (y_i − f̂_i)², the mean squared residual on the rows used.
 *
 * @param fitted the posterior mean of f on the same rows, H m + b
 */
export function residualNoiseVariance(response: Float64Array, fitted: Float64Array): number {
  const n = response.length;
  if (fitted.length !== n || n === 0)
    throw shapeError(
      "residualNoiseVariance",
      "as many fitted values as responses, at least one",
      `${fitted.length} and ${n}`,
    );
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const squared = (response[i] - fitted[i]) ** 2;
    if (!Number.isFinite(squared))
      throw new RatewiseError("domain", {
        in: "residualNoiseVariance",
        what: `needs finite numbers, got ${response[i]} and ${fitted[i]} in row ${i}`,
        advice: "drop the row",
        row: i,
      });
    sum += squared;
  }
  return sum / n;
}
