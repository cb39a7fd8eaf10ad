import type { EffectSizes } from "../effects/effect-sizes.ts";
import { RatewiseError } from "../errors.ts";
import { mention, say } from "../words/words.ts";
import { centralityScorer } from "./centrality.ts";
import type { Dependence } from "./dependence.ts";
import { decomposePosterior, dependenceOf, type Posterior, posteriorRank } from "./posterior.ts";
import { pseudoInverseScorer } from "./pseudo-inverse.ts";
import { publishedLowRankScorer, publishedScorer } from "./published.ts";
import { r2020LowRankScorer, r2020Scorer } from "./r-2020.ts";
import { meanTermScorer, type Scorer } from "./scorer.ts";
import type { Variant } from "./variant.ts";

export interface ChosenScorer {
  readonly variant: Variant;
  readonly scorer: Scorer;
  /** Of the covariance that the variant acts on; null when that is singular. */
  readonly dependence: Dependence | null;
  readonly posteriorRank: number;
}

/** The scorer of the variant asked for, or of the one the posterior calls for; `norms` are those of the factor's rows. */
export function chooseScorer(
  effects: EffectSizes,
  norms: Float64Array,
  asked: Variant | undefined,
  nugget: number | undefined,
): ChosenScorer {
  const { mean, noise, factor } = effects;
  const variant = asked ?? (nugget !== undefined ? "nugget" : noise ? "noise" : "exact");
  if (variant === "noise" && !noise)
    throw new RatewiseError("domain", {
      in: "rate",
      what: 'needs noise variances for the variant "noise", got none',
      option: "variant",
      advice: 'give them, or use "exact", "nugget" or "pseudo-inverse"',
      variant,
    });
  const diagonal = diagonalOf(effects, variant, nugget);
  const posterior = decomposePosterior(effects, norms, diagonal);
  const dependence = dependenceOf(posterior, mean);
  const rank = posteriorRank(effects, diagonal, posterior);
  return {
    variant,
    dependence,
    posteriorRank: rank,
    scorer: scorerOf(variant, mean),
  };

  function scorerOf(variant: Variant, mean: Float64Array): Scorer {
    switch (variant) {
      case "noise":
      case "exact":
      case "nugget":
        if (!dependence) throw singular(variant, mean.length, rank);
        return centralityScorer(dependence, mean);
      case "pseudo-inverse":
        return dependence
          ? meanTermOnly(centralityScorer(dependence, mean), mean.length)
          : pseudoInverseScorer(factor, mean);
      case "r-2020":
        return r2020Of(posterior, mean, rank);
      case "published":
        return dependence
          ? publishedScorer(dependence, mean)
          : publishedLowRankScorer(factor, mean);
      default:
        return variant satisfies never;
    }
  }
}

const meanTermOnly = (scorer: Scorer, p: number): Scorer =>
  meanTermScorer(p, (members) => scorer.group(members).kld);

function r2020Of(posterior: Posterior, mean: Float64Array, rank: number): Scorer {
  if (posterior.kind === "full-rank") return r2020Scorer(posterior.full, mean);
  if (posterior.kind === "low-rank") return r2020LowRankScorer(posterior.low, mean);
  throw singular("r-2020", mean.length, rank);
}

/** d in Ω = A Aᵀ + diag(d): noise where the variant has it, and the nugget. */
function diagonalOf(
  { noise, mean }: EffectSizes,
  variant: Variant,
  nugget: number | undefined,
): Float64Array | null {
  if (variant === "pseudo-inverse") return null;
  if (variant !== "nugget" || nugget === undefined) return noise;
  return noise ? noise.map((d) => d + nugget) : new Float64Array(mean.length).fill(nugget);
}

function singular(variant: Variant, p: number, rank: number): RatewiseError {
  return new RatewiseError("not-positive-definite", {
    in: "rate",
    what: `needs a covariance of full rank for the variant "${variant}", got rank ${rank} for ${p} variables, so its inverse does not exist`,
    advice: say`give noise variances (${mention("variant", "noise")}), set ${mention("nugget")}, or use ${mention("variant", "pseudo-inverse")}`,
    variant,
    rank,
    p,
  });
}
