import type { Matrix } from "@ratewise/core";
import {
  addJacobian,
  gradientMoments,
  gradientScores,
  logisticNoiseVariance,
  residualNoiseVariance,
} from "@ratewise/core/effects";
import { ensembleHidden, ensembleWeights } from "@ratewise/core/explain";
import { jacobianBlocks, type Network } from "@ratewise/core/network";
import type { SimulatedRows } from "@ratewise/core/simulate";
import { columnVariances } from "../column-variances.ts";

/** What every ranking of trained networks begins with. */
export interface LastLayer {
  readonly hidden: Matrix;
  readonly weights: ReturnType<typeof ensembleWeights>;
  readonly noiseVariance: number;
}

/** The last layer of an ensemble at its training rows. */
export function lastLayer(networks: readonly Network[], { X, y }: SimulatedRows): LastLayer {
  const { hidden, mean } = ensembleHidden(networks, X);
  const { link } = networks[0].architecture;
  const noiseVariance =
    link === "identity" ? residualNoiseVariance(y, mean.data) : logisticNoiseVariance;
  return { hidden, noiseVariance, weights: ensembleWeights(networks, 0) };
}

/** The three forms of the gradient score; nothing here knows the causal variables. */
export function scoreByGradients(
  networks: readonly Network[],
  X: Matrix,
  { hidden, weights, noiseVariance }: LastLayer,
): Readonly<Record<"full" | "weak" | "meanSquared", Float64Array>> {
  const moments = gradientMoments(X.cols, hidden.cols);
  for (const block of jacobianBlocks(networks, X)) addJacobian(moments, block);
  const { full, weak, meanSquared } = gradientScores(moments, weights, {
    noiseVariance,
    columnVariances: columnVariances(X),
  });
  return { full: full!, weak, meanSquared };
}
