import type { Matrix } from "@ratewise/core";
import {
  addJacobian,
  gradientMoments,
  gradientScores,
  gradientScoresBeside,
  logisticNoiseVariance,
  residualNoiseVariance,
} from "@ratewise/core/effects";
import { ensembleHidden, ensembleWeights, groupWeights, linearUnits } from "@ratewise/core/explain";
import { variancesOfColumns } from "@ratewise/core/linalg";
import { jacobianBlocks, type Network } from "@ratewise/core/network";
import type { SimulatedRows } from "@ratewise/core/simulate";

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
  const linear = linearUnits(networks);
  const moments = gradientMoments(X.cols, linear ? linear.hidden.length : hidden.cols);
  for (const block of jacobianBlocks(networks, X)) addJacobian(moments, block);
  const asked = {
    noiseVariance,
    columnVariances: variancesOfColumns(X),
    groups: Array.from({ length: X.cols }, (_, j) => [j]),
  };
  const { full, weak, meanSquared } = linear
    ? gradientScoresBeside(moments, (group) => groupWeights(linear, weights, group), asked)
    : gradientScores(moments, weights, asked);
  return { full: full!, weak, meanSquared };
}
