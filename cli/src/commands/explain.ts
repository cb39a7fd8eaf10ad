import { explain as explainTable } from "@ratewise/core";
import { compareExplained, safeJson } from "@ratewise/core/explain";
import type { Command } from "../command.ts";
import { readPositions } from "../input/intervals.ts";
import { checkTest, readTestTable } from "../input/test-table.ts";
import { readGroups } from "../input/variable-files.ts";
import { isNetworkFile } from "../options/cases.ts";
import { commandText } from "../options/command-text.ts";
import { checkResponse, positionsOf, readData } from "../options/data-options.ts";
import { explainSettings } from "../options/explain-settings.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { engineOption, parseCommandLine } from "../options/options.ts";
import { naming, onePath } from "../options/table-command.ts";
import { comparisonText } from "../output/compare-text.ts";
import { explainCsv } from "../output/explain-csv.ts";
import type { ComparedExplanation } from "../output/explain-folder.ts";
import { explainText } from "../output/explain-text.ts";
import { announced, writtenText } from "../output/folder-files.ts";
import { importanceFiles } from "../output/importance-files.ts";
import { progressLine } from "../output/progress.ts";
import { shapText } from "../output/shap-text.ts";
import { told } from "../output/told.ts";
import { writeResult } from "../output/write-result.ts";
import { explainWithNetwork } from "./explain-network.ts";

const help = `usage: ratewise explain <data> --target <column> [options]
       ratewise explain <genotypes.bed> --pheno <file> --trait <name> [options]
       ratewise explain <data> --model <net.onnx> [--target <column>] [options]

Trains a Bayesian network on a table and says which columns matter: which move with its prediction (RATE),
which it really uses (direct), and which only stand in for another one. It also says how good the network is
on rows it never saw.

The data are a table with a header (.csv or .tsv, also .gz), .parquet, .npy, .npz, .libsvm, PLINK .bed with
.bim and .fam beside it, or IDX images. - is standard input. "ratewise inspect" shows how a file will be read.

options:
${optionsHelp("explain")}
examples:
  ratewise explain houses.csv --target price
  ratewise explain cells.csv --target type --groups pathways.gmt --out result
  ratewise explain small.csv --target y --ensemble 5 --json > result.json
  ratewise explain table.csv --target y --ensemble 5 --select fdr=0.1 --stability
  ratewise explain table.csv --target y --compare rate,gradient,permutation,gbm --out result
  ratewise explain small.csv --target y --model gp --kernel matern52
  ratewise explain X.npy --target y.npy --names names.txt
  ratewise explain X.npy --model net.onnx --target y.npy
  ratewise explain mice.bed --pheno mice.tsv --trait BMI --covariates sex,litter --groups genes.bed --window 50k
`;

export const explain: Command = {
  name: "explain",
  summary: "train a network on a table and say which columns matter",
  help,
  run: async (argv, io) => {
    const { positionals, values, given } = parseCommandLine("explain", argv);
    const path = onePath("explain", positionals);
    const trained = isNetworkFile(values.model);
    if (!trained) checkResponse("explain", path, values);
    checkTest("explain", values);
    const settings = trained ? null : explainSettings(values);
    const { format, window, compare: methods } = values;
    if (values.out !== undefined) await io.checkFolder(values.out, values.force);
    await engineOption("explain", values.engine);
    let positions =
      values.positions === undefined ? undefined : await readPositions(values.positions, io);
    const groups =
      values.groups === undefined
        ? undefined
        : await readGroups(values.groups, io, {
            ...(window !== undefined && { window }),
            positions: () => positions,
          });
    if (!settings) {
      await explainWithNetwork(path, values, given, groups, io);
      return;
    }
    const progress = progressLine(io);
    const command = commandText("explain", positionals, given);
    const kept =
      values.out === undefined
        ? undefined
        : await io.keepWork(values.out, {
            command,
            resume: values.resume,
            piece: "trained network",
            say: progress.say,
          });
    try {
      const { onProgress } = progress;
      const data = await naming(path, () => readData(path, values, io, { onProgress }));
      positions = positionsOf(data) ?? positions;
      const test =
        values.test === undefined
          ? null
          : await readTestTable(values.test, data.table, values, io, { onProgress });
      const asked = {
        ...settings,
        ...(test && { test }),
        target: data.target,
        missing: settings.missing ?? (data.variants ? "mean" : "drop"),
        ...(groups && { groups }),
        ...(kept && { cache: kept }),
        record: {
          ...settings.record,
          data: path,
          command,
        },
        onProgress,
      } as const;
      const explained = await naming(path, () => explainTable(data.table, asked));
      const { model, ranking } = explained;
      const compared = methods
        ? told((await compareExplained(explained, { ...asked, methods })).document)
        : null;
      const document: ComparedExplanation = {
        ...told(explained.document, data.diagnostics),
        ...(compared && { compare: compared }),
      };
      io.onResult?.({ kind: "explain", document, model, ranking, data });
      const json = `${safeJson(document)}\n`;
      if (values.out !== undefined) {
        // What draws is slow to load, and most runs do without.
        const { explainFiles } = await import("../output/explain-folder.ts");
        const files = [...explainFiles(document, model, json), ...importanceFiles(document, data)];
        await writeResult(io, values.out, announced(files, onProgress));
        progress.finish();
        io.err(writtenText(values.out, files));
      }
      const shap =
        format === "shap" && (await shapText(document, model, test ?? data.table, { onProgress }));
      progress.finish();
      if (values.json || format === "json") await io.out(json);
      else if (format === "csv") for (const line of explainCsv(document)) await io.out(line);
      else if (shap) await io.out(shap);
      else {
        await io.out(explainText(document, io));
        if (compared) await io.out(`\n${comparisonText(compared, io)}`);
      }
    } finally {
      progress.finish();
      await kept?.discard();
    }
  },
};
