import { type CompareMethod, type ExplainOptions, type Kernel, kernelKinds } from "@ratewise/core";
import type { LearningTask } from "@ratewise/core/data";
import type { MissingPolicy, PosteriorName } from "@ratewise/core/explain";
import type { RecipeName } from "@ratewise/core/network";
import { methodsOption } from "./compare-options.ts";
import { type DataValues, dataRecord } from "./data-options.ts";
import { choiceOption, countOption, seedOption, usageError } from "./options.ts";
import { type SelectionValues, selectionOptions } from "./selection-options.ts";
import { hiddenOption, testFractionOption } from "./table-command.ts";

/** What of explain's command line shapes the answer. */
export interface ExplainValues extends DataValues, SelectionValues {
  readonly task?: string;
  readonly recipe?: string;
  readonly hidden?: string;
  readonly ensemble?: string;
  readonly posterior?: string;
  readonly model?: string;
  readonly kernel?: string;
  readonly subsample?: string;
  readonly groups?: string;
  readonly stability?: boolean;
  readonly top?: string;
  readonly compare?: string;
  readonly missing?: string;
  readonly "test-fraction"?: string;
  readonly exclude?: readonly string[];
  readonly keep?: readonly string[];
  readonly workers?: string;
  readonly seed?: string;
}

/** All that can be known to be wrong before a file is opened. */
export function explainSettings(values: ExplainValues): Omit<ExplainOptions, "target"> {
  const task = choiceOption("explain", "task", values.task, ["regression", "classification"]);
  const recipe = choiceOption("explain", "recipe", values.recipe, ["standard", "paper"]);
  const missing = choiceOption("explain", "missing", values.missing, ["drop", "mean", "error"]);
  const workers = countOption("explain", "workers", values.workers);
  const model = choiceOption("explain", "model", values.model, ["network", "gp"]);
  checkKind(values, model === "gp");
  const settings = {
    seed: seedOption("explain", values.seed),
    ensemble: countOption("explain", "ensemble", values.ensemble) ?? 1,
    hidden: hiddenOption("explain", values.hidden),
    recipe: (recipe ?? "standard") as RecipeName,
    ...(missing !== undefined && { missing: missing as MissingPolicy }),
    testFraction: testFractionOption("explain", values["test-fraction"]),
    exclude: values.exclude ?? [],
    keep: values.keep ?? [],
    ...(task !== undefined && { task: task as LearningTask }),
    ...(model === "gp" ? processOptions(values) : posteriorOption(values.posterior)),
    ...selectionOptions("explain", values),
    ...stabilityOptions(values),
  };
  const { seed: _, ...record } = {
    ...settings,
    ...dataRecord(values),
    groups: values.groups ?? null,
  };
  return { ...settings, record, ...(workers !== undefined && { workers }) };
}

/** Other methods to ask; null for none. */
export function compareOption({ compare, model }: ExplainValues): readonly CompareMethod[] | null {
  if (compare === undefined) return null;
  if (model !== undefined && model !== "network")
    throw usageError(
      "explain",
      "--compare needs a network that is trained here; leave --model out",
    );
  return methodsOption("explain", "compare", compare);
}

/** Options that belong to the other kind of model would be silently ignored: they are refused. */
function checkKind(values: ExplainValues, process: boolean): void {
  const foreign = process
    ? (["recipe", "hidden", "ensemble", "posterior", "workers", "select", "stability"] as const)
    : (["kernel", "subsample"] as const);
  for (const name of foreign)
    if (values[name] !== undefined)
      throw usageError(
        "explain",
        process
          ? `--${name} is of networks; leave it or --model gp out`
          : `--${name} is of a Gaussian process and needs --model gp`,
      );
}

function posteriorOption(value: string | undefined): { posterior: PosteriorName } {
  const names = ["variational", "laplace", "swag"];
  const posterior = choiceOption("explain", "posterior", value, names) ?? "variational";
  return { posterior: posterior as PosteriorName };
}

function processOptions(
  values: ExplainValues,
): Pick<ExplainOptions, "model" | "kernel" | "subsample"> {
  const kernel = choiceOption("explain", "kernel", values.kernel, kernelKinds) ?? "rbf";
  const subsample = countOption("explain", "subsample", values.subsample);
  return {
    model: "gp",
    kernel: kernel as Kernel["kind"],
    ...(subsample !== undefined && { subsample }),
  };
}

function stabilityOptions({
  stability,
  top,
}: ExplainValues): Pick<ExplainOptions, "stability" | "top"> {
  const count = countOption("explain", "top", top);
  if (count !== undefined && !stability) throw usageError("explain", "--top needs --stability");
  return { ...(stability && { stability }), ...(count !== undefined && { top: count }) };
}
