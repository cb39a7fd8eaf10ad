import {
  architectureDiagram,
  columnNames,
  type ExplainDocument,
  type ExplainOptions,
  explain as explainTable,
  type Kernel,
  kernelKinds,
  type LearningTask,
  type MissingPolicy,
  type Model,
  type PosteriorName,
  RatewiseError,
  type RecipeName,
  safeJson,
  writeModel,
} from "@ratewise/core";
import type { FolderFile } from "../atomic-folder.ts";
import type { Command } from "../command.ts";
import { explainCsv } from "../explain-csv.ts";
import { explainText } from "../explain-text.ts";
import {
  type CommandLine,
  choiceOption,
  countOption,
  engineOption,
  everywhere,
  everywhereHelp,
  parseCommandLine,
  positiveOption,
  seedOption,
  usageError,
} from "../options.ts";
import { readGroups } from "../posterior/variable-files.ts";
import { progressLine } from "../progress.ts";
import { readTable } from "../read-table.ts";
import { selectionHelp, selectionOptionKinds, selectionOptions } from "../selection-options.ts";

const options = {
  ...everywhere,
  target: { type: "string" },
  task: { type: "string" },
  recipe: { type: "string" },
  hidden: { type: "string" },
  ensemble: { type: "string" },
  posterior: { type: "string" },
  model: { type: "string" },
  kernel: { type: "string" },
  subsample: { type: "string" },
  groups: { type: "string" },
  ...selectionOptionKinds,
  stability: { type: "boolean" },
  top: { type: "string" },
  missing: { type: "string" },
  "test-fraction": { type: "string" },
  exclude: { type: "string", multiple: true },
  keep: { type: "string", multiple: true },
  categories: { type: "string", multiple: true },
  workers: { type: "string" },
  out: { type: "string" },
  force: { type: "boolean" },
} as const;

type Values = CommandLine<typeof options>["values"];

const help = `usage: ratewise explain <data.csv> --target <column> [options]

Trains a Bayesian network on a table and says which columns matter: which go along with its prediction
(RATE), which it really uses (direct), which only stand in for another one, and how good the network is
on rows it never saw.

options:
  --target <column>      what to predict
  --task <kind>          regression or classification; default: by the target's values
  --recipe <name>        standard (default: shrinks inputs that do not help) or paper (as published)
  --hidden <32,16>       units of the hidden layers
  --ensemble <1>         networks to train and average
  --posterior <name>     uncertainty of the output weights: variational (default, from training), or the last
                         layer fitted anew by laplace or swag
  --model <kind>         network (default), or gp: a Gaussian process, for numbers and up to 4,000 training rows
  --kernel <name>        of the Gaussian process: rbf (default), matern52 or linear
  --subsample <n>        fit the Gaussian process to n training rows drawn at random
  --groups <file>        sets of columns to rank too: JSON, CSV (variable,group) or GMT
${selectionHelp}  --stability            say how sure the ranking is: rank intervals and the chance to be among the first
  --top <10>             how many "the first" are
  --missing <what>       rows with missing values: drop (default), mean (fill) or error
  --test-fraction <0.3>  share of the rows kept for the held-out score
  --exclude <column>     leave a column out; may be given again
  --keep <column>        use a column that would be left out (identifier, date, counter)
  --categories <column>  read a column of numbers as categories; may be given again
  --workers <n>          worker threads for an ensemble; the result does not depend on it
  --out <folder>         write result.json, importance.csv, model.ratewise and figures there
  --force                write into a folder that holds other files; those stay
${everywhereHelp}
examples:
  ratewise explain houses.csv --target price
  ratewise explain cells.csv --target type --groups pathways.gmt --out result
  ratewise explain small.csv --target y --ensemble 5 --json > result.json
  ratewise explain table.csv --target y --ensemble 5 --select fdr=0.1 --stability
  ratewise explain small.csv --target y --model gp --kernel matern52
`;

export const explain: Command = {
  name: "explain",
  summary: "train a network on a table and say which columns matter",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("explain", argv, options);
    const path = onePath(positionals);
    const settings = checkValues(values);
    if (values.out !== undefined) await io.checkFolder(values.out, values.force ?? false);
    await engineOption("explain", values.engine);
    const groups = values.groups === undefined ? undefined : await readGroups(values.groups, io);
    const progress = progressLine(io);
    try {
      const { onProgress } = progress;
      const table = await naming(path, () =>
        readTable(path, io, { onProgress, categories: new Set(values.categories) }),
      );
      const { document, model } = await naming(path, () =>
        explainTable(table, { ...settings, ...(groups && { groups }), onProgress }),
      );
      progress.finish();
      const json = `${safeJson(document)}\n`;
      if (values.out !== undefined) {
        const files = resultFiles(document, model, json);
        await io.writeFolder(values.out, files);
        const names = files.map(({ path: name }) => name);
        io.err(
          `ratewise: wrote ${names.slice(0, -1).join(", ")} and ${names.at(-1)} to ${values.out}`,
        );
      }
      await io.out(values.json ? json : explainText(document, io));
    } finally {
      progress.finish();
    }
  },
};

