import type { EffectSizes } from "../../src/effects/effect-sizes.ts";
import {
  determinant,
  type Fixed,
  type FixedMatrix,
  fixed,
  fixedMatrix,
  inverse,
  log,
  ONE,
  over,
  part,
  product,
  solve,
  times,
  toNumber,
  trace,
  transposed,
} from "./fixed-point.ts";

/** RATE by its definition, partition by partition, in arithmetic that may be read as exact. */
export interface Definition {
  readonly mean: FixedMatrix;
  readonly covariance: FixedMatrix;
  readonly precision: FixedMatrix;
  /** |Ω|. */
  readonly determinant: Fixed;
}

/** N(μ, A Aᵀ + D + nugget·I) with its inverse. */
export function exactly(effects: EffectSizes, nugget = 0): Definition {
  const { mean, noise } = effects;
  const A = exactFactor(effects);
  const product_ = product(A, transposed(A));
  const covariance = product_.map((row, i) =>
    row.map((value, j) => (i === j ? value + fixed(noise?.[i] ?? 0) + fixed(nugget) : value)),
  );
  return {
    mean: Array.from(mean, (value) => [fixed(value)]),
    covariance,
    precision: inverse(covariance),
    determinant: determinant(covariance),
  };
}

const exactFactor = ({ factor }: EffectSizes): FixedMatrix =>
  fixedMatrix(factor.rows, factor.cols, (i, j) => fixed(factor.data[i * factor.cols + j]));

/**
 * KL( N(μ₋, Ω₋) ‖ p(β̃₋ | β̃_g = 0) ) for the variables outside g, the conditional being
 * N(μ₋ − Ω₋g Ω_g⁻¹ μ_g, (Λ₋)⁻¹): the formula of two Gaussians and nothing else. Mutual information is
 * ½ log(|Ω_g||Ω₋|/|Ω|).
 */
export function divergence(gaussian: Definition, g: readonly number[]) {
  const { covariance, precision, mean } = gaussian;
  const rest = others(gaussian, g);
  if (rest.length === 0) return { kld: 0, kldExact: 0, mutualInformation: 0 };
  const withinGroup = part(covariance, g, g);
  const given = solve(withinGroup, rows(mean, g));
  const shift = product(part(covariance, rest, g), given.solution);
  const precisionOfRest = part(precision, rest, rest);
  const covarianceOfRest = part(covariance, rest, rest);
  const determinantOfRest = determinant(covarianceOfRest);
  const meanTerm = quadratic(shift, precisionOfRest) / 2n;
  const spread =
    trace(product(precisionOfRest, covarianceOfRest)) -
    BigInt(rest.length) * ONE -
    log(times(determinantOfRest, determinant(precisionOfRest)));
  const information = log(over(times(given.determinant, determinantOfRest), gaussian.determinant));
  return {
    kld: toNumber(meanTerm),
    kldExact: toNumber(meanTerm + spread / 2n),
    mutualInformation: toNumber(information / 2n),
  };
}

/** ½ μ_gᵀ M*ᵀ M₋⁻¹ M* μ_g with M = Ω: the paper's Python, full rank. */
export function publishedKld(gaussian: Definition, g: readonly number[]): number {
  const rest = others(gaussian, g);
  const cross = product(part(gaussian.covariance, rest, g), rows(gaussian.mean, g));
  return toNumber(quadratic(cross, inverse(part(gaussian.covariance, rest, rest))) / 2n);
}

/** ½ μ_gᵀ Λ*ᵀ Λ₋ Λ* μ_g: the R code in which an inverse went missing. */
export function r2020Kld(gaussian: Definition, g: readonly number[]): number {
  const rest = others(gaussian, g);
  const cross = product(part(gaussian.precision, rest, g), rows(gaussian.mean, g));
  return toNumber(quadratic(cross, part(gaussian.precision, rest, rest)) / 2n);
}

/** ½ μ_gᵀ(Ω⁺)_g μ_g with Ω⁺ = A(AᵀA)⁻²Aᵀ, for a factor of full column rank. */
export function pseudoInverseKld(effects: EffectSizes, g: readonly number[]): number {
  const A = exactFactor(effects);
  const inner = inverse(product(transposed(A), A));
  const projected = product(
    transposed(part(A, g, [...A[0].keys()])),
    g.map((j) => [fixed(effects.mean[j])]),
  );
  return toNumber(quadratic(projected, product(inner, inner)) / 2n);
}

const others = ({ mean }: Definition, g: readonly number[]): number[] =>
  [...mean.keys()].filter((j) => !g.includes(j));

const rows = (A: FixedMatrix, indexes: readonly number[]): FixedMatrix => indexes.map((j) => A[j]);

const quadratic = (x: FixedMatrix, M: FixedMatrix): Fixed =>
  product(product(transposed(x), M), x)[0][0];
