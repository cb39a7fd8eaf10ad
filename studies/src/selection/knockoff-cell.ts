import { engine, fold, keyFromSeed, type Matrix, type RunOptions, rate } from "@ratewise/core";
import { effectSizes } from "@ratewise/core/effects";
import type { Network, RecipeName } from "@ratewise/core/network";
import {
  beside,
  discoveries,
  drawGaussianKnockoffs,
  fitGaussianKnockoffs,
  type KnockoffMethod,
  knockoffFilter,
  knockoffStatistics,
} from "@ratewise/core/select";
import { type ColumnCorrelation, causalLabels } from "@ratewise/core/simulate";
import { mapRecord } from "../map-record.ts";
import { lastLayer, scoreByGradients } from "../simulation/network-scores.ts";
import { simulatedSplit } from "../simulation/trained-data-set.ts";
import { trainMembers } from "../train-members.ts";

/** One data set of the paper's simulation, selected from by knockoffs. */
export interface KnockoffRequest {
  readonly study: "knockoffs";
  readonly link: "identity" | "logistic";
  readonly rows: number;
  readonly seed: number;
  readonly recipe: RecipeName;
  readonly correlation: ColumnCorrelation;
  readonly method: KnockoffMethod;
  /** Networks in the ensemble; the first is "one network". */
  readonly members: number;
  readonly fdr: number;
}

/** What one ranking selected. */
export interface Found {
  /** False discovery proportion. */
  readonly fdp: number;
  readonly power: number;
  readonly selected: number;
}

export const measures = ["covariance", "full", "weak", "meanSquared"] as const;
export type Measure = (typeof measures)[number];

export interface KnockoffResult extends KnockoffRequest {
  readonly one: Readonly<Record<Measure, Found>>;
  readonly ensemble: Readonly<Record<Measure, Found>>;
  readonly epochs: readonly number[];
  readonly penalties: readonly number[];
  readonly engine: string;
  readonly seconds: number;
}

/** Simulates, copies, trains on columns and copies together, filters, and only then looks at which variables were causal. */
export async function runKnockoffCell(
  request: KnockoffRequest,
  run: RunOptions = {},
): Promise<KnockoffResult> {
  const { link, seed, recipe, method, members, fdr } = request;
  const start = performance.now();
  const key = keyFromSeed(seed);
  const { train, truth } = simulatedSplit(request, key);
  const { X: own, y: response } = train;
  const model = fitGaussianKnockoffs(own, { method });
  const both = beside(own, drawGaussianKnockoffs(model, own, fold(key, "copies")));
  const { fits, one, all } = await trainMembers(
    both,
    response,
    { key, link, recipe, members },
    run,
  );
  const causal = causalLabels(truth);
  const found = (scores: Float64Array): Found => {
    const { selected } = knockoffFilter(knockoffStatistics(scores), fdr);
    const { falseDiscoveryProportion: fdp, power } = discoveries(selected, causal);
    return { fdp, power, selected: selected.filter(Boolean).length };
  };
  const allFound = (of: readonly Network[]): Record<Measure, Found> =>
    mapRecord(scoresOf(of, both, response), found);
  const foundByOne = allFound(one);
  return {
    ...request,
    one: foundByOne,
    ensemble: members > 1 ? allFound(all) : foundByOne,
    epochs: fits.map(({ history }) => history.length),
    penalties: fits.map(({ penalty }) => penalty),
    engine: engine().name,
    seconds: (performance.now() - start) / 1000,
  };
}

/** Divergences, not shares: W needs the same scale on both sides only. */
function scoresOf(
  networks: readonly Network[],
  X: Matrix,
  y: Float64Array,
): Record<Measure, Float64Array> {
  const last = lastLayer(networks, { X, y });
  const { hidden, weights, noiseVariance } = last;
  const effects = effectSizes(X, hidden, weights, { noiseVariance });
  return { covariance: rate(effects).variables.kld, ...scoreByGradients(networks, X, last) };
}
