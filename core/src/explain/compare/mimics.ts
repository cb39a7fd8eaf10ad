import { meanAbsolute, treeShap } from "../../importance/index.ts";
import { groupLassoLearner, lassoLearner } from "../../learners/group-lasso-learner.ts";
import {
  type Boosting,
  boostingLearner,
  fitMimic,
  type GroupLassoModel,
  type Learner,
  learnerFrom,
  type Mimic,
  type SearchMethod,
  type SearchResult,
  searchSettings,
} from "../../learners/index.ts";
import { linearLearner } from "../../learners/linear.ts";
import { mimicTargets } from "../../learners/mimic.ts";
import { type Matrix, matrix } from "../../linalg/index.ts";
import { squaresOf } from "../../linalg/moments.ts";
import { fold } from "../../random/index.ts";
import type { Group } from "../../rate/index.ts";
import type { Progress } from "../../run.ts";
import type { CompareContext, MethodScores } from "./context.ts";
import { permutedScores } from "./permuted-scores.ts";

/** Trees of a forest that nobody searched settings for. */
const FOREST_TREES = 200;
/** Rows whose Shapley values are averaged, at most. */
const MOST_SHAP_ROWS = 500;

interface Mimicry<Model> {
  readonly learner: Learner<Model>;
  readonly mimic: Mimic<Model>;
  readonly search?: SearchResult;
}

/** Trains a learner on the network's predictions; with a search, the settings that predict them best. */
async function mimicry<Model>(
  context: CompareContext,
  label: string,
  defaults: Learner<Model>,
  searched?: { readonly method: SearchMethod; readonly groups?: readonly (readonly number[])[] },
  importance?: (model: Model) => Float64Array,
): Promise<Mimicry<Model>> {
  const { train, test, key, columnNames, workers, run } = context;
  const setup = { ...run, names: columnNames, ...(workers !== undefined && { workers }) };
  let learner = defaults;
  let search: SearchResult | undefined;
  if (context.search && searched) {
    search = await searchSettings(searched.method, train.X, mostVaried(mimicTargets(train)), {
      ...setup,
      ...context.search,
      key: fold(key, "search", label),
      task: { kind: "regression" },
      ...(searched.groups && { groups: searched.groups }),
    });
    learner = learnerFrom(search.setup) as Learner<Model>;
  }
  // By the name that the method has here: what a search calls boosting is gbm.
  const mimic = await fitMimic({ ...learner, name: label }, train, test, {
    ...setup,
    ...(run.onProgress && { onProgress: progressOf(label, run.onProgress) }),
    key: fold(key, "mimic", label),
    ...(importance && { importance }),
  });
  return { learner, mimic, ...(search && { search }) };
}

/** Stages by the name of the method: a forest and a group forest both grow trees. */
function progressOf(
  label: string,
  onProgress: (event: Progress) => void,
): (event: Progress) => void {
  return (event) =>
    onProgress(event.phase === "grow-forest-trees" ? { ...event, phase: label } : event);
}

/** Settings are chosen on the output that there is most to say about. */
function mostVaried(targets: readonly Float64Array[]): Float64Array {
  const variation = targets.map((values) => squaresOf(values));
  return targets[variation.indexOf(Math.max(...variation))];
}

function about<Model>({
  mimic,
  search,
}: Mimicry<Model>): Pick<MethodScores, "mimicScore" | "diagnostics" | "search"> {
  return {
    mimicScore: mimic.heldOut,
    diagnostics: mimic.diagnostics,
    ...(search && { search }),
  };
}

/** The scores of variables and groups from a mimic's importance of columns. */
function ofColumns<Model>(
  { variables, groups }: CompareContext,
  found: Mimicry<Model>,
  combined: (columns: Float64Array, of: readonly Group[]) => Float64Array,
): MethodScores {
  const columns = found.mimic.importance!;
  return {
    variables: combined(columns, variables),
    groups: combined(columns, groups),
    ...about(found),
  };
}

/** Shares of columns add up to those of variables and groups. */
function summed(columns: Float64Array, of: readonly Group[]): Float64Array {
  return Float64Array.from(of, ({ members }) => members.reduce((sum, j) => sum + columns[j], 0));
}

