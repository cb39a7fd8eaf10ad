import { columnNamed } from "@ratewise/core/data";
import {
  estimatePower,
  type MeanInterval,
  type PowerDocument,
  type PowerOptions,
  safeJson,
} from "@ratewise/core/explain";
import type { Command } from "../command.ts";
import { readTable } from "../input/read-table.ts";
import type { Io } from "../io.ts";
import { readOptions } from "../options/data-options.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { engineOption, parseCommandLine, usageError } from "../options/options.ts";
import { selectionSettings } from "../options/selection-settings.ts";
import { powerOptions } from "../options/table/rank.ts";
import { trainingOptions } from "../options/table/training.ts";
import { settingsOf, type Values } from "../options/table.ts";
import { printable, wrap } from "../output/printable.ts";
import { progressLine } from "../output/progress.ts";
import { told } from "../output/told.ts";

const help = `usage: ratewise power <data> [options]

Shows how much could be found in a table like yours. It makes up responses from some of the table's columns,
then explains and selects each as if it were real. It reports how many of the causes were found, and how many
of the findings were false.

options:
${optionsHelp("power")}
examples:
  ratewise power table.csv --target y
  ratewise power table.csv --target y --causal 5 --signal 0.3 --ensemble 5 --repeats 20
`;

export const power: Command = {
  name: "power",
  summary: "show how much could be found in a table like yours",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("power", argv);
    if (positionals.length !== 1)
      throw usageError("power", `needs one table, got ${positionals.length || "none"}`);
    const [path] = positionals;
    const settings = settingsFrom(values);
    await engineOption("power", values.engine);
    const progress = progressLine(io);
    try {
      const { onProgress } = progress;
      const table = await readTable(path, io, { onProgress, ...readOptions(values) });
      if (values.target !== undefined) columnNamed(table, values.target);
      const document = told(await estimatePower(table, { ...settings, onProgress }));
      progress.finish();
      await io.out(values.json ? `${safeJson(document)}\n` : powerText(document, io));
    } finally {
      progress.finish();
    }
  },
};

/** What is asked of the library, and what the result records of it. */
function settingsFrom(values: Values<"power">): PowerOptions {
  const { workers, ...training } = settingsOf(trainingOptions, values);
  const { signal, ...planted } = settingsOf(powerOptions, values);
  const settings = {
    ...(values.target !== undefined && { target: values.target }),
    ...training,
    ...planted,
    ...selectionSettings(values),
    ...(signal !== undefined && { explainable: signal }),
    exclude: values.exclude,
  };
  return {
    ...settings,
    seed: values.seed,
    record: { ...settings, categories: values.categories },
    ...(workers && { workers }),
  };
}

function powerText(document: PowerDocument, io: Io): string {
  const width = Math.max(60, Math.min(io.columns, 120));
  const { rows, variables, causal, explainable, interactions, repeats, fdr, by, task } = document;
  const introduction = `${repeats.length} planted responses (${task}) on ${rows} rows of ${variables} variables. ${causal} variables have an effect; together they make ${percent(explainable)} of the variance, ${percent(interactions)} of that as products of two. Selected by ${by} at a false discovery rate of ${fdr}.`;
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
    "Means over the planted responses, with 95% intervals. This is what can be found if real effects are like the planted ones. A real response may be simpler or harder.";
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
