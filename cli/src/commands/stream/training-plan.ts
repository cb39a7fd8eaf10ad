import { RatewiseError } from "@ratewise/core";
import type { BlockSource } from "@ratewise/core/stream";
import { bytesText } from "./bytes-text.ts";
import type { Training } from "./hidden-from.ts";
import { epochsDisk } from "./kept-epochs.ts";
import type { WholePlan } from "./plan-text.ts";

type Shape = Pick<BlockSource, "where" | "rows" | "columns" | "format">;

/** What the runtime takes before there is any data, and the largest piece of X that is held at once. */
const RUNTIME = 150 * 2 ** 20;
const LARGEST_PIECE = 64 * 2 ** 20;
const PER_VARIABLE = 110;

/**
 * Peak memory of training: four arrays of the first layer's weights (themselves, two moments, the best), two batches, two blocks of
 * columns while X is arranged.
 */
function trainingMemory(
  { rows: n, columns: p, format }: Shape,
  { units, batchSize = 128 }: Training,
): number {
  const each = format === "bed" ? 1 / 4 : 4;
  const pieces =
    Math.min(LARGEST_PIECE, p * batchSize * each) + Math.min(LARGEST_PIECE, n * p * each);
  return Math.ceil(RUNTIME + 16 * p * units[0] + PER_VARIABLE * p + 2 * pieces);
}

/** Says now that training would not fit. */
export function checkTrainingMemory(source: Shape, from: Training, memory: number): void {
  const needed = trainingMemory(source, from);
  if (needed > memory)
    throw new RatewiseError("memory", {
      at: source.where,
      what: `training needs about ${bytesText(needed)}, may use ${bytesText(memory)}`,
      advice: "allow more, or use fewer units in the first layer",
      needed,
      memory,
    });
}

/** What training takes: memory, X rearranged and where it stands on disk, and how many epochs. */
export function trainingPlan(
  source: Shape,
  from: Training,
): Omit<NonNullable<WholePlan["training"]>, "epochSeconds"> {
  const { rows: n, columns: p, format } = source;
  const { penalties, epochs = EPOCHS } = from;
  const tried = penalties?.length ?? PENALTIES;
  return {
    memory: trainingMemory(source, from),
    disk: Math.ceil(n * p * (format === "bed" ? 1 / 4 : 4)),
    keptDisk: epochsDisk(p, from.units[0]),
    fewestEpochs: tried * Math.min(epochs, PATIENCE + 1),
    epochs: tried * epochs,
  };
}

/** Defaults of streamFit. */
const [EPOCHS, PENALTIES, PATIENCE] = [20, 2, 5];
