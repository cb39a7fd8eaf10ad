import { explain as explainTable } from "@ratewise/core";
import { compareExplained, safeJson } from "@ratewise/core/explain";
import type { Command } from "../command.ts";
import { readPositions, windowOption } from "../input/intervals.ts";
import { isNetworkFile } from "../input/network-file.ts";
import { readGroups } from "../input/variable-files.ts";
import { commandText } from "../options/command-text.ts";
import {
  checkDataValues,
  dataHelp,
  dataOptionKinds,
  positionsOf,
  readData,
  withDiagnostics,
} from "../options/data-options.ts";
import { compareOption, explainSettings } from "../options/explain-settings.ts";
import { networkHelp, networkOptionKinds, refuseOptions } from "../options/network-options.ts";
import {
  choiceOption,
  engineOption,
  everywhere,
  everywhereHelp,
  parseCommandLine,
  usageError,
} from "../options/options.ts";
import { selectionHelp, selectionOptionKinds } from "../options/selection-options.ts";
import { naming, onePath } from "../options/table-command.ts";
import { comparisonText } from "../output/compare-text.ts";
import { explainCsv } from "../output/explain-csv.ts";
import type { ComparedExplanation } from "../output/explain-folder.ts";
import { explainText } from "../output/explain-text.ts";
import { announced, writtenText } from "../output/folder-files.ts";
import { importanceFiles } from "../output/importance-files.ts";
import { progressLine } from "../output/progress.ts";
import { shapText } from "../output/shap-text.ts";
import { writeResult } from "../output/write-result.ts";
import { explainWithNetwork } from "./explain-network.ts";

const options = {
  ...everywhere,
  ...dataOptionKinds,
  task: { type: "string" },
  recipe: { type: "string" },
  hidden: { type: "string" },
  ensemble: { type: "string" },
  posterior: { type: "string" },
  model: { type: "string" },
  kernel: { type: "string" },
  subsample: { type: "string" },
  groups: { type: "string" },
  window: { type: "string" },
  positions: { type: "string" },
  ...networkOptionKinds,
  ...selectionOptionKinds,
  stability: { type: "boolean" },
  top: { type: "string" },
  compare: { type: "string" },
  missing: { type: "string" },
  "test-fraction": { type: "string" },
  exclude: { type: "string", multiple: true },
  keep: { type: "string", multiple: true },
  workers: { type: "string" },
  format: { type: "string" },
  out: { type: "string" },
  force: { type: "boolean" },
  resume: { type: "boolean" },
} as const;

const help = `usage: ratewise explain <data> --target <column> [options]
       ratewise explain <genotypes.bed> --pheno <file> --trait <name> [options]
       ratewise explain <data> --model <net.onnx> [--target <column>] [options]

Trains a Bayesian network on a table and says which columns matter: which go along with its prediction
(RATE), which it really uses (direct), which only stand in for another one, and how good the network is
on rows it never saw.

The data are a table with a header (.csv, .tsv; .gz), .parquet, .npy, .npz, .libsvm, PLINK .bed with .bim and .fam beside
it, or IDX images; - is standard input. "ratewise inspect" says what would be read.

options:
${dataHelp}  --task <kind>          regression or classification; default: by the target's values
  --recipe <name>        standard (default: shrinks inputs that do not help) or paper (as published)
  --hidden <32,16>       units of the hidden layers; of net.onnx the name of the last hidden tensor
  --ensemble <1>         networks to train and average
  --posterior <name>     uncertainty of the output weights: variational (default, from training), or the last
                         layer fitted anew by laplace or swag
  --model <kind>         network (default), or gp: a Gaussian process, for numbers and up to 4,000 training rows;
                         or the file of a trained network, net.onnx
  --kernel <name>        of the Gaussian process: rbf (default), matern52 or linear
  --subsample <n>        fit the Gaussian process to n training rows drawn at random
  --groups <file>        sets of columns to rank too: JSON, CSV (variable,group), GMT, or genes by place: BED or a
                         table with symbol, chr, start, end
  --window <0>           base pairs around a gene that belong to it, such as 50k
  --positions <x.bim>    where the columns lie, for genes by place; genotypes know it themselves
${networkHelp}${selectionHelp}  --stability            say how sure the ranking is: rank intervals and the chance to be among the first
  --top <10>             how many "the first" are
  --compare <a,b,…>      ask other methods too, and test all rankings by shuffling: all, or some of those that
                         "ratewise compare --help" names
  --missing <what>       rows with missing values: drop (default), mean (fill; default of genotypes) or error
  --test-fraction <0.3>  share of the rows kept for the held-out score
  --exclude <column>     leave a column out; may be given again
  --keep <column>        use a column that would be left out (identifier, date, counter)
  --workers <n>          worker threads for an ensemble; the result does not depend on it
  --format <what>        print instead of the table: json (as --json), csv, or shap: what each variable adds to the
                         predictions of held-out rows, with the fields of a shap.Explanation
  --out <folder>         write report.html there, and beside it result.json, importance.csv, importance.parquet,
                         model.ratewise and figures
  --force                write into a folder that holds other files; those stay
  --resume               with --out: go on from the networks that a stopped run had trained
${everywhereHelp}
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
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("explain", argv, options);
    const path = onePath("explain", positionals);
    const trained = isNetworkFile(values.model);
    if (!trained) {
      const names = Object.keys(networkOptionKinds);
      refuseOptions("explain", values, names, "is of a trained network and needs --model net.onnx");
      checkDataValues("explain", path, values);
    }
    const settings = trained ? null : explainSettings(values);
    const methods = compareOption(values);
    const window = windowOption("explain", values.window);
    const format = choiceOption("explain", "format", values.format, ["json", "csv", "shap"]);
    if (values.resume && values.out === undefined)
      throw usageError("explain", "--resume needs --out: finished networks are kept beside it");
    if (values.out !== undefined) await io.checkFolder(values.out, values.force ?? false);
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
      await explainWithNetwork(path, values, groups, io);
      return;
    }
    const progress = progressLine(io);
    const command = commandText("explain", positionals, values);
    const kept =
      values.out === undefined
        ? undefined
        : await io.keepWork(values.out, {
            command,
            resume: values.resume ?? false,
            piece: "trained network",
            say: progress.say,
          });
    try {
      const { onProgress } = progress;
      const data = await naming(path, () => readData(path, values, io, { onProgress }));
      positions = positionsOf(data) ?? positions;
      const asked = {
        ...settings,
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
      const compared = methods ? await compareExplained(explained, { ...asked, methods }) : null;
      const document: ComparedExplanation = {
        ...withDiagnostics(explained.document, data.diagnostics),
        ...(compared && { compare: compared.document }),
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
        format === "shap" && (await shapText(document, model, data.table, { onProgress }));
      progress.finish();
      if (values.json || format === "json") await io.out(json);
      else if (format === "csv") for (const line of explainCsv(document)) await io.out(line);
      else if (shap) await io.out(shap);
      else {
        await io.out(explainText(document, io));
        if (compared) await io.out(`\n${comparisonText(compared.document, io)}`);
      }
    } finally {
      progress.finish();
      await kept?.discard();
    }
  },
};
