import type { Table } from "../../data/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { fold } from "../../random/index.ts";
import type { Fitted, FittedModel } from "../fit/fitted-model.ts";
import type { ModelScores } from "../fit/model-scores.ts";
import type { Asked, Prepared } from "../prepare/prepared.ts";
import { type SelectionRun, selectionOf } from "../selection/fields.ts";
import { type Calibration, calibrationOf } from "./calibration.ts";
import { type HeldOutPredictions, heldOutPredictions } from "./held-out-predictions.ts";
import { type Importance, importanceRows } from "./importance-rows.ts";
import { modelDiagnostics, unseenClasses } from "./model-diagnostics.ts";
import { networkNotes } from "./network-notes.ts";
import { oppositeSigns } from "./opposite-signs.ts";
import { keptOfRate, overlookedByRate } from "./overlooked.ts";
import { type EffectShape, shapeOfEffects } from "./shape-of-effects.ts";
import { withStandIns } from "./stand-in-notes.ts";

/** Everything that is said of the variables and of the model. */
export interface Answer {
  readonly importance: Importance;
  readonly scores: ModelScores | null;
  readonly calibration: Calibration | null;
  readonly predictions: HeldOutPredictions | null;
  readonly shapes: readonly EffectShape[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface TableAnswer extends Answer {
  readonly scores: ModelScores;
  readonly calibration: Calibration;
  readonly predictions: HeldOutPredictions;
}

export interface NetworkAnswer extends Answer {
  readonly calibration: null;
  readonly predictions: null;
  readonly shapes: readonly [];
}

export interface AnswerOptions extends SelectionRun {
  readonly source: Table;
}

/** Of a model that was trained here: the ranking with what was asked beyond it, and how the model does on rows it never saw. */
export async function answerTable(
  prepared: Prepared,
  fitted: FittedModel,
  options: AnswerOptions,
): Promise<TableAnswer> {
  const { source, key } = options;
  const ranked = rankingOf(prepared, fitted);
  const selection = await selectionOf(source, prepared, fitted, {
    ...options,
    key: fold(key, "selection"),
  });
  const importance: Importance = {
    ...ranked.importance,
    variables: ranked.importance.variables.map((row, v) => ({ ...row, ...selection.variables[v] })),
    groups: ranked.importance.groups.map((row, g) => ({ ...row, ...selection.groups[g] })),
  };
  const { unseen, scores } = fitted;
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
    importance,
    scores,
    calibration: calibrationOf(unseen, prepared.classes),
    predictions: heldOutPredictions(unseen, prepared.classes, key),
    shapes,
    diagnostics: [
      ...prepared.diagnostics,
      ...unseenClasses(prepared),
      ...modelDiagnostics(scores),
      ...selection.diagnostics,
      ...fitted.diagnostics,
      ...ranked.standIns,
      ...overlookedByRate(importance.variables),
      ...oppositeSigns(importance.variables, shapes),
      ...ofRate(fitted),
    ],
  };
}

/** Of a network that was trained elsewhere: the ranking. What only training can tell is null. */
export function answerNetwork(
  asked: Asked,
  fitted: Fitted,
  scores: ModelScores | null,
): NetworkAnswer {
  const { importance, standIns } = rankingOf(asked, fitted);
  return {
    importance,
    scores,
    calibration: null,
    predictions: null,
    shapes: [],
    diagnostics: [
      ...asked.diagnostics,
      ...networkNotes(scores),
      ...fitted.diagnostics,
      ...standIns,
      ...overlookedByRate(importance.variables),
      ...ofRate(fitted),
    ],
  };
}

/** Which variables matter, and who stands in for whom. */
function rankingOf(
  asked: Asked,
  fitted: Fitted,
): { importance: Importance; standIns: readonly Diagnostic[] } {
  const { train, variables, columnNames } = asked;
  const rows = importanceRows(asked, fitted);
  const owner = new Uint32Array(columnNames.length);
  variables.forEach(({ members }, v) => {
    for (const j of members) owner[j] = v;
  });
  const { results, fitted: f } = fitted.rate;
  const first = Float64Array.from({ length: train.X.rows }, (_, i) => f[i * results.length]);
  const standIns = withStandIns(rows.variables, train.X, owner, first);
  return {
    importance: { ...rows, variables: standIns.variables },
    standIns: standIns.diagnostics,
  };
}

/** Diagnostics of the columns of a category speak of its levels; the rest is about the whole. */
function ofRate({ rate, direct }: Fitted): readonly Diagnostic[] {
  return direct === null ? rate.diagnostics : rate.diagnostics.filter(keptOfRate);
}

/** Variables whose shapes are worked out: the first by either importance. */
const LEADING = { direct: 6, rate: 3 };

function leading({ variables }: Importance): number[] {
  const first = variables
    .map(({ direct, rank }, v) => ({ v, direct: direct!.rank, rank: rank! }))
    .filter(({ direct, rank }) => direct <= LEADING.direct || rank <= LEADING.rate);
  return first.sort((a, b) => a.direct - b.direct).map(({ v }) => v);
}
