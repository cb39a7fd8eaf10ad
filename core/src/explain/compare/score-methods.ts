import { log } from "../../elementary/index.ts";
import { marginalCorrelation, marginalTStatistic } from "../../importance/index.ts";
import type { Matrix } from "../../linalg/index.ts";
import type { Group } from "../../rate/index.ts";
import { summedScores } from "../answer/scores.ts";
import { rateOfNetworks } from "../fit/column-rates.ts";
import { directImportance } from "../fit/direct.ts";
import { networkResponse } from "../fit/network-response.ts";
import type { Prepared } from "../prepare/prepared.ts";
import type { CompareContext, MethodScores } from "./context.ts";
import type { CompareMethod } from "./methods.ts";
import {
  boostingMimic,
  forestMimic,
  groupForestMimic,
  groupLassoMimic,
  lassoMimic,
  linearMimic,
  treeShapMimic,
} from "./mimics.ts";
import { permutedScores } from "./permuted-scores.ts";

/** How each method comes to its scores. */
export const scoreMethods: Readonly<
  Record<CompareMethod, (context: CompareContext) => Promise<MethodScores>>
> = {
  rate: rateScores,
  gradient: directScores,
  permutation: permutationScores,
  forest: forestMimic,
  gbm: boostingMimic,
  "tree-shap": treeShapMimic,
  "group-forest": groupForestMimic,
  lasso: lassoMimic,
  "group-lasso": groupLassoMimic,
  linear: linearMimic,
  correlation: async (context) => marginalScores(context, marginalCorrelation),
  "t-test": async (context) => marginalScores(context, marginalTStatistic),
};

async function rateScores(context: CompareContext): Promise<MethodScores> {
  const { networks, prepared, columnNames, variables, groups } = context;
  const { X } = prepared.train;
  const y = networkResponse(prepared);
  const { results } = rateOfNetworks(networks, X, y, {
    columnNames,
    groups: [...variables, ...groups],
  });
  const p = variables.length;
  return {
    variables: summedScores(results, 0, p).rate,
    groups: summedScores(results, p, p + groups.length).rate,
  };
}

async function directScores(context: CompareContext): Promise<MethodScores> {
  const { networks, prepared, columnNames, variables, groups, run } = context;
  const { X } = prepared.train;
  const y = networkResponse(prepared);
  // τ² needs the network's residuals alone, so one column is enough.
  const { noiseVariance } = rateOfNetworks(networks, X, y, {
    columnNames,
    groups: [variables[0]],
  });
  const { scores } = await directImportance(networks, X, {
    ...run,
    noiseVariance,
    groups: [...variables, ...groups],
  });
  const share = (values: Float64Array): Float64Array => {
    const sum = values.reduce((total, value) => total + value, 0);
    return sum > 0 ? values.map((value) => value / sum) : values;
  };
  return {
    variables: share(scores.slice(0, variables.length)),
    groups: share(scores.slice(variables.length)),
  };
}

/** The rise of the network's held-out loss: mean squared error, or −log probability of the true class. */
async function permutationScores(context: CompareContext): Promise<MethodScores> {
  const { test, predict, prepared } = context;
  return permutedScores(context, (X) => responseLoss(predict(X), test.y, prepared.task));
}

/** Probabilities below this count as this: one sure and wrong row would be infinitely bad. */
const LEAST_PROBABILITY = 1e-12;

function responseLoss({ data, cols }: Matrix, y: Float64Array, task: Prepared["task"]): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++)
    sum +=
      task === "regression"
        ? (y[i] - data[i]) ** 2
        : -log(Math.max(LEAST_PROBABILITY, data[i * cols + y[i]]));
  return sum / y.length;
}

/** Of several columns the one that goes along best. */
function marginalScores(
  { train, prepared, variables, groups }: CompareContext,
  score: (X: Matrix, y: Float64Array, classes?: number) => Float64Array,
): MethodScores {
  const columns = score(train.X, train.y, prepared.classes?.length);
  const best = (of: readonly Group[]): Float64Array =>
    Float64Array.from(of, ({ members }) =>
      members.reduce((most, j) => Math.max(most, columns[j]), 0),
    );
  return { variables: best(variables), groups: best(groups) };
}
