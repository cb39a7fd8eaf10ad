import {
  type BlockSource,
  contentHash,
  fold,
  indexNames,
  keyFromSeed,
  type LearningTask,
  planStream,
  type RateResult,
  RatewiseError,
  rankDocumentText,
  rowSubset,
  type StreamNull,
  type StreamPlan,
  streamNull,
  streamProjection,
} from "@ratewise/core";
import type { FolderFile } from "../atomic-folder.ts";
import type { Command } from "../command.ts";
import { rankingText } from "../importance-table.ts";
import type { Io } from "../io.ts";
import { isNetworkFile } from "../network-file.ts";
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
} from "../options.ts";
import { readPositions, windowOption } from "../posterior/intervals.ts";
import { readGroups } from "../posterior/variable-files.ts";
import { progressLine } from "../progress.ts";
import { answerOf, outputsOf } from "../stream/answer.ts";
import { type HiddenFrom, type HiddenLayer, hiddenLayer, hiddenWidth } from "../stream/hidden.ts";
import { importanceCsv } from "../stream/importance-csv.ts";
import { importanceMap } from "../stream/importance-map.ts";
import { type BlockFolder, blockFolder } from "../stream/kept-blocks.ts";
import { memoryOption } from "../stream/memory-option.ts";
import { openSource } from "../stream/open-source.ts";
import { planText } from "../stream/plan-text.ts";
import { probeSeconds } from "../stream/probe.ts";
import { readResponse, type StreamResponse } from "../stream/response.ts";
import { trainingPlan } from "../stream/training-plan.ts";
import { hiddenOption, onePath } from "../table-command.ts";

const options = {
  ...everywhere,
  target: { type: "string" },
  pheno: { type: "string" },
  trait: { type: "string" },
  task: { type: "string" },
  names: { type: "string" },
  activations: { type: "string" },
  model: { type: "string" },
  hidden: { type: "string" },
  penalty: { type: "string" },
  epochs: { type: "string" },
  batch: { type: "string" },
  groups: { type: "string" },
  window: { type: "string" },
  select: { type: "string" },
  permutations: { type: "string" },
  memory: { type: "string" },
  plan: { type: "boolean" },
  by: { type: "string" },
  block: { type: "string" },
  precision: { type: "string" },
  out: { type: "string" },
  force: { type: "boolean" },
  resume: { type: "boolean" },
} as const;

type Values = CommandLine<typeof options>["values"];

const help = `usage: ratewise stream <X.bed|X.npy|X.parquet|X.zarr> [options]

Ranks the columns of an X that does not fit into memory, a block at a time: genotypes (.bed with .bim and .fam),
arrays (.npy, Zarr of version 2 or 3; images are one column a pixel) or Parquet. The last hidden layer of the
network comes from a file, from a network in ONNX, or from a network that is trained here, also a block at a
time and from two bits a genotype.

options:
  --target <y>           what to predict: a column of Parquet, or a .npy file with a value a row
  --pheno <file>         of genotypes: phenotypes by FID and IID; without it the .fam file's
  --trait <name>         of genotypes: the column of --pheno to predict
  --task <name>          regression or classification; default: by the target
  --names <file>         a name a column, one a line
  --activations <H.npy>  the last hidden layer of every row, rows × units
  --model <net.onnx>     the network whose last hidden layer it is
  --hidden <32,16>       otherwise: hidden layers of the network that is trained
  --penalty <2,4>        of training: input penalties to choose from
  --epochs <20>          of training: the most epochs for each
  --batch <128>          of training: rows of a batch
  --groups <file>        sets of variables to rank too, as for ratewise rank
  --window <0>           base pairs around a gene that belong to it, such as 50k
  --select <fdr=0.1>     permutation p-values, and which are selected at this rate
  --permutations <1000>  how many
  --memory <4GB>         what may be used; default three quarters of the machine's
  --plan                 say what would be read, in which blocks, and what time, memory and disk it takes; then stop
  --by <way>             columns or rows; default: as the file lies, where that fits
  --block <n>            columns or rows of a block; default: what the memory allows
  --precision <how>      double (default), or single for the products of genotypes: twice as fast
  --out <folder>         result.json, importance.csv and, of images, importance-map.npy and .png
  --force                write beside files that are not ours
  --resume               go on with the blocks that a stopped or failed run has finished
${everywhereHelp}
A block that cannot be read is named and stops the run; with --out the finished ones are kept for --resume. Exit
code 1: the data or the numbers failed; 2: the command line was wrong.

examples:
  ratewise stream genotypes.bed --pheno traits.txt --trait height --memory 4GB --plan
  ratewise stream genotypes.bed --pheno traits.txt --trait height --memory 4GB --out result
  ratewise stream scans.zarr --model net.onnx --target age.npy --out result
  ratewise stream X.npy --activations H.npy --target y.npy --groups genes.csv
`;

