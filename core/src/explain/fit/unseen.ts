import { meanOf } from "../../linalg/moments.ts";
import type { Prepared } from "../prepare/prepared.ts";
import { type ModelParts, type ModelPrediction, predictRows } from "./model.ts";

/** Rows that the model never saw, with what it predicts of them and what needs no model. */
export interface Unseen {
  /** Rows of the table. */
  readonly rows: Uint32Array;
  /** Numbers, or class indexes. */
  readonly y: Float64Array;
  readonly prediction: ModelPrediction;
  /** The mean of the training rows (n), or their shares of the classes (n×C). */
  readonly naive: Float64Array;
}

export function unseenRows(model: ModelParts, prepared: Prepared): Unseen {
  const { task, test, train, classes, rows } = prepared;
  return {
    rows: rows.test,
    y: test.y,
    prediction: predictRows({ ...model, task }, test.X),
    naive: naivePredictions(train.y, classes?.length ?? 0, test.y.length),
  };
}

/**
 * For each of `rows` rows the mean of y (0 classes), or the share of each class. A class that y lacks counts as half a row, so that it
 * is not impossible.
 */
export function naivePredictions(y: Float64Array, classes: number, rows: number): Float64Array {
  if (classes === 0) return new Float64Array(rows).fill(meanOf(y));
  const counts = new Float64Array(classes);
  for (const label of y) counts[label]++;
  const some = counts.map((count) => Math.max(count, 0.5));
  const total = some.reduce((sum, count) => sum + count, 0);
  return Float64Array.from({ length: rows * classes }, (_, e) => some[e % classes] / total);
}
