import { fold, type Key } from "@ratewise/core";
import { kernelOutputs, type Network } from "@ratewise/core/network";
import { permutation } from "@ratewise/core/random";
import {
  type AccuracyCurves,
  type ShuffleCurvesOptions,
  shuffleCurves,
} from "../shuffle-curves.ts";
import type { LabelledImages } from "./question.ts";

/**
 * Accuracy as the pixels ranked first are shuffled among the images. All orders see the same permutation of a pixel in the same
 * repeat.
 */
export function shufflePixels(
  network: Network,
  { X, y }: LabelledImages,
  orders: Readonly<Record<string, Uint32Array>>,
  options: Omit<ShuffleCurvesOptions, "variables">,
): Promise<AccuracyCurves> {
  const { key } = options;
  const walk = async (
    order: Uint32Array,
    repeat: number,
    counts: readonly number[],
  ): Promise<number[]> => {
    const data = X.data.slice();
    const scores: number[] = [];
    let at = 0;
    for (const count of counts) {
      for (; at < count; at++)
        shufflePixel(data, X, order[at], fold(key, "rows", repeat, order[at]));
      scores.push(await accuracyOf(network, { X: { ...X, data }, y }));
    }
    return scores;
  };
  return shuffleCurves(walk, orders, { ...options, variables: X.cols });
}

/** The share of images on whose side of 0 the logit is. */
export async function accuracyOf(network: Network, { X, y }: LabelledImages): Promise<number> {
  const { data } = await kernelOutputs(network, X);
  return data.reduce((right, logit, i) => right + (logit > 0 === y[i] > 0 ? 1 : 0), 0) / y.length;
}

function shufflePixel(
  out: Float32Array,
  { data, rows, cols }: LabelledImages["X"],
  pixel: number,
  key: Key,
): void {
  const from = permutation(key, rows);
  for (let i = 0; i < rows; i++) out[i * cols + pixel] = data[from[i] * cols + pixel];
}
