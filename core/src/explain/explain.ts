import { engine } from "../compute/index.ts";
import { variableOfColumn } from "../data/design.ts";
import { indexNames, type Table, type VariableGroup } from "../data/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { RatewiseError } from "../errors.ts";
import type { RecipeName } from "../network/index.ts";
import { contentHash } from "../parallel/index.ts";
import type { Kernel } from "../posterior/index.ts";
import { fold, keyFromSeed } from "../random/index.ts";
import type { RunOptions } from "../run.ts";
import { version } from "../version.ts";
import { calibrationOf } from "./answer/calibration.ts";
import { heldOutPredictions } from "./answer/held-out-predictions.ts";
import { type Importance, importanceRows } from "./answer/importance-rows.ts";
import { modelDiagnostics } from "./answer/model-diagnostics.ts";
import { oppositeSigns } from "./answer/opposite-signs.ts";
import { keptOfRate, overlookedByRate } from "./answer/overlooked.ts";
import type { RankingBasis } from "./answer/rank-again.ts";
import { shapeOfEffects } from "./answer/shape-of-effects.ts";
import { withStandIns } from "./answer/stand-in-notes.ts";
import type { ExplainDocument } from "./document/explain-document.ts";
import { schemaVersion } from "./document/result.ts";
import { fitNetworks } from "./fit/by-networks.ts";
import { fitProcess } from "./fit/by-process.ts";
import type { TaskCache } from "./fit/cached-tasks.ts";
import type { FittedModel } from "./fit/fitted-model.ts";
import { type Model, type ModelParts, predictRows } from "./fit/model.ts";
import type { PosteriorName } from "./fit/refit-output.ts";
import { columnNames, groupsOfColumns, variablesAsGroups } from "./prepare/column-names.ts";
import { type Prepared, type PrepareOptions, prepare } from "./prepare/prepare.ts";
import { type SelectionOptions, withSelection } from "./selection/fields.ts";

export interface ExplainOptions extends Omit<PrepareOptions, "key">, RunOptions, SelectionOptions {
  /** Default 1. */
  readonly seed?: number;
  /** `standard` (default) shrinks inputs that do not help; `paper` trains as the paper did. */
  readonly recipe?: RecipeName;
  /** Units of the hidden layers, default 32, 16. */
  readonly hidden?: readonly number[];
  /** Networks to train and average, default 1. */
  readonly ensemble?: number;
  /** Where the uncertainty of the output weights comes from, default `variational`: training. */
  readonly posterior?: PosteriorName;
  /** A Bayesian network (default), or a Gaussian process for at most 4,000 training rows. */
  readonly model?: "network" | "gp";
  /** Of the Gaussian process, default `rbf`. */
  readonly kernel?: Kernel["kind"];
  /** Training rows for the Gaussian process, drawn at random; default all. */
  readonly subsample?: number;
  /** Groups of the table's variables, given the names that are explained. */
  readonly groups?: (variables: ReadonlyMap<string, number>) => readonly VariableGroup[];
  /** Worker threads for the ensemble; the result does not depend on them. */
  readonly workers?: number;
  /** Trained networks are looked for here before training, and put here after it: a run that was stopped goes on. */
  readonly cache?: TaskCache;
  /** What to record as options: the command's own words, for one. */
  readonly record?: Readonly<Record<string, unknown>>;
}

export interface Explained {
  readonly document: ExplainDocument;
  readonly model: Model;
  /** What the marginal ranking was made from, to rank again under other assumptions. */
  readonly ranking: RankingBasis;
}

