import type { Column, Table } from "../../data/index.ts";
import type { Model, ModelPrediction } from "./model.ts";
import { type ModelScores, modelScores } from "./model-scores.ts";
import { naivePredictions } from "./unseen.ts";

/**
 * How good predictions of a table are on its rows that hold the target, beside their own mean or shares of the classes; null where the
 * table has no such column, or the same value in all rows. Rows of classes that the model does not know are left out.
 */
export function scoreTable(
  { target, classes }: Pick<Model, "target" | "classes">,
  source: Table,
  prediction: ModelPrediction,
): ModelScores | null {
  const column = source.columns.find(({ name }) => name === target);
  const truth = column && truthOf(column, classes);
  if (!truth) return null;
  const rows = Uint32Array.from(truth, (_, i) => i).filter((row) => !Number.isNaN(truth[row]));
  const y = Float64Array.from(rows, (row) => truth[row]);
  if (new Set(y).size < 2) return null;
  const own = {
    mean: selected(prediction.mean, rows, source.rows),
    sd: selected(prediction.sd, rows, source.rows),
    probabilities: selected(prediction.probabilities, rows, source.rows),
  };
  const naive = naivePredictions({ y }, classes?.length ?? 0, y.length);
  return modelScores({ rows, y, prediction: own, naive }, classes);
}

/** Numbers or class indexes, NaN where there is none; null where the column holds something else. */
function truthOf(column: Column, classes: readonly string[] | null): Float64Array | null {
  if (!classes) return column.kind === "number" ? column.values : null;
  const index = new Map(classes.map((name, at) => [name, at]));
  const of = (name: string): number => index.get(name) ?? Number.NaN;
  if (column.kind === "number") return column.values.map((value) => of(`${value}`));
  const levels = column.levels.map(of);
  return Float64Array.from(column.codes, (code) => (code < 0 ? Number.NaN : levels[code]));
}

/** Some of n rows of numbers. */
function selected(values: Float64Array | null, rows: Uint32Array, n: number): Float64Array | null {
  if (!values) return null;
  const width = values.length / n;
  const out = new Float64Array(rows.length * width);
  rows.forEach((row, at) => {
    out.set(values.subarray(row * width, (row + 1) * width), at * width);
  });
  return out;
}
