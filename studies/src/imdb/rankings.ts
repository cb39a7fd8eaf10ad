import {
  effectSizes,
  type ForestSettings,
  fitBoosting,
  fitForest,
  fold,
  impurityImportance,
  type Key,
  logisticNoiseVariance,
  type Matrix,
  type Network,
  outputLayer,
  predictBoosting,
  predictForest,
  type RunOptions,
  rate,
  rSquared,
  type SparseMatrix,
} from "@ratewise/core";

/** Scores of all words by one method, largest first in importance. */
export interface Ranking {
  readonly scores: Float64Array;
  /** Words from the most important down; ties by their place. */
  readonly order: Uint32Array;
}

export function rankingOf(scores: Float64Array): Ranking {
  const order = Uint32Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b);
  return { scores, order };
}

/** RATE of the words, and the mean of each effect, whose sign is its direction. X stays sparse throughout. */
export function rateWords(
  network: Network,
  X: SparseMatrix,
  hidden: Matrix,
): Ranking & { readonly mean: Float64Array } {
  const { mean, variance } = outputLayer(network, 0);
  const block = { ...X, rowStarts: X.starts };
  const effects = effectSizes(
    block,
    hidden,
    { mean, covariance: variance },
    { noiseVariance: logisticNoiseVariance },
  );
  return { ...rankingOf(rate(effects).variables.rate), mean: effects.mean };
}

export interface MimicRanking extends Ranking {
  /** R² of the network's probabilities on held-out reviews. */
  readonly heldOut: number;
  /** Words that no tree splits on. */
  readonly unused: number;
}

export interface Mimicked {
  readonly X: SparseMatrix;
  /** The network's probability of a positive review. */
  readonly probabilities: Float64Array;
}

export async function boostingRanking(
  train: Mimicked,
  test: Mimicked,
  settings: { readonly rounds: number },
  key: Key,
  run: RunOptions,
): Promise<MimicRanking> {
  const model = await fitBoosting(train.X, train.probabilities, {
    ...{ ...settings, ...run, task: { kind: "regression" } as const },
    key: fold(key, "boosting"),
  });
  return mimicRanking(impurityImportance(model), predictBoosting(model, test.X), test);
}

export async function forestRanking(
  train: Mimicked,
  test: Mimicked,
  settings: ForestSettings,
  key: Key,
  run: RunOptions,
): Promise<MimicRanking> {
  const model = await fitForest(train.X, train.probabilities, {
    ...{ ...settings, ...run, task: { kind: "regression" } as const },
    key: fold(key, "forest"),
  });
  return mimicRanking(impurityImportance(model), predictForest(model, test.X), test);
}

function mimicRanking(scores: Float64Array, predicted: Matrix, test: Mimicked): MimicRanking {
  return {
    ...rankingOf(scores),
    heldOut: rSquared(predicted.data, test.probabilities),
    unused: scores.filter((score) => score === 0).length,
  };
}
