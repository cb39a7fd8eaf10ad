import { engine } from "../compute/index.ts";
import { indexNames, type Table, type VariableGroup, variableOfColumn } from "../data/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { RatewiseError } from "../errors.ts";
import type { Architecture, RecipeName } from "../network/index.ts";
import { contentHash } from "../parallel/index.ts";
import { fold, keyFromSeed } from "../random/index.ts";
import type { RunOptions } from "../run.ts";
import { version } from "../version.ts";
import { columnNames, groupsOfColumns, variablesAsGroups } from "./column-names.ts";
import { directImportance } from "./direct.ts";
import type { ExplainDocument } from "./explain-document.ts";
import { type FittedMember, fitEnsemble } from "./fit-member.ts";
import { heldOutScore } from "./held-out.ts";
import { type Importance, importanceRows } from "./importance-rows.ts";
import { marginalImportance } from "./marginal.ts";
import type { Model } from "./model.ts";
import { modelDiagnostics } from "./model-diagnostics.ts";
import { type Prepared, type PrepareOptions, prepare } from "./prepare.ts";
import { schemaVersion } from "./result.ts";

export interface ExplainOptions extends Omit<PrepareOptions, "key">, RunOptions {
  /** Default 1. */
  readonly seed?: number;
  /** `standard` (default) shrinks inputs that do not help; `paper` trains as the paper did. */
  readonly recipe?: RecipeName;
  /** Units of the hidden layers, default 32, 16. */
  readonly hidden?: readonly number[];
  /** Networks to train and average, default 1. */
  readonly ensemble?: number;
  /** Groups of the table's variables, given the names that are explained. */
  readonly groups?: (variables: ReadonlyMap<string, number>) => readonly VariableGroup[];
  /** Worker threads for the ensemble; the result does not depend on them. */
  readonly workers?: number;
  /** What to record as options: the command's own words, for one. */
  readonly record?: Readonly<Record<string, unknown>>;
}

export interface Explained {
  readonly document: ExplainDocument;
  readonly model: Model;
}

/** From a table to an answer: splits, trains, projects, ranks, and says how good the model is. */
export async function explain(source: Table, options: ExplainOptions): Promise<Explained> {
  const { seed = 1, recipe = "standard", hidden = [32, 16], ensemble = 1 } = options;
  checkOptions(hidden, ensemble);
  const key = keyFromSeed(seed);
  const prepared = prepare(source, { ...options, key });
  const variables = variablesAsGroups(prepared.encoding);
  const groups = options.groups?.(indexNames(variables.map(({ name }) => name))) ?? [];

  const members = await fitEnsemble(prepared.train.X, prepared.train.y, {
    ...options,
    key: fold(key, "network"),
    architecture: architectureFor(prepared, hidden),
    recipe,
    penaltyGroups: variables.map((variable) => variable.members),
    members: ensemble,
  });
  const networks = members.map(({ network }) => network);
  const { X, y } = prepared.train;
  const asColumns = [...variables, ...groupsOfColumns(prepared.encoding, groups)];
  const marginal = marginalImportance(networks, X, y, {
    columnNames: columnNames(prepared.encoding),
    groups: asColumns,
  });
  const direct = await directImportance(networks, X, {
    noiseVariance: marginal.noiseVariance,
    groups: asColumns,
    ...(options.signal && { signal: options.signal }),
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
  const importance = importanceRows({
    prepared,
    groups,
    marginal,
    direct: direct.scores,
    owner: variableOfColumn(prepared.encoding),
  });
  const heldOut = heldOutScore(networks, prepared);
  return {
    document: {
      kind: "explain",
      schema: schemaVersion,
      task: prepared.task,
      target: prepared.target,
      recipe,
      effect: "covariance",
      model: {
        layers: hidden,
        ensemble,
        penalty: members.map(({ penalty }) => penalty),
        epochs: members.map(({ history }) => history.length),
        heldOut,
        rows: { train: X.rows, test: prepared.test.X.rows },
      },
      ...importance,
      contrasts: null,
      posteriorRank: marginal.results[0].posteriorRank,
      diagnostics: gatherDiagnostics(
        prepared,
        marginal.diagnostics,
        modelDiagnostics(heldOut, prepared.test.X.rows),
        importance,
      ),
      excluded: prepared.excluded,
      seed,
      engine: engine().name,
      version,
      options: { recipe, hidden, ensemble, directForm: direct.form, ...options.record },
      dataHash: contentHash(source),
    },
    model: modelOf(prepared, members),
  };
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

function architectureFor({ classes, encoding }: Prepared, hidden: readonly number[]): Architecture {
  const shape = {
    inputs: encoding.width,
    layers: hidden.map((units) => ({ kind: "dense" as const, units, activation: "relu" as const })),
  };
  if (!classes) return { ...shape, link: "identity" };
  if (classes.length === 2) return { ...shape, link: "logistic" };
  return { ...shape, link: "softmax", classes: classes.length };
}

function modelOf(prepared: Prepared, members: readonly FittedMember[]): Model {
  return {
    kind: "ratewise-model",
    version,
    task: prepared.task,
    target: prepared.target,
    classes: prepared.classes,
    encoding: prepared.encoding,
    networks: members.map(({ network }) => network),
  };
}

/** Diagnostics of the columns of a category speak of its levels; the rest is about the whole. */
function gatherDiagnostics(
  prepared: Prepared,
  ofRate: readonly Diagnostic[],
  ofModel: readonly Diagnostic[],
  { variables }: Importance,
): Diagnostic[] {
  const standIns = variables.filter(({ standInFor }) => standInFor !== null);
  const note: Diagnostic[] = standIns.length
    ? [
        {
          code: "stand-ins",
          message: `${standIns.length === 1 ? "1 variable goes" : `${standIns.length} variables go`} along with the prediction only through another one (see "stands in for").`,
          names: standIns.map(({ name }) => name),
        },
      ]
    : [];
  return [...prepared.diagnostics, ...ofModel, ...note, ...ofRate];
}
