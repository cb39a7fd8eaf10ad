import { exp } from "../elementary/index.ts";
import type { Trainer } from "./trainer.ts";

/** Steps between two blends: the average needs no finer grain, and a large network's weights cost a pass. */
const STEPS_A_BLEND = 16;

export interface WeightAverage {
  /** Takes notice of some steps that the trainer has made; `flush` blends even after few. */
  add(steps: number, flush: boolean): void;
}

/**
 * The trainer's average of its weights since now, memory fading by 1/e in `span` steps. Without bias
 * from where it starts: a blend's weight is (1−d)/(1−∏d), d = exp(−steps/span), as in Adam's moments.
 */
export function weightAverage(trainer: Trainer, span: number): WeightAverage {
  let pending = 0;
  let forgotten = 1; // ∏d over all blends
  return {
    add(steps, flush) {
      pending += steps;
      if (pending < STEPS_A_BLEND && !flush) return;
      const kept = exp(-pending / span);
      forgotten *= kept;
      trainer.blend((1 - kept) / (1 - forgotten));
      pending = 0;
    },
  };
}
