import { exp } from "./exp.ts";
import { log } from "./log.ts";

/** log Σₖ e^values[k] without overflow. With `from` and `step` only of values[from], values[from + step] and so on. */
export function logSumExp(values: Float64Array, from = 0, step = 1): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (let at = from; at < values.length; at += step) greatest = Math.max(greatest, values[at]);
  let sum = 0;
  for (let at = from; at < values.length; at += step) sum += exp(values[at] - greatest);
  return greatest + log(sum);
}
