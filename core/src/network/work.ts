import { patchSize, positionsOf } from "./image.ts";
import type { Layout } from "./layout.ts";

/** Multiply-adds of one row forward, about: each parameter once, a filter's at every place of its window. */
export function multiplyAdds({ size, stages }: Layout): number {
  let sum = size;
  for (const stage of stages)
    if (stage.kind === "convolution")
      sum += (positionsOf(stage.window) - 1) * patchSize(stage.window) * stage.filters;
  return sum;
}
