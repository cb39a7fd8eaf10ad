import { type Design, encode } from "../../data/design.ts";
import { variableOfColumn } from "../../data/encoding.ts";
import type { Table } from "../../data/index.ts";
import { type Matrix, matrix } from "../../linalg/index.ts";
import { saliency } from "../../network/index.ts";
import { type GaussianProcess, predictProcess } from "../../posterior/index.ts";
import { processGradients } from "../../posterior/process-gradient.ts";
import type { RunOptions } from "../../run.ts";
import { ensembleHidden } from "../fit/ensemble.ts";
import { asMatrix, type Model } from "../fit/model.ts";

/** What each variable adds to one output at each row. */
export interface RowAttribution {
  /** The class whose logit it is; null: the predicted number. */
  readonly class: string | null;
  /** f of the average training row. */
  readonly base: number;
  /** f of each row. */
  readonly predictions: Float64Array;
  /** Rows × variables; a row adds up to its prediction less the base, but for the error of the midpoint rule. */
  readonly values: Matrix;
}

export interface RowAttributionOptions extends RunOptions {
  /** Midpoints between the average row and each row, default 128. */
  readonly steps?: number;
}

/**
 * The predictions of some rows of a table shared out among its variables: integrated gradients (Sundararajan and others
 * 2017) from the average training row, at the posterior mean,
 *
 *     φ_j(x) = (x_j − x̄_j) ∫₀¹ ∂f/∂x_j(x̄ + t(x − x̄)) dt,   Σ_j φ_j(x) = f(x) − f(x̄),
 *
 * a category's columns added up. These are the Aumann–Shapley values of f. One output for numbers and for two classes, one
 * per class for more. O(steps·weights) per row and output.
 */
export async function attributeTableRows(
  model: Model,
  source: Table,
  rows: Uint32Array,
  options: RowAttributionOptions = {},
): Promise<RowAttribution[]> {
  const { encoding, networks, process, classes } = model;
  const { steps = 128, ...run } = options;
  const X = encode(encoding, source, rows);
  // Columns are centred: the average row is zero.
  const average: Design = { data: new Float32Array(X.cols), rows: 1, cols: X.cols };
  const ofVariables = (S: Matrix): Matrix => addColumns(S, model);
  if (process)
    return [
      {
        class: null,
        base: predictProcess(process, asMatrix(average)).mean[0],
        predictions: predictProcess(process, asMatrix(X)).mean,
        values: ofVariables(alongProcess(process, asMatrix(X), steps)),
      },
    ];
  const functions = ensembleHidden(networks, X).mean;
  const base = ensembleHidden(networks, average).mean.data;
  const several = base.length > 1;
  const attributed: RowAttribution[] = [];
  for (let output = 0; output < base.length; output++) {
    const S = await saliency(networks, X, {
      ...run,
      method: "integrated-gradients",
      steps,
      ...(several && { class: output }),
    });
    attributed.push({
      class: classes?.[several ? output : 1] ?? null,
      base: base[output],
      predictions: Float64Array.from(rows, (_, i) => functions.data[i * base.length + output]),
      values: ofVariables(S),
    });
  }
  return attributed;
}

function alongProcess(process: GaussianProcess, X: Matrix, steps: number): Matrix {
  const out = matrix(X.rows, X.cols);
  for (let step = 0; step < steps; step++) {
    const t = (step + 0.5) / steps;
    const at = matrix(
      X.rows,
      X.cols,
      X.data.map((x) => t * x),
    );
    const { data } = processGradients(process, at);
    for (let e = 0; e < data.length; e++) out.data[e] += (data[e] * X.data[e]) / steps;
  }
  return out;
}

function addColumns({ data, rows, cols }: Matrix, { encoding }: Model): Matrix {
  const owner = variableOfColumn(encoding);
  const p = encoding.variables.length;
  const out = matrix(rows, p);
  for (let i = 0; i < rows; i++)
    for (let c = 0; c < cols; c++) out.data[i * p + owner[c]] += data[i * cols + c];
  return out;
}
