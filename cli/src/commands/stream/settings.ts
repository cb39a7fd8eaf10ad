import type { LearningTask } from "@ratewise/core/data";
import { windowOption } from "../../input/intervals.ts";
import { isNetworkFile } from "../../input/network-file.ts";
import type { Io } from "../../io.ts";
import { choiceOption, countOption, seedOption, usageError } from "../../options/options.ts";
import { hiddenOption } from "../../options/table-command.ts";
import type { HiddenFrom } from "./hidden-from.ts";
import { memoryOption } from "./memory-option.ts";
import { isArrayFile } from "./open-source.ts";

/** The options of the command line. */
export interface StreamValues {
  readonly target?: string;
  readonly pheno?: string;
  readonly trait?: string;
  readonly covariates?: string;
  readonly task?: string;
  readonly names?: string;
  readonly activations?: string;
  readonly model?: string;
  readonly hidden?: string;
  readonly penalty?: string;
  readonly epochs?: string;
  readonly batch?: string;
  readonly groups?: string;
  readonly window?: string;
  readonly select?: string;
  readonly permutations?: string;
  readonly memory?: string;
  readonly by?: string;
  readonly block?: string;
  readonly precision?: string;
  readonly out?: string;
  readonly seed?: string;
  readonly plan?: boolean;
  readonly json?: boolean;
  readonly force?: boolean;
  readonly resume?: boolean;
}

/** What was asked for, checked. */
export interface StreamSettings {
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
  /** Whether sets of variables are ranked too. */
  readonly grouped: boolean;
  /** Base pairs around genes; undefined where none are asked for. */
  readonly window: number | undefined;
}

/** All that can be known to be wrong before a file is opened. */
export function streamSettings(path: string, values: StreamValues, io: Io): StreamSettings {
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
  if (values.target !== undefined && values.pheno !== undefined)
    throw usageError("stream", "needs --target or --pheno and --trait, got both");
  if (genotypes && values.target !== undefined && !isArrayFile(values.target))
    throw usageError(
      "stream",
      `--target of genotypes needs a .npy file with a value a row, got "${values.target}"; columns of phenotypes are --pheno and --trait`,
    );
  const responded = genotypes || values.target !== undefined;
  for (const name of ["task", "covariates", "select"] as const)
    if (!responded && values[name] !== undefined)
      throw usageError("stream", `--${name} is of the response and needs --target`);
  if (values.covariates !== undefined && values.task === "classification")
    throw usageError(
      "stream",
      "--covariates are taken out of numbers, and classes are none; leave --task or --covariates out",
    );
  if (values.window !== undefined && values.groups === undefined)
    throw usageError("stream", "--window is of genes and needs --groups, a BED file or gene table");
  if (!genotypes && values.precision === "single")
    throw usageError(
      "stream",
      `--precision single is of genotypes, got "${path}"; numbers are multiplied in double`,
    );
  for (const name of ["resume", "force"] as const)
    if (values[name] && out === undefined)
      throw usageError(
        "stream",
        `--${name} needs --out${name === "resume" ? ", beside which finished blocks are kept" : ""}`,
      );
  if (values.plan && values.resume)
    throw usageError("stream", "--plan is of a whole run; leave it or --resume out");
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
    grouped: values.groups !== undefined,
    window: windowOption("stream", values.window),
    ...{ fdr, permutations, kept: out !== undefined },
  };
}

function hiddenFrom({
  activations,
  model,
  hidden,
  penalty,
  epochs,
  batch,
}: StreamValues): HiddenFrom {
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
