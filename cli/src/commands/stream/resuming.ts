import type { KeptBlocks, StreamPlan } from "@ratewise/core/stream";
import type { Io } from "../../io.ts";
import type { BlockFolder } from "./kept-blocks.ts";
import type { KeptTraining } from "./kept-training.ts";

/** How much of a plan is finished, in words. */
function amount(plan: StreamPlan, blocks: number): string {
  return `${blocks} of ${plan.blocks} ${plan.by === "columns" ? "blocks" : "blocks of rows"}`;
}

/** Says once, before the first block is read or when none is left to read, how many a stopped run has left. */
export function sayingFound(
  keep: BlockFolder,
  plan: StreamPlan,
  resume: boolean,
  /** Whether the training was found, or where it stood. */
  training: boolean,
  io: Io,
): { readonly keep: KeptBlocks; readonly say: () => void } {
  let found = 0;
  let said = !resume;
  const say = (): void => {
    if (said) return;
    said = true;
    if (found === 0 && training) return;
    io.err(
      found === 0
        ? "ratewise: --resume: found no finished work for these data and options; starting from the beginning"
        : `ratewise: --resume: found ${amount(plan, found)} finished`,
    );
  };
  return {
    keep: {
      put: keep.put,
      get: async (id) => {
        const numbers = await keep.get(id);
        // By rows there is one piece, of all rows so far, whose first number says how many.
        if (numbers) found += plan.by === "columns" ? 1 : Math.floor(numbers[0] / plan.blockSize);
        return numbers;
      },
    },
    say,
  };
}

/** What a stopped run leaves behind, as far as it has come. */
export interface Kept {
  readonly training: KeptTraining | null;
  blocks: BlockFolder | null;
  plan: StreamPlan | null;
}

/** What a run that fails or is stopped leaves for the next, in a line; null where that is nothing. */
export function keptText({ training, blocks, plan }: Kept): string | null {
  const goOn = "the same command with --resume continues from there";
  const finished = blocks?.count() ?? 0;
  if (plan && finished > 0)
    return plan.by === "columns"
      ? `${amount(plan, finished)} are finished and kept; ${goOn}`
      : `what was read is saved; ${goOn}`;
  if (!training) return null;
  if (training.blocks.has(training.id)) return `the trained network is saved; ${goOn}`;
  const epochs = training.epochs.epochs();
  return epochs > 0 ? `training is saved up to epoch ${epochs}; ${goOn}` : null;
}