export const stream: Command = {
  name: "stream",
  summary: "rank the columns of an X that does not fit into memory",
  help,
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("stream", argv, options);
    const path = onePath("stream", positionals);
    const checked = checkValues(path, values, io);
    if (values.out !== undefined) await io.checkFolder(values.out, values.force ?? false);
    const engine = await engineOption("stream", values.engine);
    const progress = progressLine(io);
    const opened = await openSource(path, values, io);
    try {
      const response = await readResponse(path, opened, { ...values, task: checked.task }, io);
      const source = response?.rows ? rowSubset(opened.source, response.rows) : opened.source;
      if (values.plan) await io.out(await planned(source, response, checked, io));
      else
        await answer({
          path,
          source,
          response,
          checked,
          values,
          engine,
          io,
          progress,
          notes: opened.notes,
        });
    } finally {
      progress.finish();
      await opened.close();
    }
  },
};

interface Checked {
  readonly from: HiddenFrom;
  readonly memory: number;
  readonly by: "columns" | "rows" | undefined;
  readonly blockSize: number | undefined;
  readonly precision: "double" | "single";
  readonly task: LearningTask | undefined;
  readonly seed: number;
  readonly fdr: number | null;
  readonly permutations: number | undefined;
  readonly kept: boolean;
}

/** All that can be known to be wrong before a file is opened. */
function checkValues(path: string, values: Values, io: Io): Checked {
  const { activations, model, out } = values;
  const genotypes = /\.bed$/i.test(path);
  if (activations !== undefined && model !== undefined)
    throw usageError("stream", "needs --activations or --model, got both");
  if (model !== undefined && !isNetworkFile(model))
    throw usageError("stream", `--model needs a network in ONNX, got "${model}"`);
  if (activations !== undefined || model !== undefined)
    for (const name of ["hidden", "penalty", "epochs", "batch"] as const)
      if (values[name] !== undefined)
        throw usageError(
          "stream",
          `--${name} is of training; leave it or --activations and --model out`,
        );
  if ((values.pheno === undefined) !== (values.trait === undefined))
    throw usageError("stream", "--pheno and --trait need each other: a file, and its column");
  if (!genotypes && values.pheno !== undefined)
    throw usageError("stream", `--pheno is of genotypes and needs a .bed file, got "${path}"`);
  if (values.resume && out === undefined)
    throw usageError("stream", "--resume needs --out, beside which finished blocks are kept");
  const fdr = values.select === undefined ? null : Number(/^fdr=(.+)$/.exec(values.select)?.[1]);
  if (fdr !== null && !(fdr > 0 && fdr < 1))
    throw usageError(
      "stream",
      `--select needs fdr= and a rate between 0 and 1, got "${values.select}"`,
    );
  const permutations = countOption("stream", "permutations", values.permutations);
  if (permutations !== undefined && fdr === null)
    throw usageError("stream", "--permutations needs --select, such as --select fdr=0.1");
  const by = choiceOption("stream", "by", values.by, ["columns", "rows"]);
  const precision = choiceOption("stream", "precision", values.precision, ["double", "single"]);
  const task = choiceOption("stream", "task", values.task, ["regression", "classification"]);
  return {
    from: hiddenFrom(values),
    memory: memoryOption("stream", values.memory, io.memory),
    by: by as "columns" | "rows" | undefined,
    blockSize: countOption("stream", "block", values.block),
    precision: (precision ?? "double") as "double" | "single",
    task: task as LearningTask | undefined,
    seed: seedOption("stream", values.seed),
    ...{ fdr, permutations, kept: out !== undefined },
  };
}

