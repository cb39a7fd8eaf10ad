import { shapeError } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import type { Key } from "../random/index.ts";
import type { RunOptions } from "../run.ts";

/** What a score is asked for beside rows and responses. */
export interface ScoreRun extends RunOptions {
  /** The sets of columns of X to score, by index. */
  readonly units: readonly (readonly number[])[];
}

/**
 * Any measure of importance: one number per unit, the larger the more important. It may train what it
 * likes on the rows; it may not know which columns are copies, and it treats all columns alike.
 */
export type Score = (
  X: Matrix,
  y: Float64Array,
  key: Key,
  run: ScoreRun,
) => Float64Array | Promise<Float64Array>;

/** A score of units from one of columns: the sum over a unit's columns. */
export function columnScore(
  score: (
    X: Matrix,
    y: Float64Array,
    key: Key,
    run: RunOptions,
  ) => Float64Array | Promise<Float64Array>,
): Score {
  return async (X, y, key, { units, ...run }) => {
    const columns = await score(X, y, key, run);
    if (columns.length !== X.cols)
      throw shapeError("columnScore", `${X.cols} scores, one per column`, `${columns.length}`);
    return Float64Array.from(units, (unit) => unit.reduce((sum, j) => sum + columns[j], 0));
  };
}

/** Runs a score and holds it to one finite number per unit. */
export async function runScore(
  where: string,
  score: Score,
  X: Matrix,
  y: Float64Array,
  key: Key,
  run: ScoreRun,
): Promise<Float64Array> {
  const scores = await score(X, y, key, run);
  if (scores.length !== run.units.length)
    throw shapeError(where, `${run.units.length} scores, one per unit`, `${scores.length}`);
  const bad = scores.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw shapeError(where, "finite scores", `${scores[bad]} for unit ${bad}`);
  return scores;
}
