import { resolve } from "node:path";
import { type Model, type ModelPrediction, predictTable, readModel } from "@ratewise/core";
import { textVariables } from "@ratewise/core/data";
import { likeliestClasses, type ModelScores, scoreTable } from "@ratewise/core/explain";
import { csvCellOfText, within } from "@ratewise/files";
import type { Command } from "../command.ts";
import { readTable } from "../input/read-table.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { engineOption, parseCommandLine, usageError } from "../options/options.ts";
import { printable } from "../output/printable.ts";
import { progressLine } from "../output/progress.ts";
import { scoreText } from "../output/score-text.ts";

const help = `usage: ratewise predict <data> --model <model.ratewise> [options]

Predicts the rows of a table with a model that "ratewise explain --out" or "ratewise compare --out" wrote.
Columns are found by name. Missing values count as the mean of the training rows. If the table also holds what
is predicted, the model is scored by it.

options:
${optionsHelp("predict")}
examples:
  ratewise predict new.csv --model result/model.ratewise
  ratewise predict new.csv --model result/model.ratewise --out predictions.csv
`;

export const predict: Command = {
  name: "predict",
  summary: "predict new rows with a model that explain wrote",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("predict", argv);
    if (positionals.length !== 1)
      throw usageError("predict", `needs one table, got ${positionals.length || "none"}`);
    const [path] = positionals;
    const { out } = values;
    if (out !== undefined) {
      if ([path, values.model].some((read) => resolve(read) === resolve(out)))
        throw usageError("predict", `--out would overwrite the input, "${out}"`);
      await io.checkTarget(out);
    }
    await engineOption("predict", values.engine);
    const model = readModel(await io.readFile(values.model), values.model);
    const progress = progressLine(io);
    const categories = new Set(textVariables(model.encoding));
    const table = await readTable(path, io, {
      onProgress: progress.onProgress,
      categories,
      decimalComma: values["decimal-comma"],
      ...(values.names !== undefined && { names: values.names }),
    });
    progress.finish();
    const prediction = within(path, () => predictTable(model, table));
    const rows = predictionRows(model, prediction, table.rows);
    const scores = scoreTable(model, table, prediction);
    if (out !== undefined) {
      await io.writeFile(out, csvText(rows));
      io.err(`ratewise: wrote ${out}`);
    }
    if (values.json) {
      await io.out(
        `${JSON.stringify({ kind: "predict", target: model.target, scores, rows: asObjects(rows) })}\n`,
      );
    } else if (out === undefined) for (const line of csvText(rows)) await io.out(line);
    if (scores) io.err(`ratewise: ${scoreLine(model, scores)}`);
  },
};

function scoreLine({ target }: Model, scores: ModelScores): string {
  return `on ${scores.rows} rows that hold "${printable(target)}", the model ${scoreText(scores)}. If it was trained on them, this is too good.`;
}

interface PredictionRows {
  readonly columns: readonly string[];
  readonly count: number;
  readonly row: (index: number) => readonly (string | number)[];
}

/** Mean and sd of each row, or the likeliest class and the probability of every class. */
function predictionRows(
  model: Model,
  { mean, sd, probabilities }: ModelPrediction,
  count: number,
): PredictionRows {
  if (mean && sd) return { columns: ["mean", "sd"], count, row: (i) => [mean[i], sd[i]] };
  const classes = model.classes!;
  const C = classes.length;
  const best = likeliestClasses(probabilities!, C);
  return {
    columns: ["class", ...classes.map((name) => `p(${name})`)],
    count,
    row: (i) => [classes[best[i]], ...probabilities!.subarray(i * C, (i + 1) * C)],
  };
}

function* csvText({ columns, count, row }: PredictionRows): Generator<string> {
  yield `${columns.map(csvCellOfText).join(",")}\n`;
  for (let i = 0; i < count; i++)
    yield `${row(i)
      .map((cell) => (typeof cell === "string" ? csvCellOfText(cell) : cell))
      .join(",")}\n`;
}

function asObjects({ columns, count, row }: PredictionRows): Record<string, string | number>[] {
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(row(i).map((cell, c) => [columns[c], cell])),
  );
}
