import { refuseUnknown, shapeError } from "../errors.ts";
import { needMatrix } from "../linalg/checks.ts";
import { type Matrix, matrix, transpose } from "../linalg/matrix.ts";
import { qr } from "../linalg/qr.ts";
import type { Block } from "./block.ts";
import { centre } from "./centre.ts";
import type { EffectSizes } from "./effect-sizes.ts";
import { effectsFromFactor, type FactorOptions, factorOptions } from "./from-factor.ts";
import { type ProjectOptions, project, projectedOptions } from "./project.ts";
import { checkNoise, type NoiseOptions } from "./projected.ts";

/**
 * Effect sizes from s draws (s×p): their mean, and a factor of their covariance (p×s),
 *
 *     A = (draws − mean)ᵀ/√(s−1)
 *
 * If s > p, a QR factorisation reduces A to p×p. O(s·p·min(s, p)).
 *
 * @example
 * ```js
 * import { effectsFromDraws, fromRows, rate } from "@ratewise/core";
 *
 * const draws = fromRows([[1.0, 0.9], [1.2, 0.8], [0.9, 0.7], [1.1, 1.0]]);
 * const { variables } = rate(effectsFromDraws(draws, { names: ["dose", "age"] }));
 * console.log(variables.names, variables.rank.length); // → [ 'dose', 'age' ] 2
 * ```
 */
export function effectsFromDraws(draws: Matrix, options: FactorOptions = {}): EffectSizes {
  const where = "effectsFromDraws";
  refuseUnknown(where, options, factorOptions);
  needMatrix(where, "the draws", draws);
  const { rows: s, cols: p } = draws;
  if (s < 2) throw shapeError(where, "at least 2 draws, one per row", `${s}`);
  const { centred, means } = centre(where, "the draws", draws);
  const factor = transpose(s > p ? qr(centred).R : centred);
  const scale = 1 / Math.sqrt(s - 1);
  const scaled = factor.data.map((value) => value * scale);
  return effectsFromFactor(means, matrix(factor.rows, factor.cols, scaled), options);
}

/**
 * Effect sizes from s draws of f at the rows of X (s×n), from any model at all: the draws are projected,
 * β̃ = P f, and then summarised by {@link effectsFromDraws}.
 *
 * @example
 * ```js
 * import { effectsFromFunctionDraws, fromRows, ranked, rate } from "@ratewise/core";
 *
 * const X = fromRows([[1, 2], [2, 1], [3, 4], [4, 3]]);
 * const draws = fromRows([[1, 2, 3, 4], [2, 3, 5, 6], [1, 2, 4, 5]]); // 3 draws of f at the 4 rows
 * const [first] = ranked(rate(effectsFromFunctionDraws(X, draws, { noiseVariance: 0.1, names: ["dose", "age"] })));
 * console.log(first.rank); // → 1
 * ```
 */
export function effectsFromFunctionDraws(
  X: Block,
  draws: Matrix,
  options: ProjectOptions & NoiseOptions = {},
): EffectSizes {
  const where = "effectsFromFunctionDraws";
  refuseUnknown(where, options, projectedOptions);
  needMatrix(where, "the draws", draws);
  if (draws.cols !== X.rows)
    throw shapeError(
      where,
      `draws of f at all ${X.rows} rows of X, one draw per row`,
      `${draws.cols}`,
    );
  const { noiseVariance, ...how } = options;
  const { names, hidden, squaredNorms } = project(X, transpose(draws), how);
  if (noiseVariance === undefined) return effectsFromDraws(transpose(hidden), { names });
  const tau2 = checkNoise(where, noiseVariance);
  const noise = squaredNorms.map((square) => tau2 * square);
  return effectsFromDraws(transpose(hidden), { names, noise });
}
