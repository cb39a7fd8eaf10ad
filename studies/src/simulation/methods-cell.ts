import { engine, fold, keyFromSeed, type RunOptions } from "@ratewise/core";
import { areaUnderRoc, spearman } from "@ratewise/core/evaluate";
import { defineTask, type TaskKind } from "@ratewise/core/parallel";
import { mapRecord } from "../map-record.ts";
import { clockName } from "../stopwatch.ts";
import { runOptions } from "../study/study.ts";
import { causalBefore } from "./median-curve.ts";
import {
  type MimicMethod,
  mimicMethods,
  type Searched,
  type Settings,
  scoreByMimic,
  searchMimic,
  unsearched,
} from "./mimic-rankings.ts";
import { type RateRanking, scoreByRate, timeRate } from "./rate-rankings.ts";
import { type DataSet, type TrainedDataSet, trainDataSet } from "./trained-data-set.ts";

/** One part of the rankings of a data set. */
interface PartRequest<Part extends string> extends DataSet {
  readonly study: Part;
  readonly seed: number;
}

/** All rankings of one data set; with the recipe `paper` mimics without a search too. */
export type RankRequest = PartRequest<"rank">;

/** How long the parts of RATE take, ranking nothing else. */
export type TimesRequest = PartRequest<"times">;

/** Mimics with the settings that a search of the cell chose. */
export interface SearchedRequest extends PartRequest<"searched"> {
  readonly settings: Readonly<Record<MimicMethod, Settings>>;
}

/** A search: on the data set `seed`, or with seed 0 on one more, of at most `MOST_SEARCH_ROWS`. */
export interface SearchRequest extends PartRequest<"search"> {
  readonly candidates: number;
  readonly folds: number;
}

export type MethodsRequest = RankRequest | SearchedRequest | SearchRequest | TimesRequest;

interface Measured {
  readonly engine: string;
  /** Of which clock: see stopwatch.ts. */
  readonly clock: typeof clockName;
  /** By stage, without threads. */
  readonly seconds: Readonly<Record<string, number>>;
}

export interface RankResult extends RankRequest, Measured {
  readonly areas: Readonly<Record<RateRanking, number>> &
    Readonly<Partial<Record<MimicMethod, number>>>;
  /** See `causalBefore`. */
  readonly curves: Readonly<Record<string, readonly number[]>>;
  /** Spearman of the scores with those of `noise`. */
  readonly agreement: { readonly wholeDivergence: number; readonly mutualInformation: number };
  /** The share of the mean term in the sum of whole divergences. */
  readonly meanTerm: number;
  readonly heldOut: Readonly<Record<MimicMethod, number>> | null;
}

export interface SearchedResult extends SearchedRequest, Measured {
  readonly areas: Readonly<Record<MimicMethod, number>>;
  readonly curves: Readonly<Record<MimicMethod, readonly number[]>>;
  readonly heldOut: Readonly<Record<MimicMethod, number>>;
}

export interface SearchResult extends SearchRequest, Measured {
  readonly settings: Readonly<Record<MimicMethod, Settings>>;
  /** Cross-validated R² of the winner and of what is done without a search. */
  readonly scores: Readonly<Record<MimicMethod, readonly [best: number, unsearched: number]>>;
  /** Of the winners, fitted to the rows of the search. */
  readonly areas: Readonly<Record<MimicMethod, number>>;
}

/** Seconds of `train`, `hidden`, `effects` and `rate`: see `timeRate`. */
export interface TimesResult extends TimesRequest, Measured {}

export type MethodsResult = RankResult | SearchedResult | SearchResult | TimesResult;

/** A search of a cell with more rows is that of this many. */
export const MOST_SEARCH_ROWS = 10_000;

