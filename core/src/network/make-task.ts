import type { FloatArray } from "../compute/index.ts";
import type { Rows } from "../linalg/rows.ts";
import type { Key } from "../random/index.ts";
import type { Architecture } from "./architecture.ts";
import { layoutOf } from "./layout.ts";
import { linearParts } from "./linear-parts.ts";
import { type LogScale, toLogScale } from "./log-scale.ts";
import type { Recipe } from "./recipe.ts";
import { responseScale } from "./response-scale.ts";
import { rowSplits } from "./row-splits.ts";
import type { TrainingTask } from "./train-network.ts";

export interface TaskSetup extends Pick<TrainingTask, "penaltyGroups" | "mayExpand" | "trainer"> {
  readonly architecture: Architecture;
  readonly plan: Recipe;
  readonly key: Key;
}

/** What networks are trained on: rows, their responses on a log scale or as they are, and the rows held back to judge by. */
export function makeTask(
  X: Rows,
  y: FloatArray,
  { architecture, plan, key, ...rest }: TaskSetup,
  logScale: Omit<LogScale, "smear"> | null,
): TrainingTask {
  const response = layoutOf(architecture);
  const splits = rowSplits(X.rows, plan, key);
  const t = logScale ? toLogScale(logScale, y) : y;
  const scale = responseScale(response, t, splits[0].trainingRows);
  const target = Float64Array.from(t, (value) => (value - scale.centre) / scale.spread);
  const linearOf = (columns: Rows) => linearParts(columns, target, response, splits, key);
  return {
    ...rest,
    X,
    y,
    logScale,
    scale,
    target,
    plan,
    splits,
    response,
    // Pixels have no line of their own.
    linear: plan.linear && !architecture.image ? linearOf(X) : null,
    linearOf,
    key,
  };
}
