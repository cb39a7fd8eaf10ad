import { type Design, numberCoder, selectDesignRows, textCoder } from "../../data/design.ts";
import { isNumeric } from "../../data/encoding.ts";
import { expandInto } from "../../data/expansion.ts";
import { columnNamed, type Table, type VariableEncoding } from "../../data/index.ts";
import { transposeMultiplyVector } from "../../linalg/index.ts";
import { squaresOf } from "../../linalg/moments.ts";
import { kernelMatrix } from "../../posterior/index.ts";
import { fold, type Key, subsample } from "../../random/index.ts";
import { drive, type Progress, type RunOptions } from "../../run.ts";
import { asMatrix, type ModelParts, predictRows } from "../fit/model.ts";
import { expansionsInTableUnits } from "../prepare/column-names.ts";
import type { Prepared } from "../prepare/prepared.ts";
import { type CurveShape, curveShape } from "./curve-shape.ts";
import { rowCurves } from "./row-curves.ts";

/** Partial dependence of one output on one variable. */
export interface EffectCurve {
  /** The class whose probability it is; null: the predicted number. */
  readonly class: string | null;
  /** Mean prediction over the rows with the variable set to each value, the rest as it was. */
  readonly mean: readonly number[];
  /**
   * Where the middle 80% of the rows' own curves run, each moved to the mean curve's height (that of a probability
   * in log-odds, so that it stays one): wide where the effect of this variable depends on the others. No confidence band.
   */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** In a word; null for a category, whose values have no order. */
  readonly shape: CurveShape | null;
}

/** Direction and shape of one variable's effect on the prediction. */
export interface EffectShape {
  readonly name: string;
  readonly kind: "number" | "category";
  /** Quantiles of the training rows in the table's units, or the levels. */
  readonly values: readonly (number | string)[];
  /** One; one per class for three to ten classes. */
  readonly curves: readonly EffectCurve[];
  /** Rows averaged over. */
  readonly rows: number;
}

export interface ShapeInput extends RunOptions {
  readonly source: Table;
  readonly prepared: Prepared;
  readonly parts: ModelParts;
  /** Indexes of the variables wanted. */
  readonly variables: readonly number[];
  readonly key: Key;
}

const GRID = 20;
const MOST_ROWS = 300;
/** Numbers in one block of changed rows. */
const MOST_NUMBERS = 2 ** 24;
const MOST_CLASSES = 10;

/**
 * Partial dependence (Friedman 2001) of the model on some variables: for each value on a grid of quantiles, the
 * prediction averaged over up to 300 training rows in which the variable has that value. It says what the model does, also for combinations
 * of values that no row has. Costs variables × 20 × 300 predictions.
 */
export function shapeOfEffects(input: ShapeInput): Promise<EffectShape[]> {
  return drive(shapeSteps(input), input);
}

/** The rows to change, and how the model's outputs on them are spread. */
interface Ground {
  readonly rows: Design;
  readonly outputs: readonly { readonly class: string | null; readonly column: number }[];
  /** Standard deviation of each output's predictions on the rows as they are. */
  readonly spread: readonly number[];
}

function* shapeSteps(input: ShapeInput): Generator<Progress, EffectShape[]> {
  const { prepared, variables, key } = input;
  const { X } = prepared.train;
  const most = Math.max(16, Math.min(MOST_ROWS, Math.floor(MOST_NUMBERS / X.cols)));
  const chosen = subsample(fold(key, "shapes"), X.rows, Math.min(X.rows, most));
  const rows = selectDesignRows(X, chosen);
  const outputs = outputsOf(prepared);
  const asIs = answersOf(input, rows);
  const spread = outputs.map(({ column }) => standardDeviation(outputOf(asIs, column, rows.rows)));
  const shapes: EffectShape[] = [];
  for (const [done, v] of variables.entries()) {
    shapes.push(shapeOf(input, prepared.encoding.variables[v], { rows, outputs, spread }));
    yield { phase: "shapes of effects", done: done + 1, total: variables.length };
  }
  return shapes;
}