/** From a table to an answer: splits, trains, projects, ranks, and says how good the model is. */
export async function explain(source: Table, options: ExplainOptions): Promise<Explained> {
  const { seed = 1, recipe = "standard", hidden = [32, 16], ensemble = 1 } = options;
  const { posterior = "variational", model: kind = "network" } = options;
  checkOptions(hidden, ensemble);
  const key = keyFromSeed(seed);
  const { families } = options;
  const exclude = [...(options.exclude ?? []), ...(families === undefined ? [] : [families])];
  const all = prepare(source, { ...options, key, exclude });
  const variables = variablesAsGroups(all.encoding);
  const groups = options.groups?.(indexNames(variables.map(({ name }) => name))) ?? [];

  const { fitted, prepared } = await fitModel(all, {
    ...options,
    key,
    recipe,
    hidden,
    ensemble,
    posterior,
    columnNames: columnNames(all.encoding),
    variables,
    groups: groupsOfColumns(all.encoding, groups),
  });
  const { marginal, direct, heldOut } = fitted;
  const ranked = importanceRows({
    prepared,
    groups,
    marginal,
    direct: direct.scores,
  });
  const outputs = marginal.results.length;
  const standIns = withStandIns(
    ranked.variables,
    prepared.train.X,
    variableOfColumn(prepared.encoding),
    Float64Array.from(prepared.train.y, (_, i) => marginal.fitted[i * outputs]),
  );
  const { importance, diagnostics: ofSelection } = await withSelection(
    { ...ranked, variables: standIns.variables },
    {
      ...options,
      source,
      prepared,
      fitted,
      key: fold(key, "selection"),
      variables,
      groups: groupsOfColumns(all.encoding, groups),
      recipe,
      hidden,
      ensemble,
    },
  );
  const prediction = predictRows({ ...fitted.parts, task: prepared.task }, prepared.test.X);
  const shapes = await shapeOfEffects({
    source,
    prepared,
    parts: fitted.parts,
    variables: leading(importance),
    key,
    ...(options.signal && { signal: options.signal }),
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
  return {
    document: {
      kind: "explain",
      schema: schemaVersion,
      task: prepared.task,
      target: prepared.target,
      recipe: kind === "gp" ? null : recipe,
      effect: "covariance",
      model: {
        ...fitted.about,
        heldOut,
        rows: { train: fitted.rows, test: prepared.test.X.rows },
      },
      calibration: calibrationOf(prediction, prepared),
      predictions: heldOutPredictions(prediction, prepared, key),
      ...importance,
      shapes,
      posteriorRank: marginal.results[0].posteriorRank,
      diagnostics: gatherDiagnostics(
        prepared,
        marginal.diagnostics,
        [...modelDiagnostics(heldOut, prepared.test.X.rows), ...ofSelection, ...fitted.diagnostics],
        [
          ...standIns.diagnostics,
          ...overlookedByRate(importance.variables),
          ...oppositeSigns(importance.variables, shapes),
        ],
      ),
      excluded: prepared.excluded,
      seed,
      engine: engine().name,
      version,
      options: {
        ...(kind === "gp" ? { model: kind } : { recipe, hidden, ensemble, posterior }),
        directForm: direct.form,
        ...options.record,
      },
      dataHash: contentHash(source),
    },
    model: modelOf(prepared, fitted.parts),
    ranking: { effects: marginal.effects, variables },
  };
}

/** Variables whose shapes are worked out: the first by either importance. */
const LEADING = { direct: 6, rate: 3 };

function leading({ variables }: Importance): number[] {
  const first = variables
    .map(({ direct, rank }, v) => ({ v, direct: direct!.rank, rank: rank! }))
    .filter(({ direct, rank }) => direct <= LEADING.direct || rank <= LEADING.rate);
  return first.sort((a, b) => a.direct - b.direct).map(({ v }) => v);
}

type FitModelOptions = Parameters<typeof fitNetworks>[1] &
  Pick<ExplainOptions, "model" | "kernel" | "subsample">;

/** The model asked for, and the rows it was fitted to. */
async function fitModel(
  prepared: Prepared,
  options: FitModelOptions,
): Promise<{ fitted: FittedModel; prepared: Prepared }> {
  if (options.model !== "gp") return { fitted: await fitNetworks(prepared, options), prepared };
  return fitProcess(prepared, {
    ...options,
    kernel: options.kernel ?? "rbf",
    subsample: options.subsample,
    groups: [...options.variables, ...options.groups],
  });
}

function checkOptions(hidden: readonly number[], ensemble: number): void {
  if (hidden.length === 0 || hidden.some((units) => !(Number.isInteger(units) && units > 0)))
    throw new RatewiseError(
      "domain",
      `explain: needs hidden layers of at least 1 unit, got ${hidden}`,
    );
  if (!(Number.isInteger(ensemble) && ensemble > 0))
    throw new RatewiseError("domain", `explain: needs an ensemble of at least 1, got ${ensemble}`);
}

function modelOf(prepared: Prepared, parts: ModelParts): Model {
  return {
    kind: "ratewise-model",
    version,
    task: prepared.task,
    target: prepared.target,
    classes: prepared.classes,
    encoding: prepared.encoding,
    ...parts,
  };
}

/** Diagnostics of the columns of a category speak of its levels; the rest is about the whole. */
function gatherDiagnostics(
  prepared: Prepared,
  ofRate: readonly Diagnostic[],
  ofModel: readonly Diagnostic[],
  ofVariables: readonly Diagnostic[],
): Diagnostic[] {
  return [...prepared.diagnostics, ...ofModel, ...ofVariables, ...ofRate.filter(keptOfRate)];
}
