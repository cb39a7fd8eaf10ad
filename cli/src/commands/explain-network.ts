import type { RankingBasis, TrainedNetworkDocument } from "@ratewise/core";
import type { VariableGroup } from "@ratewise/core/data";
import { safeJson } from "@ratewise/core/explain";
import { openNetworkFile } from "../input/network-file.ts";
import { networkRows } from "../input/network-rows.ts";
import { readTableFile } from "../input/read-table.ts";
import type { Io } from "../io.ts";
import type { Given } from "../options/cases.ts";
import { commandText } from "../options/command-text.ts";
import { readData, readOptions } from "../options/data-options.ts";
import { engineOption, usageError } from "../options/options.ts";
import { dataOptions } from "../options/table/data.ts";
import { networkOptions } from "../options/table/network.ts";
import { type SettingsOf, settingsOf, type Values } from "../options/table.ts";
import { naming } from "../options/table-command.ts";
import { explainCsv } from "../output/explain-csv.ts";
import { explainText } from "../output/explain-text.ts";
import { announced, made, writtenText } from "../output/folder-files.ts";
import { importanceParquet } from "../output/importance-files.ts";
import { progressLine } from "../output/progress.ts";
import { told } from "../output/told.ts";
import { writeResult } from "../output/write-result.ts";

type NetworkSettings = SettingsOf<typeof networkOptions, Values<"explain">>;
type ReadGroups = (variables: ReadonlyMap<string, number>) => readonly VariableGroup[];

/** `ratewise explain --model net.onnx`: a network that is already trained. */
export async function explainWithNetwork(
  path: string,
  values: Values<"explain">,
  given: Given,
  groups: ReadGroups | undefined,
  io: Io,
): Promise<void> {
  const settings = settingsOf(networkOptions, values);
  const { seed, format, missing = "drop" } = values;
  if (values.out !== undefined) await io.checkFolder(values.out, values.force);
  await engineOption("explain", values.engine);
  const progress = progressLine(io);
  try {
    const network = await openNetworkFile(values.model!, io, {
      ...(values.hidden !== undefined && { hidden: values.hidden }),
      ...(settings.output !== undefined && { output: settings.output }),
    });
    const { onProgress } = progress;
    const { table, target } = await naming(path, () => rowsAndTarget(path, values, io));
    const { X, names, response, diagnostics } = await naming(path, async () =>
      networkRows(table, {
        missing: missing === "error" ? missing : "drop",
        exclude: values.exclude,
        ...(target !== undefined && { target }),
      }),
    );
    await naming(path, async () => checkResponse(network, response !== null, settings));
    const { explainNetwork } = await import("@ratewise/onnx");
    let ranking: RankingBasis | undefined;
    const explained = await explainNetwork(network, X, {
      ...settings,
      where: values.model!,
      data: path,
      names,
      seed,
      ...(response && { target: response }),
      ...(groups && { groups: groups(new Map(names.map((name, j) => [name, j]))) }),
      record: {
        model: values.model,
        ...settings,
        ...settingsOf(dataOptions, values),
        missing,
        data: path,
        command: commandText("explain", [path], given),
      },
      onProgress,
      onRanking: (basis) => {
        ranking = basis;
      },
    });
    const document: TrainedNetworkDocument = told(explained, diagnostics);
    io.onResult?.({ kind: "network", document, ranking: ranking! });
    const json = `${safeJson(document)}\n`;
    if (values.out !== undefined) {
      const { networkFiles } = await import("../output/explain-folder.ts");
      const files = [
        ...networkFiles(document, json),
        made("importance.parquet", () => importanceParquet(document)),
      ];
      await writeResult(io, values.out, announced(files, onProgress));
      progress.finish();
      io.err(writtenText(values.out, files));
    }
    progress.finish();
    if (values.json || format === "json") await io.out(json);
    else if (format === "csv") for (const line of explainCsv(document)) await io.out(line);
    else await io.out(explainText(document, io));
  } finally {
    progress.finish();
  }
}

async function rowsAndTarget(path: string, values: Values<"explain">, io: Io) {
  if (values.target !== undefined || values.pheno !== undefined) return readData(path, values, io);
  if (values.covariates !== undefined)
    throw usageError("explain", "--covariates needs a response to take them out of");
  const { table, target } = await readTableFile(path, io, readOptions(values));
  return { table, target };
}

/** What a network lacks without a response, in the words of the command. */
function checkResponse(
  { detected }: Awaited<ReturnType<typeof openNetworkFile>>,
  answered: boolean,
  settings: NetworkSettings,
): void {
  if (answered) return;
  const { lastLayer, hidden, link } = detected;
  if (!lastLayer)
    throw usageError(
      "explain",
      `no linear layer leads from "${hidden}" to the output, so ratewise has to fit one: add --target, what the network should predict`,
    );
  const numbers = (settings.link ?? link) === "identity" && lastLayer.weights.rows === 1;
  if (numbers && settings.noiseVariance === undefined)
    throw usageError(
      "explain",
      "the network predicts a number, and only a response shows how far off it is: add --target, or --noise-variance if you know it (or --link logistic if the number is a logit)",
    );
}
