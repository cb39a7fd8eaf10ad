import {
  type CompareMethod,
  type CompareOptions,
  compareMethods,
  compare as compareTable,
} from "@ratewise/core";
import type { LearningTask } from "@ratewise/core/data";
import { type MissingPolicy, methodTable, safeJson } from "@ratewise/core/explain";
import type { RecipeName } from "@ratewise/core/network";
import type { Command } from "../command.ts";
import { windowOption } from "../input/intervals.ts";
import { readGroups } from "../input/variable-files.ts";
import { commandText } from "../options/command-text.ts";
import { methodsOption } from "../options/compare-options.ts";
import {
  checkDataValues,
  dataHelp,
  dataOptionKinds,
  dataRecord,
  positionsOf,
  readData,
  withDiagnostics,
} from "../options/data-options.ts";
import {
  type CommandLine,
  choiceOption,
  countOption,
  engineOption,
  everywhere,
  everywhereHelp,
  parseCommandLine,
  seedOption,
  usageError,
} from "../options/options.ts";
import { hiddenOption, naming, onePath, testFractionOption } from "../options/table-command.ts";
import { compareText } from "../output/compare-text.ts";
import { announced, writtenText } from "../output/folder-files.ts";
import { progressLine } from "../output/progress.ts";
import { writeResult } from "../output/write-result.ts";

const options = {
  ...everywhere,
  ...dataOptionKinds,
  methods: { type: "string" },
  search: { type: "string" },
  repeats: { type: "string" },
  "random-orders": { type: "string" },
  task: { type: "string" },
  recipe: { type: "string" },
  hidden: { type: "string" },
  ensemble: { type: "string" },
  groups: { type: "string" },
  window: { type: "string" },
  missing: { type: "string" },
  "test-fraction": { type: "string" },
  exclude: { type: "string", multiple: true },
  keep: { type: "string", multiple: true },
  workers: { type: "string" },
  out: { type: "string" },
  force: { type: "boolean" },
} as const;

type Values = CommandLine<typeof options>["values"];

const help = `usage: ratewise compare <data> --target <column> [options]

Trains a network on a table, as explain does, and asks every method which columns matter to it. The shuffle
test then says which ranking the network agrees with: its score on rows it never saw, as the columns ranked
first are shuffled one after another.

options:
${dataHelp}  --methods <a,b,…>      default all: ${compareMethods.join(", ")}
  --search <30x5>        choose the settings of forest, gbm (and tree-shap), group-lasso and group-forest among 30 at
                         random by 5-fold cross-validation; without it they have their defaults
  --repeats <10>         permutations of each variable
  --random-orders <10>   random rankings in the shuffle test
  --task <kind>          regression or classification; default: by the target's values
  --recipe <name>        standard (default) or paper
  --hidden <32,16>       units of the hidden layers
  --ensemble <1>         networks to train and average
  --groups <file>        sets of columns to compare too: JSON, CSV (variable,group), GMT, BED or a gene table
  --window <0>           base pairs around a gene that belong to it, such as 50k
  --missing <what>       rows with missing values: drop (default), mean (fill; default of genotypes) or error
  --test-fraction <0.3>  share of the rows kept for scores
  --exclude <column>     leave a column out; may be given again
  --keep <column>        use a column that would be left out (identifier, date, counter)
  --workers <n>          worker threads; the result does not depend on it
  --out <folder>         write report.html there, and beside it result.json, comparison.csv, shuffle.csv, search.csv,
                         model.ratewise and figures
  --force                write into a folder that holds other files; those stay
${everywhereHelp}
examples:
  ratewise compare houses.csv --target price
  ratewise compare houses.csv --target price --methods rate,gradient,forest,gbm --search 30x5 --out comparison
`;

export const compare: Command = {
  name: "compare",
  summary: "rank a network's inputs by every method, and test the rankings by shuffling",
  help,
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("compare", argv, options);
    const path = onePath("compare", positionals);
    checkDataValues("compare", path, values);
    const settings = checkValues(values);
    const window = windowOption("compare", values.window);
    if (values.out !== undefined) await io.checkFolder(values.out, values.force ?? false);
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
      "ratewise: compare was stopped; nothing is written, and it keeps nothing to go on from",
    );
    try {
      const { onProgress } = progress;
      const data = await naming(path, () => readData(path, values, io, { onProgress }));
      positions = positionsOf(data);
      const compared = await naming(path, () =>
        compareTable(data.table, {
          ...settings,
          target: data.target,
          missing: settings.missing ?? (data.variants ? "mean" : "drop"),
          ...(groups && { groups }),
          record: {
            ...settings.record,
            data: path,
            command: commandText("compare", positionals, values),
          },
          onProgress,
          clock: () => performance.now(),
        }),
      );
      const { model } = compared;
      const document = withDiagnostics(compared.document, data.diagnostics);
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

/** All that can be known to be wrong before a file is opened. */
function checkValues(values: Values): Omit<CompareOptions, "target"> {
  const task = choiceOption("compare", "task", values.task, ["regression", "classification"]);
  const recipe = choiceOption("compare", "recipe", values.recipe, ["standard", "paper"]);
  const missing = choiceOption("compare", "missing", values.missing, ["drop", "mean", "error"]);
  const workers = countOption("compare", "workers", values.workers);
  const methods = methodsOption("compare", "methods", values.methods);
  const search = searchOption(values.search, methods);
  const settings = {
    seed: seedOption("compare", values.seed),
    methods,
    ...(search && { search }),
    repeats: atLeast("repeats", values.repeats, 2),
    randomOrders: atLeast("random-orders", values["random-orders"], 10),
    ensemble: countOption("compare", "ensemble", values.ensemble) ?? 1,
    hidden: hiddenOption("compare", values.hidden),
    recipe: (recipe ?? "standard") as RecipeName,
    ...(missing !== undefined && { missing: missing as MissingPolicy }),
    testFraction: testFractionOption("compare", values["test-fraction"]),
    exclude: values.exclude ?? [],
    keep: values.keep ?? [],
    ...(task !== undefined && { task: task as LearningTask }),
  };
  const { seed: _, ...record } = {
    ...settings,
    search: search ?? null,
    ...dataRecord(values),
    groups: values.groups ?? null,
  };
  return { ...settings, record, ...(workers !== undefined && { workers }) };
}

function searchOption(
  value: string | undefined,
  methods: readonly CompareMethod[],
): CompareOptions["search"] {
  if (value === undefined) return undefined;
  if (!methods.some((name) => methodTable[name].searched))
    throw usageError(
      "compare",
      `--search needs a method that has settings (${compareMethods.filter((name) => methodTable[name].searched).join(", ")}), got --methods ${methods.join(",")}; leave it out`,
    );
  const [, candidates, folds] = /^(\d+)[x×](\d+)$/.exec(value) ?? [];
  if (!(Number(candidates) >= 1 && Number(folds) >= 2))
    throw usageError(
      "compare",
      `--search needs candidates and folds, as 30x5, with at least 2 folds, got "${value}"`,
    );
  return { candidates: Number(candidates), folds: Number(folds) };
}

function atLeast(name: string, value: string | undefined, least: number): number {
  if (value === undefined) return 10;
  const count = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(Number.isSafeInteger(count) && count >= least))
    throw usageError(
      "compare",
      `--${name} needs a whole number of at least ${least}, got "${value}"`,
    );
  return count;
}
