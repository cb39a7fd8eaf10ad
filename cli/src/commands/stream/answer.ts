import { type EffectSizes, type RateResult, rate } from "@ratewise/core";
import {
  logisticNoiseVariance,
  type Projected,
  projectedEffects,
  softmaxNoiseVariance,
} from "@ratewise/core/effects";
import type { Group } from "@ratewise/core/rate";
import { projectedEffectsInPlace } from "@ratewise/core/stream";
import type { HiddenLayer } from "./hidden.ts";
import { settledRanks } from "./settled-ranks.ts";

/** The ranking, and the effects it is of when there is one output alone. */
export interface StreamAnswer {
  readonly result: RateResult;
  readonly effects: EffectSizes | null;
}

/** RATE from the projection, which is used up: of one output, or summed over those of a softmax. */
export function answerOf(
  projected: Projected,
  { refit }: HiddenLayer,
  groups: readonly Group[] | undefined,
): StreamAnswer {
  const { outputs, link } = refit.posterior;
  const noiseVariance =
    refit.noiseVariance ?? (link === "logistic" ? logisticNoiseVariance : softmaxNoiseVariance);
  const options = groups ? { groups } : {};
  if (outputs.length === 1) {
    const effects = projectedEffectsInPlace(projected, outputs[0], { noiseVariance });
    return { result: settled(rate(effects, options)), effects };
  }
  let sum: RateResult | null = null;
  for (const weights of outputs) {
    const next = rate(projectedEffects(projected, weights, { noiseVariance }), options);
    sum = sum ? added(sum, next) : next;
  }
  return { result: settled(withShares(sum!)), effects: null };
}

type Scores = NonNullable<RateResult["groups"]>;

function added(a: RateResult, b: RateResult): RateResult {
  const plus = (x: Float64Array | null, y: Float64Array | null): Float64Array | null =>
    x && y && x.map((value, j) => value + y[j]);
  const join = <S extends RateResult["variables"] | Scores>(x: S, y: S): S => ({
    ...x,
    kld: plus(x.kld, y.kld)!,
    kldExact: plus(x.kldExact, y.kldExact),
    mutualInformation: null,
  });
  return {
    ...a,
    variables: join(a.variables, b.variables),
    groups: a.groups && b.groups && join(a.groups, b.groups),
  };
}

/** Shares of summed divergences; there is no one effect, so no mean and sd. */
function withShares(sum: RateResult): RateResult {
  const nothing = sum.variables.mean.map(() => Number.NaN);
  return {
    ...sum,
    variables: { ...sum.variables, ...shared(sum.variables.kld), mean: nothing, sd: nothing },
    groups: sum.groups && { ...sum.groups, ...shared(sum.groups.kld) },
    delta: null,
    ess: null,
  };
}

function shared(kld: Float64Array): { rate: Float64Array } {
  const total = kld.reduce((sum, value) => sum + value, 0);
  return { rate: kld.map((value) => (total > 0 ? value / total : 0)) };
}

/** With ranks in which rounding decides nothing. */
function settled(result: RateResult): RateResult {
  const { variables, groups } = result;
  return {
    ...result,
    variables: { ...variables, rank: settledRanks(variables.rate) },
    groups: groups && { ...groups, rank: settledRanks(groups.rate) },
  };
}

/** How many outputs the last layer has, for the plan. */
export function outputsOf(classes: readonly string[] | null | undefined): number {
  return classes && classes.length > 2 ? classes.length : 1;
}
