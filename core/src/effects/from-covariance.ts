import { refuseUnknown, shapeError } from "../errors.ts";
import { needMatrix, needNumbers } from "../linalg/checks.ts";
import type { Matrix } from "../linalg/matrix.ts";
import type { EffectSizes } from "./effect-sizes.ts";
import { factorCovariance } from "./factor-covariance.ts";
import { effectsFromFactor } from "./from-factor.ts";

export interface NameOptions {
  /** One name per variable; default x1 … xp. */
  readonly names?: readonly string[];
}

/**
 * Effect sizes N(mean, covariance) from a mean and a dense p×p covariance, which is checked (finite,
 * symmetric, positive semi-definite) and factored: p×p when it is positive definite, p×rank when not. O(p³).
 *
 * @example
 * ```js
 * import { effectsFromCovariance, fromRows, ranked, rate } from "@ratewise/core";
 *
 * const covariance = fromRows([[0.1, 0.05], [0.05, 0.2]]);
 * const effects = effectsFromCovariance(Float64Array.of(0.9, 0.3), covariance, { names: ["age", "dose"] });
 * console.log(ranked(rate(effects))[0].name); // → age
 * ```
 */
export function effectsFromCovariance(
  mean: Float64Array,
  covariance: Matrix,
  options: NameOptions = {},
): EffectSizes {
  const where = "effectsFromCovariance";
  refuseUnknown(where, options, { names: true });
  needNumbers(where, "the mean", mean);
  needMatrix(where, "the covariance", covariance);
  if (covariance.rows !== mean.length)
    throw shapeError(
      where,
      `a ${mean.length}×${mean.length} covariance, as long as the mean`,
      `${covariance.rows}×${covariance.cols}`,
    );
  return effectsFromFactor(mean, factorCovariance(where, "covariance", covariance), options);
}