/** What `--out` writes. A Gaussian process has no layers to draw. */
function resultFiles(document: ExplainDocument, model: Model, json: string): FolderFile[] {
  const files: FolderFile[] = [
    { path: "result.json", pieces: [json] },
    { path: "importance.csv", pieces: explainCsv(document) },
    { path: "model.ratewise", pieces: [writeModel(model)] },
  ];
  if (model.networks.length === 0) return files;
  const diagram = architectureDiagram(model.networks[0].architecture, {
    inputNames: columnNames(model.encoding),
    outputNames:
      model.classes?.length === 2 ? [model.classes[1]] : (model.classes ?? [model.target]),
  });
  return [...files, { path: "figures/architecture.svg", pieces: [diagram] }];
}

function onePath(positionals: readonly string[]): string {
  if (positionals.length !== 1)
    throw usageError(
      "explain",
      `needs one table, got ${positionals.length === 0 ? "none" : positionals.length}`,
    );
  return positionals[0];
}

/** All that can be known to be wrong before a file is opened. */
function checkValues(values: Values): ExplainOptions {
  const { target } = values;
  if (target === undefined) throw usageError("explain", "needs --target, the column to predict");
  const task = choiceOption("explain", "task", values.task, ["regression", "classification"]);
  const recipe = choiceOption("explain", "recipe", values.recipe, ["standard", "paper"]);
  const missing = choiceOption("explain", "missing", values.missing, ["drop", "mean", "error"]);
  const testFraction = positiveOption("explain", "test-fraction", values["test-fraction"]);
  if (testFraction !== undefined && testFraction >= 1)
    throw usageError("explain", `--test-fraction needs a share below 1, got ${testFraction}`);
  const workers = countOption("explain", "workers", values.workers);
  const model = choiceOption("explain", "model", values.model, ["network", "gp"]);
  checkKind(values, model === "gp");
  const settings = {
    target,
    seed: seedOption("explain", values.seed),
    ensemble: countOption("explain", "ensemble", values.ensemble) ?? 1,
    hidden: hiddenOption(values.hidden),
    recipe: (recipe ?? "standard") as RecipeName,
    missing: (missing ?? "drop") as MissingPolicy,
    testFraction: testFraction ?? 0.3,
    exclude: values.exclude ?? [],
    keep: values.keep ?? [],
    ...(task !== undefined && { task: task as LearningTask }),
    ...(model === "gp" ? processOptions(values) : posteriorOption(values.posterior)),
    ...selectionOptions("explain", values),
    ...stabilityOptions(values),
  };
  const { seed: _, ...record } = {
    ...settings,
    categories: values.categories ?? [],
    groups: values.groups ?? null,
  };
  return { ...settings, record, ...(workers !== undefined && { workers }) };
}

/** Options that belong to the other kind of model would be silently ignored: they are refused. */
function checkKind(values: Values, process: boolean): void {
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

function processOptions(values: Values): Pick<ExplainOptions, "model" | "kernel" | "subsample"> {
  const kernel = choiceOption("explain", "kernel", values.kernel, kernelKinds) ?? "rbf";
  const subsample = countOption("explain", "subsample", values.subsample);
  return {
    model: "gp",
    kernel: kernel as Kernel["kind"],
    ...(subsample !== undefined && { subsample }),
  };
}

function stabilityOptions({ stability, top }: Values): Pick<ExplainOptions, "stability" | "top"> {
  const count = countOption("explain", "top", top);
  if (count !== undefined && !stability) throw usageError("explain", "--top needs --stability");
  return { ...(stability && { stability }), ...(count !== undefined && { top: count }) };
}

function hiddenOption(value: string | undefined): number[] {
  if (value === undefined) return [32, 16];
  const units = value.split(",").map(Number);
  if (units.some((count) => !(Number.isInteger(count) && count > 0)))
    throw usageError("explain", `--hidden needs whole numbers with commas between, got "${value}"`);
  return units;
}

/** Errors of the data name the file. */
async function naming<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof RatewiseError) || error.message.startsWith(path)) throw error;
    throw new RatewiseError(error.code, `${path}: ${error.message.replace(/^explain: /, "")}`, {
      ...error.details,
    });
  }
}
