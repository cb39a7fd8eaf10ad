import type { ExplainOptions } from "@ratewise/core";
import { units } from "./kinds.ts";
import { readAs } from "./options.ts";
import { selectionSettings } from "./selection-settings.ts";
import { splitSettings } from "./split-settings.ts";
import { dataOptions } from "./table/data.ts";
import { stabilityOptions, trainingOptions } from "./table/training.ts";
import { settingsOf, type Values } from "./table.ts";

/** What a command line of explain asks of the library, and what the result records of it. */
export function explainSettings(values: Values<"explain">): Omit<ExplainOptions, "target"> {
  const { model, posterior, kernel, subsample, workers, hidden, ...training } = settingsOf(
    trainingOptions,
    values,
  );
  const { settings: split, recorded } = splitSettings(training);
  const settings = {
    ...split,
    ...(hidden !== undefined && { hidden: readAs("explain", "hidden", units, hidden) }),
    exclude: values.exclude,
    keep: values.keep,
    ...(model === "gp"
      ? { model: "gp" as const, kernel, ...(subsample && { subsample }) }
      : { posterior }),
    ...selectionSettings(values),
    ...settingsOf(stabilityOptions, values),
  };
  const record = {
    ...settings,
    ...recorded,
    ...settingsOf(dataOptions, values),
    groups: values.groups ?? null,
  };
  return { ...settings, seed: values.seed, record, ...(workers && { workers }) };
}