function hiddenFrom({ activations, model, hidden, penalty, epochs, batch }: Values): HiddenFrom {
  if (activations !== undefined) return { kind: "activations", path: activations };
  if (model !== undefined) return { kind: "onnx", path: model };
  const penalties = penalty?.split(",").map(Number);
  if (penalties?.some((value) => !(value >= 0 && Number.isFinite(value))))
    throw usageError("stream", `--penalty needs numbers ≥ 0 with commas between, got "${penalty}"`);
  return {
    kind: "train",
    units: hiddenOption("stream", hidden),
    penalties,
    epochs: countOption("stream", "epochs", epochs),
    batchSize: countOption("stream", "batch", batch),
  };
}

async function planned(
  source: BlockSource,
  response: StreamResponse | null,
  checked: Checked,
  io: Io,
): Promise<string> {
  const { from, memory, precision, kept } = checked;
  const width = await hiddenWidth(from, io);
  if (width === null)
    throw new RatewiseError(
      "domain",
      "stream: the width of the network's last hidden layer is not in its file",
    );
  const plan = planFor(source, width, response, checked);
  const seconds = await probeSeconds(source, plan, width, precision);
  const training = from.kind === "train" ? trainingPlan(source, from, plan, seconds, width) : null;
  if (training && training.memory > memory)
    throw new RatewiseError(
      "memory",
      `${source.where}: training needs about ${Math.ceil(training.memory / 2 ** 20)} MB, may use ${Math.floor(memory / 2 ** 20)} MB; allow more, or use fewer units in the first layer`,
    );
  return planText({ source, plan, width, seconds, training, kept, memory });
}

function planFor(
  source: BlockSource,
  width: number,
  response: StreamResponse | null,
  { memory, by, precision, blockSize }: Checked,
): StreamPlan {
  const outputs = outputsOf(response?.classes);
  return planStream(source, {
    width,
    memory,
    precision,
    outputs,
    ...(by && { by }),
    ...(blockSize !== undefined && { blockSize }),
  });
}

interface Work {
  readonly path: string;
  readonly source: BlockSource;
  readonly response: StreamResponse | null;
  readonly checked: Checked;
  readonly values: Values;
  readonly engine: string;
  readonly io: Io;
  readonly progress: ReturnType<typeof progressLine>;
  readonly notes: () => readonly string[];
}

async function answer(work: Work): Promise<void> {
  const { source, response, checked, values, io, progress } = work;
  const { seed, memory, precision, from } = checked;
  const { onProgress } = progress;
  const made = await hiddenLayer(from, source, response, { seed, memory, onProgress }, io);
  const plan = planFor(source, made.hidden.cols, response, checked);
  const groups = await groupsOf(work);
  const identity = contentHash({
    x: [source.where, source.rows, source.columns, plan.by, plan.blockSize],
    hidden: made.hidden.data,
    precision,
  }).slice(0, 24);
  const keep =
    values.out === undefined
      ? undefined
      : await blockFolder(values.out, identity, values.resume ?? false);
  const projected = await streamProjection(source, made.hidden, {
    plan,
    precision,
    onProgress,
    ...(keep && { keep }),
  }).catch((error: unknown) => sayKept(error, keep, plan, io));
  const { result: ranked, effects } = answerOf(projected, made, groups);
  const notes = [...(response?.diagnostics ?? []), ...made.refit.diagnostics];
  const result: RateResult = { ...ranked, diagnostics: [...notes, ...ranked.diagnostics] };
  const nulls =
    effects && checked.fdr !== null ? await nullsOf(work, made, result, effects, groups) : null;
  progress.finish();
  for (const note of work.notes()) io.err(`ratewise: ${note}`);
  await present(work, result, made, nulls, plan);
  await keep?.discard();
}

