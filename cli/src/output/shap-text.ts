import type { Model, RunOptions, Table } from "@ratewise/core";
import { columnNamed } from "@ratewise/core/data";
import {
  attributeTableRows,
  type ExplainDocument,
  logarithmOf,
  safeJson,
} from "@ratewise/core/explain";

/**
 * The held-out rows of the document's `predictions` with the fields of Python's `shap.Explanation`: `values` are what each
 * variable adds to a row's prediction (integrated gradients from the average training row, see {@link attributeTableRows}),
 * `base_values` the prediction of that average row; together they add up to the prediction. Classes are in logits: one number for two of
 * them, one per class for more; a target whose logarithm was learned is explained in logarithms and named so. RATE and direct shares are about all rows at once and are not in here.
 */
export async function shapText(
  { target, predictions }: ExplainDocument,
  model: Model,
  source: Table,
  run: RunOptions,
): Promise<string> {
  const rows = Uint32Array.from(predictions.row, (row) => row - 1);
  const outputs = await attributeTableRows(model, source, rows, run);
  const { variables } = model.encoding;
  const p = variables.length;
  const each = <T>(take: (output: (typeof outputs)[number]) => T): T | T[] =>
    outputs.length === 1 ? take(outputs[0]) : outputs.map(take);
  const indexes = variables.map((_, j) => j);
  const columns = variables.map(({ name }) => columnNamed(source, name));
  return `${safeJson({
    values: Array.from(rows, (_, i) =>
      indexes.map((j) => each(({ values }) => values.data[i * p + j])),
    ),
    base_values: Array.from(rows, () => each(({ base }) => base)),
    data: Array.from(rows, (row) =>
      columns.map((column) =>
        column.kind === "number"
          ? Number.isNaN(column.values[row])
            ? null
            : column.values[row]
          : (column.levels[column.codes[row]] ?? null),
      ),
    ),
    feature_names: variables.map(({ name }) => name),
    output_names: each((output) => output.class ?? logarithmOf(model) ?? target),
  })}\n`;
}
