import type { Design } from "../../data/design.ts";
import type { EffectSizes, GaussianWeights } from "../../effects/index.ts";
import { projectCovariance, projectedEffects } from "../../effects/index.ts";
import { type Matrix, matrix, multiplyTranspose } from "../../linalg/index.ts";
import type { Network } from "../../network/index.ts";
import { mixtureGaussian } from "../../posterior/ensemble.ts";
import { fold, type Key, normalInto } from "../../random/index.ts";
import { type Group, rate } from "../../rate/index.ts";
import { drive, type Progress, type RunOptions } from "../../run.ts";
import { type RankStability, rankStability } from "../../select/index.ts";
import { noiseVarianceOf } from "../fit/column-rates.ts";
import { ensembleHidden, ensembleWeights, stackWeights } from "../fit/ensemble.ts";

export interface StabilityInput extends RunOptions {
  readonly key: Key;
  readonly networks: readonly Network[];
  /** Output weights of each member and output where they were fitted anew; default the networks' own. */
  readonly outputWeights?: readonly (readonly GaussianWeights[])[];
  readonly X: Design;
  readonly y: Float64Array;
  readonly variables: readonly Group[];
  readonly top: number;
  /** Default 200. */
  readonly draws?: number;
}

const DRAWS = 200;

/**
 * How sure the ranking by RATE is. Every draw takes effect sizes from N(μ, AAᵀ + D) and ranks the variables by the divergence they would have: with one network
 * its posterior, with several their mixture (spread between members included); D is the sampling variance of a new response. The
 * hidden layers stay as trained. O(p·l² + draws·p·l), and as much a draw where
 * there are categories.
 */
export function rankingStability(input: StabilityInput): Promise<RankStability> {
  return drive(steps(input), input);
}

/**
 * Draws of the divergences of every variable, draws×variables: what two fitted models are compared by.
 * @internal
 */
export function drawImportance(input: StabilityInput): Promise<Matrix> {
  return drive(drawSteps(input), input);
}

function* steps(input: StabilityInput): Generator<Progress, RankStability> {
  return rankStability(yield* drawSteps(input), { top: input.top });
}

function* drawSteps(input: StabilityInput): Generator<Progress, Matrix> {
  const { key, X, variables, draws = DRAWS } = input;
  const outputs = effectsOf(input);
  const p = variables.length;
  const scores = matrix(draws, p);
  const several = variables.filter(({ members }) => members.length !== 1);
  for (const [output, { average, mixture }] of outputs.entries()) {
    const normal = matrix(draws, mixture.cols + X.cols);
    normalInto(normal.data, fold(key, "stability", output));
    const weights = matrix(draws, mixture.cols);
    for (let d = 0; d < draws; d++)
      weights.data.set(
        normal.data.subarray(d * normal.cols, d * normal.cols + mixture.cols),
        d * mixture.cols,
      );
    const moved = multiplyTranspose(weights, mixture);
    const noise = average.noise!.map(Math.sqrt);
    // The mean term of one column is ½δ_jμ_j²: its factor is known from μ = 1. Categories are scored draw by draw.
    const ones = { ...average, mean: new Float64Array(X.cols).fill(1) };
    const factor = rate(ones).variables.kld;
    for (let d = 0; d < draws; d++) {
      const mean = average.mean.map(
        (mu, j) =>
          mu +
          moved.data[d * X.cols + j] +
          noise[j] * normal.data[d * normal.cols + mixture.cols + j],
      );
      const { groups } =
        several.length > 0 ? rate({ ...average, mean }, { groups: several }) : { groups: null };
      let next = 0;
      variables.forEach(({ members }, v) => {
        scores.data[d * p + v] +=
          members.length === 1 ? factor[members[0]] * mean[members[0]] ** 2 : groups!.kld[next++];
      });
      yield { phase: "stability", done: output * draws + d + 1, total: outputs.length * draws };
    }
  }
  return scores;
}

interface OutputEffects {
  /** Of the averaged network, whose RATE is reported. */
  readonly average: EffectSizes;
  /** The factor of the members' mixture. */
  readonly mixture: Matrix;
}

function effectsOf({ networks, outputWeights, X, y }: StabilityInput): OutputEffects[] {
  const names = Array.from({ length: X.cols }, (_, j) => `${j}`);
  const { hidden, mean } = ensembleHidden(networks, X);
  const noiseVariance = noiseVarianceOf(networks, y, mean.data);
  const whole = projectCovariance(X, hidden, names);
  const own = networks.map((network) =>
    projectCovariance(X, ensembleHidden([network], X).hidden, names),
  );
  return Array.from({ length: mean.cols }, (_, output) => {
    const weightsOf = (k: number): GaussianWeights =>
      outputWeights?.[k][output] ?? ensembleWeights([networks[k]], output);
    const members = own.map((projected, k) =>
      projectedEffects(projected, weightsOf(k), { noiseVariance }),
    );
    const mixture = mixtureGaussian(members);
    // The mean of the mixture is that of the averaged network.
    const average = projectedEffects(whole, stackWeights(networks.map((_, k) => weightsOf(k))), {
      noiseVariance,
    });
    return { average, mixture: mixture.factor };
  });
}