async function sayKept(
  error: unknown,
  keep: BlockFolder | undefined,
  plan: StreamPlan,
  io: Io,
): Promise<never> {
  const kept = (await keep?.count()) ?? 0;
  if (kept > 0)
    io.err(
      `ratewise: ${plan.by === "columns" ? `${kept} of ${plan.blocks} blocks are finished and kept` : "what was read is kept"}; the same command with --resume goes on from there`,
    );
  throw error;
}

async function groupsOf({ path, source, values, io }: Work) {
  if (values.groups === undefined) return undefined;
  const window = windowOption("stream", values.window);
  const genes = /\.(bed|tsv|txt|csv)(\.gz)?$/i.test(values.groups) && source.format === "bed";
  const positions = genes ? await readPositions(path.replace(/\.bed$/i, ".bim"), io) : undefined;
  const read = await readGroups(values.groups, io, {
    ...(window !== undefined && { window }),
    positions: () => positions,
  });
  return read(
    indexNames(source.names ?? Array.from({ length: source.columns }, (_, j) => `x${j + 1}`)),
  );
}

async function nullsOf(
  { checked, response, progress }: Work,
  { hidden, refit }: HiddenLayer,
  { variables }: RateResult,
  effects: NonNullable<ReturnType<typeof answerOf>["effects"]>,
  groups: Awaited<ReturnType<typeof groupsOf>>,
): Promise<StreamNull> {
  if (!response)
    throw new RatewiseError(
      "usage",
      "stream: --select needs a response, --target, or --pheno and --trait",
    );
  const { factor, noise } = effects;
  return streamNull(
    {
      ...{
        factor,
        noise: noise!,
        sd: variables.sd,
        mutualInformation: variables.mutualInformation!,
      },
      ...{ hidden, weights: refit.posterior.outputs[0], responses: [response.values] },
      ...(groups && { groups }),
    },
    {
      key: fold(keyFromSeed(checked.seed), "null"),
      fdr: checked.fdr!,
      ...(checked.permutations !== undefined && { permutations: checked.permutations }),
      onProgress: progress.onProgress,
    },
  );
}

async function present(
  { path, source, response, checked, values, engine, io }: Work,
  result: RateResult,
  { direct, about, hidden }: HiddenLayer,
  nulls: StreamNull | null,
  plan: StreamPlan,
): Promise<void> {
  const total = direct?.reduce((sum, score) => sum + score, 0) ?? 0;
  const more = {
    direct: direct?.map((score) => (total > 0 ? score / total : 0)) ?? null,
    selection: nulls?.variables ?? null,
  };
  const record = {
    seed: checked.seed,
    engine,
    options: {
      ...{ data: path, format: source.format, target: response?.name ?? null, model: about },
      ...{ by: plan.by, blocks: plan.blocks, precision: checked.precision },
      ...(nulls && { fdr: checked.fdr, permutations: nulls.variables.permutations }),
      ...(nulls?.groups && { groupPValues: [...nulls.groups.pValues] }),
    },
    dataHash: contentHash({ hidden: hidden.data, mean: result.variables.mean }),
  };
  if (values.out !== undefined) {
    const files: FolderFile[] = [
      { path: "result.json", pieces: rankDocumentText(result, record) },
      { path: "importance.csv", pieces: importanceCsv(result, more) },
      ...importanceMap(result, source.rowShape),
    ];
    await io.writeFolder(values.out, files);
    io.err(`ratewise: wrote ${files.map((file) => file.path).join(", ")} to ${values.out}`);
  }
  if (values.json) for (const piece of rankDocumentText(result, record)) await io.out(piece);
  else {
    await io.out(rankingText(result, io));
    if (nulls) await io.out(`\n${selectedText(nulls, result, checked)}\n`);
  }
}

function selectedText(
  { variables, groups }: StreamNull,
  { groups: scored }: RateResult,
  { fdr }: Checked,
): string {
  const count = (selected: readonly boolean[]): number => selected.filter(Boolean).length;
  const ofGroups =
    groups && scored ? `, ${count(groups.selected)} of ${scored.names.length} groups` : "";
  return `Selected at a false discovery rate of ${fdr}, by ${variables.permutations} permutations: ${count(variables.selected)} of ${variables.selected.length} variables${ofGroups}.`;
}
