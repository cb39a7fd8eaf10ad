import { toLogScale } from "../../network/log-scale.ts";
import type { Prepared } from "../prepare/prepared.ts";

/** The training rows' responses as networks speak of them: their logarithms, where those were learned. */
export function networkResponse({
  targetScale,
  train: { y },
}: Pick<Prepared, "targetScale" | "train">): Float64Array {
  return targetScale ? toLogScale(targetScale, y) : y;
}
