import type { RankingBasis, TrainedNetworkDocument } from "@ratewise/core";
import type { VariableGroup } from "@ratewise/core/data";
import { safeJson } from "@ratewise/core/explain";
import { openNetworkFile } from "../input/network-file.ts";
import { networkRows } from "../input/network-rows.ts";
import { readTableFile } from "../input/read-table.ts";
import type { Io } from "../io.ts";
import { commandText } from "../options/command-text.ts";
import { type DataValues, dataRecord, readData, readOptions } from "../options/data-options.ts";
import {
  type networkOptionKinds,
  networkSettings,
  refuseOptions,
} from "../options/network-options.ts";
import { choiceOption, engineOption, seedOption, usageError } from "../options/options.ts";
import { selectionOptionKinds } from "../options/selection-options.ts";
import { naming } from "../options/table-command.ts";
import { explainCsv } from "../output/explain-csv.ts";
import { explainText } from "../output/explain-text.ts";
import { announced, made, writtenText } from "../output/folder-files.ts";
import { importanceParquet } from "../output/importance-files.ts";
import { progressLine } from "../output/progress.ts";
import { writeResult } from "../output/write-result.ts";

interface Values extends DataValues {
  readonly model?: string;
  readonly hidden?: string;
  readonly missing?: string;
  readonly exclude?: readonly string[];
  readonly seed?: string;
  readonly engine?: string;
  readonly format?: string;
  readonly json?: boolean;
  readonly out?: string;
  readonly force?: boolean;
}

/** Options that train or select: a network that is there already has nothing to do with them. */
const OF_TRAINING = [
  "task",
  "recipe",
  "ensemble",
  "posterior",
  "kernel",
  "subsample",
  ...(Object.keys(selectionOptionKinds) as (keyof typeof selectionOptionKinds)[]),
  "stability",
  "top",
  "test-fraction",
  "keep",
  "workers",
  "resume",
] as const;

type ReadGroups = (variables: ReadonlyMap<string, number>) => readonly VariableGroup[];

/** `ratewise explain --model net.onnx`: a network that is already trained. */
export async function explainWithNetwork(
  path: string,
  values: Values & { readonly [Name in keyof typeof networkOptionKinds]?: string },
  groups: ReadGroups | undefined,
  io: Io,
): Promise<void> {
  refuseOptions(
    "explain",
    values as Readonly<Record<string, unknown>>,
    OF_TRAINING,
    "is for training a network; leave it or --model net.onnx out",
  );
  const settings = networkSettings("explain", values);
  const missing = choiceOption("explain", "missing", values.missing, ["drop", "error"]) ?? "drop";
  const format = choiceOption("explain", "format", values.format, ["json", "csv"]);
  const seed = seedOption("explain", values.seed);
  if (values.out !== undefined) await io.checkFolder(values.out, values.force ?? false);
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
        missing: missing as "drop" | "error",
        exclude: values.exclude ?? [],
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
        ...dataRecord(values),
        missing,
        data: path,
        command: commandText("explain", [path], values as Record<string, string>),
      },
      onProgress,
      onRanking: (basis) => {
        ranking = basis;
      },
    });
    const document: TrainedNetworkDocument = {
      ...explained,
      diagnostics: [...diagnostics, ...explained.diagnostics],
    };
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

async function rowsAndTarget(path: string, values: Values, io: Io) {
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
  settings: ReturnType<typeof networkSettings>,
): void {
  if (answered) return;
  const { lastLayer, hidden, link } = detected;
  if (!lastLayer)
    throw usageError(
      "explain",
      `no linear layer leads from "${hidden}" to the output, so one has to be fitted: that needs --target, what the network was to predict`,
    );
  const numbers = (settings.link ?? link) === "identity" && lastLayer.weights.rows === 1;
  if (numbers && settings.noiseVariance === undefined)
    throw usageError(
      "explain",
      "the network gives a number, and how far it is off can only be told from a response: add --target, or --noise-variance if you know it (or --link logistic where the number is a logit)",
    );
}
