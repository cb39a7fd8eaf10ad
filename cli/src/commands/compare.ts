import { type CompareOptions, compareMethods, compare as compareTable } from "@ratewise/core";
import { methodTable, safeJson } from "@ratewise/core/explain";
import type { Command } from "../command.ts";
import { checkTest, readTestTable } from "../input/test-table.ts";
import { readGroups } from "../input/variable-files.ts";
import { commandText } from "../options/command-text.ts";
import { checkResponse, positionsOf, readData } from "../options/data-options.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { engineOption, parseCommandLine, usageError } from "../options/options.ts";
import { splitSettings } from "../options/split-settings.ts";
import { dataOptions } from "../options/table/data.ts";
import { compareOptions, trainingOptions } from "../options/table/training.ts";
import { settingsOf, type Values } from "../options/table.ts";
import { naming, onePath } from "../options/table-command.ts";
import { compareText } from "../output/compare-text.ts";
import { announced, writtenText } from "../output/folder-files.ts";
import { progressLine } from "../output/progress.ts";
import { told } from "../output/told.ts";
import { writeResult } from "../output/write-result.ts";

const help = `usage: ratewise compare <data> --target <column> [options]

Trains a network on a table, as explain does, and asks every method which columns matter to it. The shuffle
test then shows which ranking fits the network best: it shuffles the columns ranked first, one after another,
and measures the network's score on rows it never saw.

options:
${optionsHelp("compare")}
examples:
  ratewise compare houses.csv --target price
  ratewise compare houses.csv --target price --methods rate,gradient,forest,gbm --search 30x5 --out comparison
`;

export const compare: Command = {
  name: "compare",
  summary: "rank a network's inputs by every method, and test the rankings by shuffling",
  help,
  run: async (argv, io) => {
    const { positionals, values, given } = parseCommandLine("compare", argv);
    const path = onePath("compare", positionals);
    checkResponse("compare", path, values);
    checkTest("compare", values);
    const settings = settingsFrom(values);
    const { window } = values;
    if (values.out !== undefined) await io.checkFolder(values.out, values.force);
    await engineOption("compare", values.engine);
    let positions: ReturnType<typeof positionsOf>;
    const groups =
      values.groups === undefined
        ? undefined
        : await readGroups(values.groups, io, {
            ...(window !== undefined && { window }),
            positions: () => positions,
          });
    const progress = progressLine(io);
    const over = io.whenStopped?.(
      "ratewise: compare was stopped; it wrote nothing, and cannot be resumed",
    );
    try {
      const { onProgress } = progress;
      const data = await naming(path, () => readData(path, values, io, { onProgress }));
      positions = positionsOf(data);
      const test =
        values.test === undefined
          ? null
          : await readTestTable(values.test, data.table, values, io, { onProgress });
      const compared = await naming(path, () =>
        compareTable(data.table, {
          ...settings,
          ...(test && { test }),
          target: data.target,
          missing: settings.missing ?? (data.variants ? "mean" : "drop"),
          ...(groups && { groups }),
          record: {
            ...settings.record,
            data: path,
            command: commandText("compare", positionals, given),
          },
          onProgress,
          clock: () => performance.now(),
        }),
      );
      const { model } = compared;
      const document = told(compared.document, data.diagnostics);
      io.onResult?.({ kind: "compare", document, model });
      const json = `${safeJson(document)}\n`;
      if (values.out !== undefined) {
        const { compareFiles } = await import("../output/compare-folder.ts");
        const files = compareFiles(document, model, json);
        await writeResult(io, values.out, announced(files, onProgress));
        progress.finish();
        io.err(writtenText(values.out, files));
      }
      progress.finish();
      await io.out(values.json ? json : compareText(document, io));
    } finally {
      over?.();
      progress.finish();
    }
  },
};

/** What is asked of the library, and what the result records of it. */
function settingsFrom(values: Values<"compare">): Omit<CompareOptions, "target"> {
  const { workers, ...training } = settingsOf(trainingOptions, values);
  const { settings: split, recorded } = splitSettings(training);
  const settings = {
    ...split,
    ...settingsOf(compareOptions, values),
    exclude: values.exclude,
    keep: values.keep,
  };
  const { search, methods } = settings;
  if (search && !methods.some((name) => methodTable[name].searched))
    throw usageError(
      "compare",
      `--search needs a method that has settings (${compareMethods.filter((name) => methodTable[name].searched).join(", ")}), got --methods ${methods.join(",")}; remove --search`,
    );
  const record = {
    ...settings,
    ...recorded,
    search: search ?? null,
    ...settingsOf(dataOptions, values),
    groups: values.groups ?? null,
  };
  return { ...settings, seed: values.seed, record, ...(workers && { workers }) };
}
