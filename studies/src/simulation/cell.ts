import {
  type EffectSizes,
  engine,
  fold,
  keyFromSeed,
  matrix,
  type RunOptions,
  rate,
} from "@ratewise/core";
import { effectSizes } from "@ratewise/core/effects";
import { accuracy, areaUnderRoc, rSquared } from "@ratewise/core/evaluate";
import { type Network, predict, type RecipeName } from "@ratewise/core/network";
import { defineTask, type TaskKind } from "@ratewise/core/parallel";
import {
  type ColumnCorrelation,
  causalLabels,
  type SimulatedRows,
  simulateMoreRows,
} from "@ratewise/core/simulate";
import { mapRecord } from "../map-record.ts";
import { runOptions } from "../study/study.ts";
import { trainMembers } from "../train-members.ts";
import { lastLayer, scoreByGradients } from "./network-scores.ts";
import { simulatedSplit } from "./trained-data-set.ts";

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

const FRESH_ROWS = 10_000;

/** Simulates, trains, ranks, and only then looks at which variables were causal. */
export async function runCell(request: CellRequest, run: RunOptions = {}): Promise<CellResult> {
  const { link, seed, recipe, members } = request;
  const key = keyFromSeed(seed);
  const { train, truth } = simulatedSplit(request, key);
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
  const areas = (scores: Record<keyof RankingAreas, Float64Array>): RankingAreas =>
    mapRecord(scores, (own) => areaUnderRoc(own, causal));
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

/** Every ranking of an ensemble on its training rows. */
function rankings(
  networks: readonly Network[],
  rows: SimulatedRows,
): Record<keyof RankingAreas, Float64Array> {
  const last = lastLayer(networks, rows);
  const { hidden, weights, noiseVariance } = last;
  const shares = (effects: EffectSizes) => rate(effects).variables.rate;
  const linear = { noiseVariance, projection: "linear" } as const;
  return {
    covariance: shares(effectSizes(rows.X, hidden, weights, { noiseVariance })),
    linear: shares(effectSizes(rows.X, hidden, weights, linear)),
    ...scoreByGradients(networks, rows.X, last),
  };
}

/** R² of the mean prediction, or accuracy of the mean probability. */
function heldOut(
  networks: readonly Network[],
  { X, y }: SimulatedRows,
  link: CellRequest["link"],
): number {
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

/** One data set of the simulation as a task of the worker pool. */
export const simulationCell: TaskKind<CellRequest, CellResult> = defineTask(
  "simulation-cell",
  (request: CellRequest, context) => runCell(request, runOptions(context)),
);
