import { type EffectSizes, rate } from "@ratewise/core";
import { effectSizes } from "@ratewise/core/effects";
import type { Network } from "@ratewise/core/network";
import type { SimulatedRows } from "@ratewise/core/simulate";
import { secondsNow } from "../stopwatch.ts";
import { lastLayer, scoreByGradients } from "./network-scores.ts";

/** RATE of covariance effects in every variant there is, its two by-products, and what stands beside it. */
export const rateRankings = [
  "noise",
  "whole divergence",
  "mutual information",
  "nugget",
  "pseudo-inverse",
  "r-2020",
  "published",
  "linear",
  "gradient",
] as const;
export type RateRanking = (typeof rateRankings)[number];

export interface RateScores {
  readonly scores: Readonly<Record<RateRanking, Float64Array>>;
  /** From the trained network to RATE, hidden layer and effect sizes included; and of the gradient score. */
  readonly seconds: { readonly rate: number; readonly gradient: number };
}

/** ε of the nugget over the mean variance of an effect: the first author's later code adds a number of this order. */
const NUGGET_SHARE = 1e-3;

/**
 * Scores of one network on its training rows. `noise`, `whole divergence`, `mutual information` and `r-2020` act on A Aᵀ + D; the others
 * on A Aᵀ alone, as the codes do that they come from: its rank is 16 at most, of 100.
 */
export function scoreByRate(network: Network, rows: SimulatedRows): RateScores {
  const start = secondsNow();
  const last = lastLayer([network], rows);
  const { hidden, weights, noiseVariance } = last;
  const effects = effectSizes(rows.X, hidden, weights, { noiseVariance });
  const noise = rate(effects).variables;
  const ranked = secondsNow();
  const alone: EffectSizes = { ...effects, noise: null };
  const projection = "linear";
  const linear = effectSizes(rows.X, hidden, weights, { noiseVariance, projection });
  const before = secondsNow();
  const { full } = scoreByGradients([network], rows.X, last);
  const after = secondsNow();
  const kld = (of: EffectSizes, options: Parameters<typeof rate>[1]): Float64Array =>
    rate(of, options).variables.kld;
  const nugget = NUGGET_SHARE * meanVariance(alone);
  return {
    scores: {
      noise: noise.kld,
      "whole divergence": noise.kldExact!,
      "mutual information": noise.mutualInformation!,
      // A penalty may leave a network without inputs, and no effect to add anything to.
      nugget: nugget > 0 ? kld(alone, { variant: "nugget", nugget }) : noise.kld,
      "pseudo-inverse": kld(alone, { variant: "pseudo-inverse" }),
      "r-2020": kld(effects, { variant: "r-2020" }),
      published: kld(alone, { variant: "published" }),
      linear: rate(linear).variables.kld,
      gradient: full,
    },
    seconds: { rate: ranked - start, gradient: after - before },
  };
}

/** What leads to RATE, part by part: the rows through the network, their projection, and the ranking by the Gaussian that comes of it. */
export function timeRate(
  network: Network,
  rows: SimulatedRows,
): Readonly<Record<"hidden" | "effects" | "rate", number>> {
  const start = secondsNow();
  const { hidden, weights, noiseVariance } = lastLayer([network], rows);
  const passed = secondsNow();
  const effects = effectSizes(rows.X, hidden, weights, { noiseVariance });
  const projected = secondsNow();
  rate(effects);
  return {
    hidden: passed - start,
    effects: projected - passed,
    rate: secondsNow() - projected,
  };
}

/** tr(A Aᵀ)/p. */
function meanVariance({ factor }: EffectSizes): number {
  return factor.data.reduce((sum, value) => sum + value * value, 0) / factor.rows;
}