/** Simulates, trains, ranks, and only then looks at which variables were causal. */
export async function runMethodsCell(
  request: MethodsRequest,
  run: RunOptions = {},
): Promise<MethodsResult> {
  const { study, seed, rows } = request;
  const extra = study === "search" && seed === 0;
  const key = extra ? fold(keyFromSeed(0), "search", rows) : keyFromSeed(seed);
  const trained = await trainDataSet(request, key, run);
  const areaOf = (scores: Float64Array): number => areaUnderRoc(scores, trained.causal);
  const measured = { clock: clockName, engine: engine().name };
  if (request.study === "rank") return rank(request, trained, areaOf, run);
  if (request.study === "times") {
    const seconds = { train: trained.seconds, ...timeRate(trained.network, trained.train) };
    return { ...request, ...measured, seconds };
  }
  const mimicked = async (settings: SearchedRequest["settings"]) => {
    const found = await bothMimics(settings, trained, seed, run);
    return {
      areas: mapMethods((method) => areaOf(found[method].scores)),
      curves: mapMethods((method) => causalBefore(found[method].scores, trained.causal)),
      heldOut: mapMethods((method) => found[method].heldOut),
      seconds: mapMethods((method) => found[method].seconds),
    };
  };
  if (request.study === "searched") {
    const { seconds, ...found } = await mimicked(request.settings);
    return { ...request, ...found, ...measured, seconds };
  }
  const searches: Partial<Record<MimicMethod, Searched>> = {};
  for (const method of mimicMethods)
    searches[method] = await searchMimic(method, trained, request, key, run);
  const settings = mapMethods((method) => searches[method]!.setup.settings);
  return {
    ...request,
    settings,
    scores: mapMethods((method) => [searches[method]!.best, searches[method]!.unsearched] as const),
    areas: (await mimicked(settings)).areas,
    ...measured,
    seconds: mapMethods((method) => searches[method]!.seconds),
  };
}

async function rank(
  request: RankRequest,
  trained: TrainedDataSet,
  areaOf: (scores: Float64Array) => number,
  run: RunOptions,
): Promise<RankResult> {
  const { scores, seconds } = scoreByRate(trained.network, trained.train);
  const mimics =
    request.recipe === "paper" ? await bothMimics(unsearched, trained, request.seed, run) : null;
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  const whole = sum(scores["whole divergence"]);
  const drawn = { noise: scores.noise, gradient: scores.gradient };
  const all = mimics
    ? { ...drawn, boosting: mimics.boosting.scores, forest: mimics.forest.scores }
    : drawn;
  return {
    ...request,
    areas: {
      ...mapRecord(scores, areaOf),
      ...(mimics && mapMethods((method) => areaOf(mimics[method].scores))),
    },
    curves: mapRecord<string, Float64Array, number[]>(all, (own) =>
      causalBefore(own, trained.causal),
    ),
    agreement: {
      wholeDivergence: spearman(scores.noise, scores["whole divergence"]),
      mutualInformation: spearman(scores.noise, scores["mutual information"]),
    },
    meanTerm: whole > 0 ? sum(scores.noise) / whole : 1,
    heldOut: mimics && mapMethods((method) => mimics[method].heldOut),
    clock: clockName,
    engine: engine().name,
    seconds: {
      train: trained.seconds,
      ...seconds,
      ...(mimics && mapMethods((method) => mimics[method].seconds)),
    },
  };
}

async function bothMimics(
  settings: Readonly<Record<MimicMethod, Settings>>,
  trained: TrainedDataSet,
  seed: number,
  run: RunOptions,
) {
  const key = fold(keyFromSeed(seed), "mimics");
  const scored = (method: MimicMethod) =>
    scoreByMimic({ method, settings: settings[method] }, trained, key, run);
  return { boosting: await scored("boosting"), forest: await scored("forest") };
}

function mapMethods<Value>(of: (method: MimicMethod) => Value): Record<MimicMethod, Value> {
  return { boosting: of("boosting"), forest: of("forest") };
}

/** What makes a row of the journal one of its kind. */
export function methodsIdentity({ study, link, rows, seed, recipe }: MethodsRequest): string {
  return JSON.stringify([study, link, rows, seed, recipe]);
}

/** One part of a data set's rankings as a task of the worker pool. */
export const methodsCell: TaskKind<MethodsRequest, MethodsResult> = defineTask(
  "simulation-methods",
  // Learners refuse options that they do not know, and the context of a task has more.
  (request: MethodsRequest, context) => runMethodsCell(request, runOptions(context)),
);
