import { RatewiseError, shapeError } from "../errors.ts";
import { firstNonFinite, type Matrix } from "../linalg/index.ts";

/** N(mean, A Aᵀ) of d quantities (effect sizes, or f at d rows) by its factor A, d×r. Effect sizes are one. */
export interface LowRankGaussian {
  readonly mean: Float64Array;
  readonly factor: Matrix;
}

/** Throws unless all have as many quantities as the first, and finite numbers. @returns how many. */
export function checkMembers(where: string, members: readonly LowRankGaussian[]): number {
  if (members.length === 0) throw shapeError(where, "at least one member", "none");
  const size = members[0].mean.length;
  members.forEach(({ mean, factor }, k) => {
    if (mean.length !== size || factor.rows !== size)
      throw shapeError(
        where,
        `${size} quantities in every member`,
        `${mean.length} means and ${factor.rows} rows of the factor in member ${k}`,
      );
    if (firstNonFinite(mean) >= 0 || firstNonFinite(factor.data) >= 0)
      throw new RatewiseError("domain", {
        in: where,
        what: `needs finite numbers, got others in member ${k}`,
        advice: "leave it out",
        member: k,
      });
  });
  return size;
}
