import { nameOf, RatewiseError, refuseUnknown } from "../errors.ts";
import type { Rows } from "../linalg/rows.ts";
import type { Block } from "./block.ts";
import { projectCovariance } from "./covariance.ts";
import type { EffectSizes } from "./effect-sizes.ts";
import type { GaussianWeights } from "./gaussian-weights.ts";
import { projectLinear, projectRidge } from "./linear.ts";
import { type NoiseOptions, type Projected, projectedEffects } from "./projected.ts";

/**
 * How a function of the rows becomes one number per variable, β̃ = P f:
 * `covariance` P = XᵀC/(n−1), `linear` P = (CX)⁺, `ridge` P = (XᵀCX + κI)⁻¹XᵀC with penalty κ.
 */
export type Projection = "covariance" | "linear" | { readonly ridge: number };

export interface ProjectOptions {
  /** Default: `covariance`, the paper's. */
  readonly projection?: Projection;
  /** One name per variable; default x1 … xp. */
  readonly names?: readonly string[];
}

/** Of what projects and then weighs. */
export const projectedOptions: Readonly<Record<keyof (ProjectOptions & NoiseOptions), true>> = {
  projection: true,
  names: true,
  noiseVariance: true,
};

/** B = P H and diag(P Pᵀ), for any weights to come. */
export function project(X: Block, H: Rows, options: ProjectOptions = {}): Projected {
  refuseUnknown("project", options, { projection: true, names: true });
  const { projection = "covariance", names } = options;
  if (projection === "covariance") return projectCovariance(X, H, names);
  if (projection === "linear") return projectLinear(X, H, names);
  if (typeof projection === "object" && "ridge" in projection)
    return projectRidge(X, H, projection.ridge, names);
  projection satisfies never;
  throw new RatewiseError("unknown-name", {
    in: "project",
    what: `needs projection to be "covariance", "linear" or { ridge }, got ${nameOf(projection)}`,
    option: "projection",
  });
}

/**
 * Effect size analogues of the inputs X of a network whose last hidden layer put out H and whose
 * output weights are w ~ N(m, V), as a Gaussian: β̃ = P(Hw + b).
 *
 * X is n×p (dense or CSR), H n×l. The cost is that of the projection plus O(p·l²); nothing of size
 * p×p or n×n is formed for the covariance, nothing beyond a thin factorisation of X for the others.
 */
export function effectSizes(
  X: Block,
  H: Rows,
  weights: GaussianWeights,
  options: ProjectOptions & NoiseOptions = {},
): EffectSizes {
  refuseUnknown("effectSizes", options, projectedOptions);
  const { noiseVariance, ...how } = options;
  const noise = noiseVariance === undefined ? {} : { noiseVariance };
  return projectedEffects(project(X, H, how), weights, noise);
}
