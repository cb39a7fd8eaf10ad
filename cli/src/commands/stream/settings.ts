import type { LearningTask } from "@ratewise/core/data";
import type { Io } from "../../io.ts";
import { isNetworkFile } from "../../options/cases.ts";
import { usageError } from "../../options/options.ts";
import type { Values } from "../../options/table.ts";
import type { HiddenFrom } from "./hidden-from.ts";
import { isArrayFile } from "./open-source.ts";

export type StreamValues = Values<"stream">;

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
  const { activations, model } = values;
  const genotypes = /\.bed$/i.test(path);
  if (activations !== undefined && model !== undefined)
    throw usageError("stream", "needs --activations or --model, got both");
  if (model !== undefined && !isNetworkFile(model))
    throw usageError("stream", `--model needs a network in ONNX, got "${model}"`);
  if (values.target !== undefined && values.pheno !== undefined)
    throw usageError("stream", "needs --target or --pheno and --trait, got both");
  if (genotypes && values.target !== undefined && !isArrayFile(values.target))
    throw usageError(
      "stream",
      `--target for genotypes needs a .npy file with one value per row, got "${values.target}"; for columns of phenotypes use --pheno and --trait`,
    );
  if (values.covariates !== undefined && values.task === "classification")
    throw usageError(
      "stream",
      "--covariates can be removed from numbers only, not from classes; remove --task or --covariates",
    );
  const { block, by, precision, task, seed, select, permutations, window } = values;
  return {
    from: hiddenFrom(values),
    memory: values.memory ?? Math.floor(0.75 * io.memory),
    ...{ by, blockSize: block, precision, task, seed, fdr: select ?? null, permutations, window },
    grouped: values.groups !== undefined,
    kept: values.out !== undefined,
  };
}

function hiddenFrom(values: StreamValues): HiddenFrom {
  const { activations, model, hidden: units, penalty: penalties, epochs, batch } = values;
  if (activations !== undefined) return { kind: "activations", path: activations };
  if (model !== undefined) return { kind: "onnx", path: model };
  return { kind: "train", units, penalties, epochs, batchSize: batch };
}
