import { fold, type Key, type Matrix, type RunOptions } from "@ratewise/core";
import {
  addJacobian,
  gradientMoments,
  gradientScores,
  logisticNoiseVariance,
} from "@ratewise/core/effects";
import { meanAbsolute } from "@ratewise/core/importance";
import { variancesOfColumns } from "@ratewise/core/linalg";
import {
  jacobianBlocks,
  type Network,
  outputLayer,
  predict,
  type Rows,
  type SaliencyMethod,
  saliency,
} from "@ratewise/core/network";
import { subsample } from "@ratewise/core/random";
import { type Ranking, rankingOf } from "../ranking.ts";
import { type Mimicked, softPredictions } from "../searched-mimic.ts";
import { asMatrix, imagesAt } from "./digits.ts";
import type { LabelledImages } from "./question.ts";

/** RATE of the derivatives at some images, as `explain` has it for `direct`: without the term of the other variables. */
export function gradientRatePixels(network: Network, X: Rows): Ranking {
  const { mean, variance } = outputLayer(network, 0);
  const moments = gradientMoments(X.cols, mean.length);
  for (const block of jacobianBlocks([network], X)) addJacobian(moments, block);
  const { full } = gradientScores(
    moments,
    { mean, covariance: variance },
    {
      noiseVariance: logisticNoiseVariance,
      columnVariances: variancesOfColumns(asMatrix(X)),
      conditional: false,
    },
  );
  return rankingOf(full!);
}

export interface SaliencyPixels extends Ranking {
  /** How far attributions are from adding up to f(x) − f(0), over the mean of |f(x) − f(0)|. */
  readonly gap: number;
}

/** Mean absolute attributions of the logit over some images; integrated gradients start from an empty image. */
export async function saliencyPixels(
  network: Network,
  X: Rows,
  method: SaliencyMethod,
  steps: number,
  run: RunOptions,
): Promise<SaliencyPixels> {
  const values = await saliency([network], X, { ...run, method, steps, precision: "single" });
  const { mean } = predict(network, X);
  const empty = { data: new Float32Array(X.cols), rows: 1, cols: X.cols };
  const start = predict(network, empty).mean.data[0];
  let [off, whole] = [0, 0];
  for (let i = 0; i < X.rows; i++) {
    const sum = values.data
      .subarray(i * X.cols, (i + 1) * X.cols)
      .reduce((total, value) => total + value, 0);
    off += Math.abs(sum - (mean.data[i] - start));
    whole += Math.abs(mean.data[i] - start);
  }
  return { ...rankingOf(meanAbsolute(values)), gap: off / whole };
}

/** Some images with the network's probabilities, for mimics. */
export function mimickedImages(
  network: Network,
  images: LabelledImages,
  count: number,
  key: Key,
): Mimicked & { readonly X: Matrix } {
  const { X } = someImages(images, count, key);
  return { X: asMatrix(X), probabilities: softPredictions(network, X) };
}

/** Images drawn at random, at most all, with their classes. */
export function someImages({ X, y }: LabelledImages, count: number, key: Key): LabelledImages {
  const rows = subsample(fold(key, "images"), X.rows, Math.min(count, X.rows));
  return { X: imagesAt(X, rows), y: Float64Array.from(rows, (row) => y[row]) };
}
