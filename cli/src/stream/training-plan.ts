import type { BlockSource, StreamPlan } from "@ratewise/core";
import type { HiddenFrom } from "./hidden.ts";
import type { WholePlan } from "./plan-text.ts";

/** What the runtime and two batches take beside the weights. */
const FIXED = 400 * 2 ** 20;

/**
 * What training takes: four arrays of the first layer's weights (theirs, two moments, the best), X rearranged on disk, and for each epoch
 * the operations of forward and backward at the speed of the timed piece.
 */
export function trainingPlan(
  { rows: n, columns: p, format }: BlockSource,
  { units, penalties, epochs = 20 }: HiddenFrom & { readonly kind: "train" },
  plan: StreamPlan,
  seconds: number,
  width: number,
): NonNullable<WholePlan["training"]> {
  const first = units[0];
  return {
    memory: FIXED + 16 * p * first + 100 * p,
    disk: Math.ceil(n * p * (format === "bed" ? 1 / 4 : 4)),
    epochSeconds: (seconds / plan.operations) * 4 * n * p * first * (first < width ? 1 : 2),
    epochs: epochs * (penalties?.length ?? 2),
  };
}
