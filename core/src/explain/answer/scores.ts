import { shares } from "../../rate/entropy.ts";
import type { RateResult } from "../../rate/index.ts";
import { rankDescending } from "../../rate/ranking.ts";

/** The scores of one variable or group. A nullified variable has null in all of them. */
export interface ScoreRow {
  readonly name: string;
  /** 1 is best; ties by input order. */
  readonly rank: number | null;
  /** Share of the whole. */
  readonly rate: number | null;
  /** The mean term of the Kullback–Leibler divergence, in nats. */
  readonly kld: number | null;
  /** The whole divergence; null where the variant has none. */
  readonly kldExact: number | null;
  /** With all other variables, in nats; null where the variant has none. */
  readonly mutualInformation: number | null;
}

/** Scores of variables or groups, summed over the outputs of a network. */
export interface Scores {
  readonly rate: Float64Array;
  readonly rank: Uint32Array;
  readonly kld: Float64Array;
  readonly kldExact: Float64Array;
  readonly mutualInformation: Float64Array;
}

/**
 * Entries `from` … `to` − 1 of the groups of each result, divergences added over results (classes)
 * and shares taken of the sum. For one result these are its own numbers.
 */
export function summedScores(results: readonly RateResult[], from: number, to: number): Scores {
  const sum = (pick: (result: RateResult) => Float64Array | null) => {
    const total = new Float64Array(to - from);
    for (const result of results) {
      const values = pick(result);
      if (values) for (let g = from; g < to; g++) total[g - from] += values[g];
    }
    return total;
  };
  const kld = sum(({ groups }) => groups!.kld);
  return {
    kld,
    kldExact: sum(({ groups }) => groups!.kldExact),
    mutualInformation: sum(({ groups }) => groups!.mutualInformation),
    ...sharesAndRanks(kld),
  };
}

/** Each value over their sum (zeros when that is 0), and ranks: 1 is best, ties by order. */
export function sharesAndRanks(values: Float64Array): { rate: Float64Array; rank: Uint32Array } {
  return { rate: shares(values), rank: rankDescending(values) };
}

export function scoreRowOf(scores: Scores, name: string, index: number): ScoreRow {
  return {
    name,
    rank: scores.rank[index],
    rate: scores.rate[index],
    kld: scores.kld[index],
    kldExact: scores.kldExact[index],
    mutualInformation: scores.mutualInformation[index],
  };
}