function shapeOf(
  input: ShapeInput,
  variable: VariableEncoding,
  { rows, outputs, spread }: Ground,
): EffectShape {
  const kind = isNumeric(variable) ? "number" : "category";
  const values = valuesOf(input, variable);
  const changed: Design = { ...rows, data: rows.data.slice() };
  const [ofNumber, ofText] = [numberCoder(variable), textCoder(variable)];
  const expansions = input.prepared.encoding.expansions ?? [];
  const own = expansions.filter(({ column }) => column === variable.first);
  const answers = values.map((value) => {
    setColumns(
      changed,
      variable.first,
      typeof value === "number" ? [ofNumber(value)] : ofText(value),
    );
    for (const expansion of own)
      for (let i = 0; i < changed.rows; i++) expandInto(changed.data, i * changed.cols, expansion);
    return answersOf(input, changed);
  });
  return {
    name: variable.name,
    kind,
    values,
    curves: outputs.map(({ class: name, column }, output) => {
      const own = answers.map((answer) => outputOf(answer, column, rows.rows));
      const curves = rowCurves(own, name === null ? "number" : "probability");
      const shape = kind === "number" ? curveShape(curves, spread[output]) : null;
      const { mean, low, high } = curves;
      return { class: name, mean, low, high, shape };
    }),
    rows: rows.rows,
  };
}

/** Predicted numbers, or n×C probabilities. A Gaussian process is asked for its mean alone: its variance costs O(n³). */
function answersOf({ parts, prepared: { task } }: ShapeInput, X: Design): Float64Array {
  if (parts.process) {
    const { kernel, X: fitted, alpha, offset } = parts.process;
    const cross = kernelMatrix(kernel, fitted, asMatrix(X));
    return transposeMultiplyVector(cross, alpha).map((value) => value + offset);
  }
  const { mean, probabilities } = predictRows({ ...parts, task }, X);
  return mean ?? probabilities!;
}

function outputsOf({ classes }: Prepared): { class: string | null; column: number }[] {
  if (!classes) return [{ class: null, column: 0 }];
  if (classes.length === 2) return [{ class: classes[1], column: 1 }];
  return classes.slice(0, MOST_CLASSES).map((name, column) => ({ class: name, column }));
}

function outputOf(answers: Float64Array, column: number, n: number): Float64Array {
  const width = answers.length / n;
  return Float64Array.from({ length: n }, (_, i) => answers[i * width + column]);
}

/** What the variable is set to: quantiles in the table's units, or the levels, the commonest first. */
function valuesOf(input: ShapeInput, variable: VariableEncoding): (number | string)[] {
  if (isNumeric(variable)) return quantiles(input, variable.name);
  return variable.kind === "category" ? [...variable.levels] : [...variable.values];
}

/** Up to 20 quantiles of the training rows, in the table's units, each once; all values where each has its own effect. */
function quantiles({ source, prepared }: ShapeInput, name: string): number[] {
  const column = columnNamed(source, name);
  if (column.kind !== "number") return [];
  const present = Float64Array.from(prepared.rows.train, (row) => column.values[row])
    .filter((value) => !Number.isNaN(value))
    .sort();
  const distinct = [...new Set(present)];
  const each = expansionsInTableUnits(prepared.encoding).some(
    (expansion) => expansion.name === name && expansion.kind === "values",
  );
  if (distinct.length <= GRID || each) return distinct;
  const at = Array.from({ length: GRID }, (_, k) =>
    Math.round((k / (GRID - 1)) * (present.length - 1)),
  );
  return [...new Set(at.map((i) => present[i]))];
}

/** Gives a variable the same columns in every row. */
function setColumns({ data, rows, cols }: Design, first: number, values: readonly number[]): void {
  for (let i = 0; i < rows; i++) data.set(values, i * cols + first);
}

function standardDeviation(values: Float64Array): number {
  return Math.sqrt(squaresOf(values) / values.length);
}
