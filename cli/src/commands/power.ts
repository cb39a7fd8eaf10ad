import { columnNamed, type LearningTask } from "@ratewise/core/data";
import {
  estimatePower,
  type MeanInterval,
  type PowerDocument,
  type PowerOptions,
  safeJson,
} from "@ratewise/core/explain";
import type { RecipeName } from "@ratewise/core/network";
import type { Command } from "../command.ts";
import { readTable } from "../input/read-table.ts";
import type { Io } from "../io.ts";
import { readOptions } from "../options/data-options.ts";
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
} from "../options/options.ts";
import {
  selectionHelp,
  selectionOptionKinds,
  selectionOptions,
} from "../options/selection-options.ts";
import { printable, wrap } from "../output/printable.ts";
import { progressLine } from "../output/progress.ts";

const { families: _, ...kinds } = selectionOptionKinds;
const options = {
  ...everywhere,
  ...kinds,
  target: { type: "string" },
  task: { type: "string" },
  causal: { type: "string" },
  signal: { type: "string" },
  interactions: { type: "string" },
  repeats: { type: "string" },
  recipe: { type: "string" },
  ensemble: { type: "string" },
  exclude: { type: "string", multiple: true },
  names: { type: "string" },
  categories: { type: "string", multiple: true },
  "decimal-comma": { type: "boolean" },
  workers: { type: "string" },
} as const;

type Values = CommandLine<typeof options>["values"];

const help = `usage: ratewise power <data> [options]

What could be found in a table like this one? Plants responses with known causes on the table's own columns, explains and
selects each as if it were real, and says how many of the causes were found and how many of the findings were false.

options:
  --target <column>      the table's own response, which is left out
  --task <kind>          of the planted responses: regression (default) or classification
  --causal <n>           variables with an effect; default a third of all, at most 15
  --signal <0.6>         share of the response's variance that is not noise
  --interactions <0.5>   share of the signal that is products of two causal variables
  --repeats <10>         planted responses
  --recipe <name>        standard (default) or paper
  --ensemble <1>         networks to train and average
${selectionHelp
  .split("\n")
  .filter((line) => !line.includes("--families"))
  .join("\n")}  --exclude <column>     leave a column out; may be given again
  --names <file>         of arrays and LIBSVM: a name a column, one a line
  --categories <column>  read a column of numbers as categories; may be given again
  --decimal-comma        of text: decimals are written with a comma
  --workers <n>          worker threads for an ensemble; the result does not depend on it
${everywhereHelp}
examples:
  ratewise power table.csv --target y
  ratewise power table.csv --target y --causal 5 --signal 0.3 --ensemble 5 --repeats 20
`;

export const power: Command = {
  name: "power",
  summary: "say how much could be found in a table like yours",
  help,
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("power", argv, options);
    if (positionals.length !== 1)
      throw usageError("power", `needs one table, got ${positionals.length || "none"}`);
    const [path] = positionals;
    const settings = checkValues(values);
    await engineOption("power", values.engine);
    const progress = progressLine(io);
    try {
      const { onProgress } = progress;
      const table = await readTable(path, io, { onProgress, ...readOptions(values) });
      if (values.target !== undefined) columnNamed(table, values.target);
      const document = await estimatePower(table, { ...settings, onProgress });
      progress.finish();
      await io.out(values.json ? `${safeJson(document)}\n` : powerText(document, io));
    } finally {
      progress.finish();
    }
  },
};

/** All that can be known to be wrong before a file is opened. */
function checkValues(values: Values): PowerOptions {
  const task = choiceOption("power", "task", values.task, ["regression", "classification"]);
  const recipe = choiceOption("power", "recipe", values.recipe, ["standard", "paper"]);
  const causal = countOption("power", "causal", values.causal);
  const explainable = shareOption("signal", values.signal);
  const interactions =
    values.interactions === "0" ? 0 : shareOption("interactions", values.interactions);
  const repeats = countOption("power", "repeats", values.repeats);
  const ensemble = countOption("power", "ensemble", values.ensemble);
  const workers = countOption("power", "workers", values.workers);
  const { select } = selectionOptions("power", { ...values, select: values.select ?? "fdr=0.1" });
  const settings = {
    ...(values.target !== undefined && { target: values.target }),
    task: (task ?? "regression") as LearningTask,
    recipe: (recipe ?? "standard") as RecipeName,
    ensemble: ensemble ?? 1,
    exclude: values.exclude ?? [],
    ...(select && { select }),
    ...(causal !== undefined && { causal }),
    ...(explainable !== undefined && { explainable }),
    ...(interactions !== undefined && { interactions }),
    ...(repeats !== undefined && { repeats }),
  };
  return {
    ...settings,
    seed: seedOption("power", values.seed),
    record: { ...settings, categories: values.categories ?? [] },
    ...(workers !== undefined && { workers }),
  };
}

function shareOption(name: string, value: string | undefined): number | undefined {
  const share = positiveOption("power", name, value);
  if (share !== undefined && share > 1)
    throw usageError("power", `--${name} needs a share of at most 1, got ${value}`);
  return share;
}

function powerText(document: PowerDocument, io: Io): string {
  const width = Math.max(60, Math.min(io.columns, 120));
  const { rows, variables, causal, explainable, interactions, repeats, fdr, by, task } = document;
  const introduction = `${repeats.length} planted responses (${task}) on ${rows} rows of ${variables} variables: ${causal} have an effect, which is ${percent(explainable)} of the variance, ${percent(interactions)} of that as products of two. Selected by ${by} at a false discovery rate of ${fdr}.`;
  const line = (what: string, { mean, lower, upper }: MeanInterval): string =>
    `${what.padEnd(44)}  ${mean.toFixed(3)}  ${Number.isNaN(lower) ? "" : `(${lower.toFixed(3)} to ${upper.toFixed(3)})`}`.trimEnd();
  const table = [
    line("causal variables that were selected (power)", document.power),
    line("selected variables that were not causal", document.falseDiscoveryRate),
    line("area under the ROC curve, direct importance", document.areaDirect),
    line("area under the ROC curve, RATE", document.areaRate),
    line(
      task === "regression"
        ? "R² on rows the network never saw"
        : "accuracy on rows the network never saw",
      document.heldOut,
    ),
  ].join("\n");
  const closing =
    "Means over the planted responses, with 95% intervals. This is what can be found when effects are like the planted ones: a real response may be simpler or harder.";
  const cautions = document.diagnostics.map(({ message }) =>
    wrap(`- ${printable(message)}`, width, "  "),
  );
  const parts = [wrap(introduction, width), table, wrap(closing, width)];
  if (cautions.length > 0) parts.push(["To keep in mind:", ...cautions].join("\n"));
  return `${parts.join("\n\n")}\n`;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`;
}
