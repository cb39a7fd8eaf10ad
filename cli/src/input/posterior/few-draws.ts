import type { Diagnostic } from "@ratewise/core";
import { diagnostic } from "@ratewise/core/diagnostic";
import type { PosteriorFields } from "../fields.ts";

/**
 * The inverse of the covariance of s draws of p Gaussian variables is too large by (s − 1)/(s − p − 2) on average
 * (the mean of an inverse Wishart distribution), and divergences are made of that inverse.
 */
export function fewDraws({ draws, noise }: PosteriorFields, p: number): Diagnostic[] {
  const s = draws?.shape[0] ?? Number.POSITIVE_INFINITY;
  if (s >= 10 * p) return [];
  const message =
    s > p + 2
      ? `${s} draws of ${p} variables are few: the inverse covariance comes out about ${((s - 1) / (s - p - 2)).toFixed(1)} times too large, and the ranking follows the noise of the draws. Use ${10 * p} draws or more.`
      : `${s} draws cannot determine the covariance of ${p} variables${noise ? "" : `: it has rank ${Math.min(s - 1, p)}`}. The ranking depends on which draws these are. Use ${10 * p} draws or more, or a mean and a factor.`;
  return [diagnostic("few-draws", message, { draws: s, variables: p })];
}