/** Coefficients of columns in standard deviations, as the length of each variable's or group's. */
function lengths(columns: Float64Array, of: readonly Group[]): Float64Array {
  return Float64Array.from(of, ({ members }) =>
    Math.sqrt(members.reduce((sum, j) => sum + columns[j] * columns[j], 0)),
  );
}

export async function forestMimic(context: CompareContext): Promise<MethodScores> {
  const learner = learnerFrom({ method: "forest", settings: { trees: FOREST_TREES } });
  return ofColumns(
    context,
    await mimicry(context, "forest", learner, { method: "forest" }),
    summed,
  );
}

const boosted = new WeakMap<CompareContext, Promise<Mimicry<Boosting>>>();

/** The boosting that gbm and tree-shap look at in two ways, fitted by whichever comes first. */
function boostingOf(context: CompareContext): Promise<Mimicry<Boosting>> {
  const found =
    boosted.get(context) ?? mimicry(context, "gbm", boostingLearner(), { method: "boosting" });
  boosted.set(context, found);
  return found;
}

export async function boostingMimic(context: CompareContext): Promise<MethodScores> {
  return ofColumns(context, await boostingOf(context), summed);
}

/** Mean |Σ φ| over held-out rows of the Shapley values of the boosting mimic, a variable's columns added up. */
export async function treeShapMimic(context: CompareContext): Promise<MethodScores> {
  const { test, variables, groups, run } = context;
  const found = await boostingOf(context);
  const rows = Math.min(MOST_SHAP_ROWS, test.X.rows);
  const X = matrix(rows, test.X.cols, test.X.data.subarray(0, rows * test.X.cols));
  const of = [...variables, ...groups];
  const scores = new Float64Array(of.length);
  for (const model of found.mimic.models) {
    const { values } = await treeShap(model, X, run);
    for (const shap of values)
      meanAbsolute(addedUp(shap, of)).forEach((score, g) => {
        scores[g] += score;
      });
  }
  return {
    variables: scores.slice(0, variables.length),
    groups: scores.slice(variables.length),
    ...about(found),
  };
}

function addedUp(values: Matrix, of: readonly Group[]): Matrix {
  const out = matrix(values.rows, of.length);
  for (let i = 0; i < values.rows; i++)
    of.forEach(({ members }, g) => {
      for (const j of members) out.data[i * of.length + g] += values.data[i * values.cols + j];
    });
  return out;
}

/** Permutation importance of a forest mimic, the columns of a variable or group permuted together. */
export async function groupForestMimic(context: CompareContext): Promise<MethodScores> {
  const defaults = learnerFrom({ method: "group-forest", settings: { trees: FOREST_TREES } });
  const found = await mimicry(context, "group-forest", defaults, { method: "group-forest" });
  const targets = mimicTargets(context.test);
  const loss = (X: Matrix): number =>
    targets.reduce((sum, target, output) => {
      const predicted = found.learner.predict(found.mimic.models[output], X).data;
      return (
        sum + target.reduce((s, value, i) => s + (value - predicted[i]) ** 2, 0) / target.length
      );
    }, 0);
  return { ...(await permutedScores(context, loss, "group-forest")), ...about(found) };
}

export async function lassoMimic(context: CompareContext): Promise<MethodScores> {
  return ofColumns(context, await mimicry(context, "lasso", lassoLearner()), lengths);
}

export async function linearMimic(context: CompareContext): Promise<MethodScores> {
  return ofColumns(context, await mimicry(context, "linear", linearLearner()), lengths);
}

/** ‖v_g‖ of a group lasso whose groups are the variables, and of one whose groups are those asked for. */
export async function groupLassoMimic(context: CompareContext): Promise<MethodScores> {
  const fitted = (of: readonly Group[], label: string) => {
    const groups = of.map(({ members }) => members);
    return mimicry<GroupLassoModel>(
      context,
      label,
      groupLassoLearner({ groups }),
      { method: "group-lasso", groups },
      ({ groupNorms }) => groupNorms,
    );
  };
  const found = await fitted(context.variables, "group-lasso");
  const ofGroups =
    context.groups.length > 0 ? await fitted(context.groups, "group-lasso groups") : null;
  return {
    variables: found.mimic.importance!,
    groups: ofGroups?.mimic.importance ?? new Float64Array(0),
    ...about(found),
  };
}
