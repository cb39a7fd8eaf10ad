import { type Expansion, expandColumns, fitExpansion, withExpansions } from "../data/expansion.ts";
import { type Candidate, outputsOf } from "./candidate.ts";
import { type RoughColumn, roughColumns } from "./rough-columns.ts";
import type { TrainingTask } from "./train-network.ts";
import { leftOf } from "./validation-score.ts";

/** A column's further columns, and why it was given them. */
export interface TaskExpansion extends Expansion, Pick<RoughColumn, "gain"> {}

/** The most columns that are expanded, those that explain most. */
const MOST_EXPANDED = 8;

/** The task with further columns made of those whose effects were too rough for the model; null where none were. */
export function expandedTask(
  task: TrainingTask,
  model: Candidate,
): { readonly task: TrainingTask; readonly expansions: readonly TaskExpansion[] } | null {
  const { X, splits, target, mayExpand, linear, layout, weights, key } = task;
  if (!mayExpand) return null;
  const leftovers = splits.map(({ trainingRows, validationRows }, s) => {
    const left = (rows: Uint32Array) =>
      leftOf(layout, outputsOf(task, model, s, rows), target, rows);
    const [training, validation] = [left(trainingRows), left(validationRows)];
    return { trainingRows, validationRows, training, validation };
  });
  const rough = roughColumns(X, mayExpand, leftovers, key, weights).slice(0, MOST_EXPANDED);
  if (rough.length === 0) return null;
  const expansions: TaskExpansion[] = [];
  let first = X.cols;
  for (const { column, knots, kind, gain } of rough.sort((a, b) => a.column - b.column)) {
    expansions.push({ ...fitExpansion(X, { column, first, knots, kind }), gain });
    first += knots.length;
  }
  const wider = expandColumns(X, expansions);
  const groups = task.penaltyGroups ?? Array.from({ length: X.cols }, (_, j) => [j]);
  return {
    expansions,
    task: {
      ...task,
      X: wider,
      linear: linear && task.linearOf(wider),
      penaltyGroups: groups.map((members) => withExpansions(members, expansions)),
    },
  };
}
