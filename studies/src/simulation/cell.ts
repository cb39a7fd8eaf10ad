import {
  type EffectSizes,
  engine,
  fold,
  keyFromSeed,
  type Matrix,
  matrix,
  type RunOptions,
  rate,
  simulate,
} from "@ratewise/core";
import {
  addJacobian,
  effectSizes,
  gradientMoments,
  gradientScores,
  logisticNoiseVariance,
  residualNoiseVariance,
} from "@ratewise/core/effects";
import { accuracy, areaUnderRoc, rSquared } from "@ratewise/core/evaluate";
import { ensembleHidden, ensembleWeights } from "@ratewise/core/explain";
import { rowBlock } from "@ratewise/core/linalg";
import { jacobianBlocks, type Network, predict, type RecipeName } from "@ratewise/core/network";
import { type ColumnCorrelation, causalLabels, simulateMoreRows } from "@ratewise/core/simulate";
import { columnVariances } from "../column-variances.ts";
import { trainMembers } from "../train-members.ts";

/** One data set of the paper's simulation, and how to train on it. */
export interface CellRequest {
  readonly link: "identity" | "logistic";
  readonly rows: number;
  readonly seed: number;
  readonly recipe: RecipeName;
  readonly correlation: ColumnCorrelation;
  /** Networks in the ensemble; the first is "one network". */
  readonly members: number;
}

/** Areas under the ROC curve of a network's or an ensemble's rankings of the 100 variables. */
export interface RankingAreas {
  /** RATE of covariance and of linear effects, variant `noise`. */
  readonly covariance: number;
  readonly linear: number;
  /** The three forms of the gradient score. */
  readonly full: number;
  readonly weak: number;
  readonly meanSquared: number;
}

export interface CellResult extends CellRequest {
  readonly one: RankingAreas;
  readonly ensemble: RankingAreas;
  /** R² or accuracy on 10,000 fresh rows with the same coefficients. */
  readonly oneScore: number;
  readonly ensembleScore: number;
  readonly penalties: readonly number[];
  readonly epochs: readonly number[];
  readonly engine: string;
  readonly trainSeconds: number;
  readonly scoreSeconds: number;
}

const TRAINING_SHARE = 0.7;
const FRESH_ROWS = 10_000;

/** Simulates, trains, ranks, and only then looks at which variables were causal. */
export async function runCell(request: CellRequest, run: RunOptions = {}): Promise<CellResult> {
  const { link, rows, seed, recipe, correlation, members } = request;
  const key = keyFromSeed(seed);
  const { X, y, truth } = simulate({ key: fold(key, "data"), rows, link, correlation });
  const n = Math.round(TRAINING_SHARE * rows);
  const train = { X: rowBlock(X, 0, n), y: y.subarray(0, n) };
  const start = performance.now();
  const { fits, one, all } = await trainMembers(
    train.X,
    train.y,
    { key, link, recipe, members },
    run,
  );
  const trained = performance.now();
  const scoresOfOne = rankings(one, train);
  const scoresOfAll = members > 1 ? rankings(all, train) : scoresOfOne;
  const scored = performance.now();

  const fresh = simulateMoreRows(truth, FRESH_ROWS, fold(key, "fresh"));
  const causal = causalLabels(truth);
  const areas = (scores: Record<keyof RankingAreas, Float64Array>): RankingAreas => ({
    covariance: areaUnderRoc(scores.covariance, causal),
    linear: areaUnderRoc(scores.linear, causal),
    full: areaUnderRoc(scores.full, causal),
    weak: areaUnderRoc(scores.weak, causal),
    meanSquared: areaUnderRoc(scores.meanSquared, causal),
  });
  return {
    ...request,
    one: areas(scoresOfOne),
    ensemble: areas(scoresOfAll),
    oneScore: heldOut(one, fresh, link),
    ensembleScore: heldOut(all, fresh, link),
    penalties: fits.map(({ penalty }) => penalty),
    epochs: fits.map(({ history }) => history.length),
    engine: engine().name,
    trainSeconds: (trained - start) / 1000,
    scoreSeconds: (scored - trained) / 1000,
  };
}

interface Rows {
  readonly X: Matrix;
  readonly y: Float64Array;
}

/** Every ranking of an ensemble on its training rows; nothing here knows the causal variables. */
function rankings(
  networks: readonly Network[],
  { X, y }: Rows,
): Record<keyof RankingAreas, Float64Array> {
  const { hidden, mean } = ensembleHidden(networks, X);
  const { link } = networks[0].architecture;
  const noiseVariance =
    link === "identity" ? residualNoiseVariance(y, mean.data) : logisticNoiseVariance;
  const weights = ensembleWeights(networks, 0);
  const shares = (effects: EffectSizes) => rate(effects).variables.rate;
  const moments = gradientMoments(X.cols, hidden.cols);
  for (const block of jacobianBlocks(networks, X)) addJacobian(moments, block);
  const { full, weak, meanSquared } = gradientScores(moments, weights, {
    noiseVariance,
    columnVariances: columnVariances(X),
  });
  return {
    covariance: shares(effectSizes(X, hidden, weights, { noiseVariance })),
    linear: shares(effectSizes(X, hidden, weights, { noiseVariance, projection: "linear" })),
    full: full!,
    weak,
    meanSquared,
  };
}

/** R² of the mean prediction, or accuracy of the mean probability. */
function heldOut(networks: readonly Network[], { X, y }: Rows, link: CellRequest["link"]): number {
  const average = matrix(X.rows, 1);
  for (const network of networks) {
    const { mean, probabilities } = predict(network, X);
    for (let i = 0; i < X.rows; i++)
      average.data[i] +=
        (probabilities ? probabilities.data[2 * i + 1] : mean.data[i]) / networks.length;
  }
  if (link === "identity") return rSquared(average.data, y);
  return accuracy(
    average.data.map((chance) => (chance >= 0.5 ? 1 : 0)),
    y,
  );
}
