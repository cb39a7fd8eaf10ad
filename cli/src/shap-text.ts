import { type ExplainDocument, safeJson } from "@ratewise/core";

/**
 * The importance of each variable with the fields of Python's `shap.Explanation`, so that
 * `shap.Explanation(**json.load(file))` can be given to its bar plot. `values` are RATE shares, one a
 * variable, as its `explanation.abs.mean(0)` would be: they describe the whole model, not one row.
 */
export function shapText({ variables, target }: ExplainDocument): string {
  return `${safeJson({
    values: variables.map(({ rate }) => rate ?? 0),
    base_values: 0,
    data: null,
    feature_names: variables.map(({ name }) => name),
    output_names: target,
  })}\n`;
}
