import type { FloatArray } from "../compute/index.ts";
import type { RowStructure } from "../data/row-structure.ts";
import type { Rows } from "../linalg/rows.ts";
import type { Architecture } from "./architecture.ts";
import { layoutOf } from "./layout.ts";
import { linearParts } from "./linear-parts.ts";
import { type LogScale, toLogScale } from "./log-scale.ts";
import { responseScale } from "./response-scale.ts";
import { rowSplits } from "./row-splits.ts";
import type { TrainingTask } from "./train-network.ts";

export interface TaskSetup
  extends Pick<
    TrainingTask,
    "plan" | "linearAlone" | "penaltyGroups" | "mayExpand" | "trainer" | "pace" | "key"
  > {
  readonly architecture: Architecture;
}

/** Rows to learn from. */
export interface TaskRows extends Pick<TrainingTask, "X" | "weights"> {
  readonly X: Rows;
  /** In its own unit, or classes. */
  readonly y: FloatArray;
  readonly structure: RowStructure | null;
}

/** What networks are trained on: rows, their responses on a log scale or as they are, and the rows held back to judge by. */
export function makeTask(
  { X, y, weights, structure }: TaskRows,
  { architecture, ...setup }: TaskSetup,
  logScale: Omit<LogScale, "smear"> | null,
): TrainingTask {
  const { plan, key } = setup;
  const layout = layoutOf(architecture);
  const splits = rowSplits(X.rows, plan, key, structure);
  const t = logScale ? toLogScale(logScale, y) : y;
  const scale = responseScale(layout, t, splits[0].trainingRows, weights);
  const target = Float64Array.from(t, (value) => (value - scale.centre) / scale.spread);
  const linearOf = (columns: Rows) => linearParts(columns, target, layout, splits, key, weights);
  return {
    ...setup,
    X,
    y,
    weights,
    logScale,
    scale,
    target,
    splits,
    layout,
    // Pixels have no line of their own.
    linear: plan.linear && !architecture.image ? linearOf(X) : null,
    linearOf,
  };
}
