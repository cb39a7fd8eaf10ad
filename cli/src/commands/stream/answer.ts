import {
  type EffectSizes,
  fold,
  keyFromSeed,
  type Matrix,
  type RateResult,
  RatewiseError,
  type RunOptions,
  rate,
} from "@ratewise/core";
import {
  type GaussianWeights,
  logisticNoiseVariance,
  type Projected,
  projectedEffects,
  softmaxNoiseVariance,
} from "@ratewise/core/effects";
import type { Group } from "@ratewise/core/rate";
import { projectedEffectsInPlace, type StreamNull, streamNull } from "@ratewise/core/stream";
import type { StreamResponse } from "./response.ts";
import type { StreamSettings } from "./settings.ts";
import { settledRanks } from "./settled-ranks.ts";

/** The last hidden layer, and the weights over it that the ranking is of. */
export interface LastLayer {
  readonly hidden: Matrix;
  readonly refit: {
    readonly posterior: { readonly outputs: readonly GaussianWeights[]; readonly link: string };
    /** τ², null for classes. */
    readonly noiseVariance: number | null;
  };
}

/** The ranking, and the effects it is of when there is one output alone. */
export interface StreamAnswer {
  readonly result: RateResult;
  readonly effects: EffectSizes | null;
}

/** RATE from the projection, which is used up: of one output, or summed over those of a softmax. */
export function answerOf(
  projected: Projected,
  { refit }: LastLayer,
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

/** What would be found by chance, for the selection; null where none is asked for. */
export async function nullsOf(
  { result, effects }: StreamAnswer,
  { hidden, refit }: LastLayer,
  groups: readonly Group[] | undefined,
  response: StreamResponse | null,
  { fdr, seed, permutations }: StreamSettings,
  run: RunOptions = {},
): Promise<StreamNull | null> {
  if (!effects || fdr === null) return null;
  if (!response)
    throw new RatewiseError("usage", {
      at: "stream",
      what: "--select needs a response, --target, or --pheno and --trait",
    });
  const { sd, mutualInformation } = result.variables;
  return streamNull(
    {
      ...{ factor: effects.factor, noise: effects.noise!, sd },
      mutualInformation: mutualInformation!,
      ...{ hidden, weights: refit.posterior.outputs[0], responses: [response.values] },
      ...(groups && { groups }),
    },
    {
      ...{ ...run, key: fold(keyFromSeed(seed), "null"), fdr },
      ...(permutations !== undefined && { permutations }),
    },
  );
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
