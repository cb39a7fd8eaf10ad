import type { FloatArray } from "../compute/index.ts";
import { exp, sigmoid } from "../elementary/index.ts";
import { RatewiseError } from "../errors.ts";
import { layerValues } from "./forward.ts";
import type { Layout } from "./layout.ts";
import { meanOutput } from "./output.ts";

/** What is explained: the network's function f (a logit, where there are classes), or a class's probability. */
export const saliencyTargets = ["logit", "probability"] as const;
export type SaliencyOf = (typeof saliencyTargets)[number];

/** The explained value of each row and its slope in every output. */
export interface TargetSlopes {
  readonly value: Float64Array;
  /** rows×outputs. */
  readonly slope: Float64Array;
}

/** Throws unless there is such a class, and a probability where one is asked for. */
export function checkTarget(
  where: string,
  { link, outputs }: Layout,
  of: SaliencyOf,
  chosen: number | undefined,
): void {
  if (of === "probability" && link === "identity")
    throw new RatewiseError("domain", {
      in: where,
      what: "needs classes for a probability, got a regression",
      option: "of",
      advice: "use the logit, which is its prediction",
    });
  const classes = link === "identity" ? 1 : link === "logistic" ? 2 : outputs;
  if (chosen === undefined) return;
  if (link === "identity")
    throw new RatewiseError("domain", {
      in: where,
      what: `needs no class of a regression, got ${chosen}`,
      option: "class",
    });
  if (!(Number.isInteger(chosen) && chosen >= 0 && chosen < classes))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs a class from 0 to ${classes - 1}, got ${chosen}`,
      option: "class",
    });
}

/**
 * f_c or π_c and its slopes in f (rows×outputs), at each row's class c:
 * ∂π_c/∂f_k = π_c(1[c = k] − π_k). Class 0 of a logistic has −f and 1 − π.
 */
export function targetSlopes(
  { link, outputs }: Layout,
  f: FloatArray,
  classes: Uint32Array,
  of: SaliencyOf,
): TargetSlopes {
  const rows = classes.length;
  const value = new Float64Array(rows);
  const slope = new Float64Array(rows * outputs);
  const odds = new Float64Array(outputs);
  for (let i = 0; i < rows; i++) {
    const at = i * outputs;
    const c = classes[i];
    if (link !== "softmax") {
      const sign = link === "logistic" && c === 0 ? -1 : 1;
      value[i] = of === "logit" ? sign * f[at] : sigmoid(sign * f[at]);
      slope[at] = of === "logit" ? sign : sign * value[i] * (1 - value[i]);
      continue;
    }
    if (of === "logit") {
      value[i] = f[at + c];
      slope[at + c] = 1;
      continue;
    }
    let sum = 0;
    for (let k = 0; k < outputs; k++) {
      odds[k] = exp(f[at + k] - f[at + c]);
      sum += odds[k];
    }
    value[i] = 1 / sum;
    for (let k = 0; k < outputs; k++)
      slope[at + k] = value[i] * ((k === c ? 1 : 0) - odds[k] / sum);
  }
  return { value, slope };
}

/** Each row's class of largest probability, softmax averaged over the members. */
export function likeliestClasses(
  members: readonly { readonly layout: Layout; readonly theta: FloatArray }[],
  x: FloatArray,
  rows: number,
): Uint32Array {
  const { outputs } = members[0].layout;
  const chances = new Float64Array(rows * outputs);
  for (const { layout, theta } of members) {
    const values = layerValues<FloatArray>(layout, theta, x, rows);
    const f = meanOutput(layout, theta, values[values.length - 1].output, rows);
    for (let c = 0; c < outputs; c++) {
      const { value } = targetSlopes(layout, f, new Uint32Array(rows).fill(c), "probability");
      for (let i = 0; i < rows; i++) chances[i * outputs + c] += value[i];
    }
  }
  return Uint32Array.from({ length: rows }, (_, i) => {
    let best = 0;
    for (let c = 1; c < outputs; c++)
      if (chances[i * outputs + c] > chances[i * outputs + best]) best = c;
    return best;
  });
}
