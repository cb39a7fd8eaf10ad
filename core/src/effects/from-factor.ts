import { RatewiseError, refuseUnknown, shapeError } from "../errors.ts";
import { firstNonFinite, needMatrix, needNumbers } from "../linalg/checks.ts";
import type { Matrix } from "../linalg/matrix.ts";
import type { EffectSizes } from "./effect-sizes.ts";
import { variableNames } from "./names.ts";

export interface FactorOptions {
  /** p variances ≥ 0: the diagonal of D. */
  readonly noise?: Float64Array;
  /** One name per variable; default x1 … xp. */
  readonly names?: readonly string[];
}

export const factorOptions: Readonly<Record<keyof FactorOptions, true>> = {
  noise: true,
  names: true,
};

/**
 * Effect sizes N(mean, A Aᵀ + diag(noise)) from their parts, once these are known to fit and to be finite.
 *
 * @example
 * ```js
 * import { effectsFromFactor, fromRows, ranked, rate } from "@ratewise/core";
 *
 * const factor = fromRows([[0.3, 0.1], [0.25, -0.15], [0.01, 0.02]]);
 * const options = { noise: Float64Array.of(0.01, 0.01, 0.01), names: ["age", "dose", "site"] };
 * const answer = rate(effectsFromFactor(Float64Array.of(0.9, 0.8, 0.1), factor, options));
 * console.log(ranked(answer)[0].name); // → age
 * ```
 */
export function effectsFromFactor(
  mean: Float64Array,
  factor: Matrix,
  options: FactorOptions = {},
): EffectSizes {
  const where = "effectsFromFactor";
  refuseUnknown(where, options, factorOptions);
  needNumbers(where, "the mean", mean);
  needMatrix(where, "the factor", factor);
  if (options.noise !== undefined && options.noise !== null)
    needNumbers(where, "noise", options.noise);
  const p = mean.length;
  const { noise = null } = options;
  if (factor.rows !== p || (noise !== null && noise.length !== p))
    throw shapeError(
      where,
      `${p} rows of the factor and ${p} variances of noise, as long as the mean`,
      `${factor.rows} and ${noise === null ? "none" : noise.length}`,
    );
  const fail = (what: string, value: number, at: string, details: Record<string, number>) =>
    new RatewiseError("domain", {
      in: where,
      what: `needs ${what}, got ${value} ${at} (counted from 0)`,
      ...details,
    });
  let at = firstNonFinite(mean);
  if (at >= 0) throw fail("a finite mean", mean[at], `for variable ${at}`, { variable: at });
  at = firstNonFinite(factor.data);
  if (at >= 0) {
    const [row, column] = [Math.floor(at / factor.cols), at % factor.cols];
    const place = `in row ${row}, column ${column}`;
    throw fail("a finite factor", factor.data[at], place, { row, column });
  }
  at = noise === null ? -1 : noise.findIndex((value) => !(value >= 0 && Number.isFinite(value)));
  if (noise !== null && at >= 0)
    throw fail("finite noise variances ≥ 0", noise[at], `for variable ${at}`, { variable: at });
  return { names: variableNames(where, p, options.names), mean, factor, noise };
}
