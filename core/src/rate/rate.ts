import type { EffectSizes } from "../effects/effect-sizes.ts";
import { RatewiseError } from "../errors.ts";
import { type Order, stableOrder } from "../evaluate/order.ts";
import { hypotenuse } from "../linalg/norm.ts";
import { checkEffects, checkFactor, checkOptions } from "./check-input.ts";
import { chooseScorer } from "./choose-scorer.ts";
import { type Varying, withoutConstant } from "./constant.ts";
import { diagnose } from "./diagnostics.ts";
import { entropy, shares } from "./entropy.ts";
import { ranksDescending } from "./ranking.ts";
import type { ImportanceScores, RateOptions, RateResult } from "./result.ts";
import type { Score, Scorer, VariableScores } from "./scorer.ts";
import { rowNorms } from "./vector.ts";

/**
 * Relative centrality of each effect and of groups of them (Ish-Horowicz et al.): with Ω = A Aᵀ + D and
 * Λ = Ω⁻¹,
 *
 *     KLD_g = KL( p(β̃₋g) ‖ p(β̃₋g | β̃_g = 0) ),   RATE_g = KLD_g / Σ KLD
 *
 * what fixing an effect at zero does to the joint posterior of all the others. It does not depend on units
 * (except `published`) and has no sign. It is zero for an effect that is independent of the others, however
 * large that effect is.
 * With noise O(p·l²) and no p×p matrix; at most O(p³) where p ≤ l.
 *
 * With `nullify`, variable j is scored as {j} ∪ nullified and a group as group ∪ nullified; nullified
 * variables, and groups of nothing else, have no score.
 *
 * @throws RatewiseError `shape`, `domain` or `unknown-name` for bad input, `not-positive-definite` when the
 * variant needs an inverse that does not exist.
 *
 * @example
 * ```js
 * import { effectsFromCovariance, fromRows, rate } from "@ratewise/core";
 *
 * const covariance = fromRows([[0.1, 0.05, 0], [0.05, 0.1, 0], [0, 0, 0.1]]);
 * const effects = effectsFromCovariance(Float64Array.of(0.9, 0.3, 0.8), covariance, { names: ["age", "dose", "site"] });
 * const { variables } = rate(effects, { groups: [{ name: "person", members: [0, 1] }] });
 * console.log(variables.rate[2].toFixed(2)); // → 0.00
 * ```
 */
export function rate(effects: EffectSizes, options: RateOptions = {}): RateResult {
  checkEffects(effects);
  const p = effects.mean.length;
  checkOptions(options, p);
  const { groups = [], divideByGroupSize = false } = options;
  const nullified = new Set(options.nullify ?? []);

  const norms = rowNorms(effects.factor.data, p, effects.factor.cols);
  checkFactor(effects, norms);
  const sd = standardDeviations(norms, effects.noise);
  const varying = withoutConstant(effects, norms, sd);
  const { variant, scorer, dependence, posteriorRank } = chooseScorer(
    varying.effects,
    varying.norms,
    options.variant,
    options.nugget,
  );
  const score = scoreWith(scorer, varying, nullified);
  const { order, ...variables } = toImportance(
    nullified.size === 0
      ? scatter(scorer.variables(), varying, p)
      : collect(p, scorer.hasExact, (j) => score([j])),
  );
  const sizes = Uint32Array.from(groups, ({ members }) => new Set(members).size);
  const spread = entropy(variables.rate);
  return {
    variant,
    variables: { ...variables, names: effects.names, mean: effects.mean.slice(), sd },
    groups:
      groups.length === 0
        ? null
        : {
            ...withoutOrder(
              toImportance(
                collect(groups.length, scorer.hasExact, (g) => score(groups[g].members)),
                divideByGroupSize ? sizes : null,
              ),
            ),
            names: groups.map(({ name }) => name),
            sizes,
          },
    delta: spread ? spread.delta : null,
    ess: spread ? spread.ess : null,
    posteriorRank,
    diagnostics: diagnose({
      effects,
      variant,
      posteriorRank,
      constant: varying.constant,
      rate: variables.rate,
      order,
      norms,
      sd,
      dependence,
    }),
  };
}

/** Scores a set together with the nullified ones; null when it has no others, zero when all it has are constant. */
function scoreWith(
  scorer: Scorer,
  { position }: Varying,
  nullified: ReadonlySet<number>,
): (members: readonly number[]) => Score | null {
  const place = (j: number): number => (position ? position[j] : j);
  const always = [...nullified].map(place).filter((at) => at >= 0);
  const zero = scorer.hasExact ? 0 : null;
  return (members) => {
    const own = [...new Set(members)].filter((j) => !nullified.has(j));
    if (own.length === 0) return null;
    const varying = own.map(place).filter((at) => at >= 0);
    if (varying.length === 0) return { kld: 0, kldExact: zero, mutualInformation: zero };
    return scorer.group([...varying, ...always]);
  };
}

/** Scores one by one into arrays, NaN where there is none. */
function collect(
  count: number,
  hasExact: boolean,
  score: (index: number) => Score | null,
): VariableScores {
  const empty = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  const kld = empty();
  const kldExact = hasExact ? empty() : null;
  const mutualInformation = hasExact ? empty() : null;
  for (let i = 0; i < count; i++) {
    const found = score(i);
    if (!found) continue;
    kld[i] = found.kld;
    if (kldExact && found.kldExact !== null) kldExact[i] = found.kldExact;
    if (mutualInformation && found.mutualInformation !== null)
      mutualInformation[i] = found.mutualInformation;
  }
  return { kld, kldExact, mutualInformation };
}

/** Puts zeros where the constant variables were. */
function scatter(scores: VariableScores, { position }: Varying, p: number): VariableScores {
  if (!position) return scores;
  const spread = (values: Float64Array): Float64Array =>
    Float64Array.from({ length: p }, (_, j) => (position[j] >= 0 ? values[position[j]] : 0));
  return {
    kld: spread(scores.kld),
    kldExact: scores.kldExact && spread(scores.kldExact),
    mutualInformation: scores.mutualInformation && spread(scores.mutualInformation),
  };
}

function toImportance(
  scores: VariableScores,
  divideBy: Uint32Array | null = null,
): ImportanceScores & { readonly order: Order } {
  const total = scores.kld.reduce((sum, kld) => (Number.isNaN(kld) ? sum : sum + kld), 0);
  if (total === Number.POSITIVE_INFINITY)
    throw new RatewiseError("domain", {
      in: "rate",
      what: "needs means whose squares are finite in units of their standard deviations, got an overflow",
      advice: "rescale the means",
    });
  const rate = shares(divideBy ? scores.kld.map((kld, g) => kld / divideBy[g]) : scores.kld);
  const order = stableOrder(rate);
  return { ...scores, rate, rank: ranksDescending(order, rate.length), order };
}

function withoutOrder({
  order: _,
  ...scores
}: ImportanceScores & { readonly order: Order }): ImportanceScores {
  return scores;
}

/** √Ω_jj of A Aᵀ + D, given the norms of the rows of A. */
function standardDeviations(norms: Float64Array, noise: Float64Array | null): Float64Array {
  if (!noise) return norms;
  const sd = new Float64Array(norms.length);
  for (let j = 0; j < sd.length; j++) sd[j] = hypotenuse(norms[j], Math.sqrt(noise[j]));
  return sd;
}
