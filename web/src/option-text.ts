import { kebabCase, type OptionText, valueText } from "@ratewise/core/words";
import { applies, optionsOf } from "ratewise/options";

/** What the page calls the options that have a place of their own. */
const ownPlaces: Readonly<Record<string, string>> = {
  categories: "kind: categories",
  exclude: "Use",
  keep: "Use",
  target: "What should be predicted?",
  task: "Predicted as",
};

/** What the page calls a value of these. */
const ownValues: Readonly<Record<string, string>> = {
  regression: "numbers",
  classification: "classes",
};

/**
 * How the page speaks of an option: by the label of its control. Null where the form has none for such a run: one of a
 * network that was dropped (`trained`), or one that trains a model.
 */
export function pageText(trained: boolean): OptionText {
  // Each option applies to one of these, or to none of such runs.
  const runs = trained ? [{ model: "net.onnx" }] : [{}, { model: "gp" }, { by: "permutation" }];
  return ({ option: camel, value }) => {
    const name = kebabCase(camel);
    const option = optionsOf("explain").find((each) => each.name === name);
    if (!option) return null;
    // What an option says more about is asked for by then.
    const { needs: _, ...alone } = option;
    if (!runs.some((given) => applies(alone, given, undefined))) return null;
    const label = ownPlaces[name] ?? option.page;
    if (typeof label !== "string") return null;
    const set = value === undefined ? "" : `: ${ownValues[`${value}`] ?? valueText(value)}`;
    return `“${label}${set}”`;
  };
}
