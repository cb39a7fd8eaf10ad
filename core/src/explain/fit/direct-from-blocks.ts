import { gradientScores } from "../../effects/gradient.ts";
import { gradientScoresBeside } from "../../effects/gradient-beside.ts";
import {
  addJacobian,
  gradientMoments,
  type JacobianBlock,
} from "../../effects/gradient-moments.ts";
import type { GaussianWeights } from "../../effects/index.ts";
import type { Rows } from "../../network/index.ts";
import type { Group } from "../../rate/index.ts";
import type { Progress } from "../../run.ts";
import { groupWeights, type LinearUnits } from "./group-weights.ts";

/** Which of the three scores of a gradient was used. */
export type GradientForm = "full" | "weak" | "mean-squared";

export interface Direct {
  readonly form: GradientForm;
  /** One per group, summed over the outputs of a softmax. */
  readonly scores: Float64Array;
}

export interface DirectBlocksOptions {
  /** One per class of a softmax, otherwise one. */
  readonly weights: readonly GaussianWeights[];
  readonly noiseVariance: number;
  /** Columns of each variable, then those of each group asked for. */
  readonly groups: readonly Group[];
  /** Of a model with a linear part, whose derivatives are in no block. */
  readonly linear?: LinearUnits | null;
}

/** The full form keeps l×l numbers per column: up to this many in all (128 MB). */
const MOST_MOMENTS = 2 ** 24;

/**
 * Does the network use the variable? Direct importance of every group of columns, ½v_gᵀ(I+S_g)⁻¹v_g: `full` of
 * `gradientScores` without its K⁻¹ term, from one pass over the derivatives ∂h/∂x of all rows of X. Where l×l numbers per
 * column are too many, the form for many weak variables, which needs l.
 */
export function* directFromBlocks(
  blocks: Iterable<JacobianBlock>,
  X: Rows,
  { weights, noiseVariance, groups, linear }: DirectBlocksOptions,
): Generator<Progress, Direct> {
  const l = linear ? linear.hidden.length : weights[0].mean.length;
  const form = X.cols * l * l <= MOST_MOMENTS ? "full" : "weak";
  const means = weights.map(({ mean }) =>
    linear ? Float64Array.from(linear.hidden, (place) => mean[place]) : mean,
  );
  const moments = gradientMoments(X.cols, l, form === "full" ? undefined : means);
  let done = 0;
  for (const block of blocks) {
    addJacobian(moments, block);
    done += block.rows;
    yield { phase: "direct effects", done, total: X.rows };
  }
  const scores = new Float64Array(groups.length);
  const columnVariances = variancesOf(X);
  const members = groups.map((group) => group.members);
  for (const weight of weights) {
    const asked = { noiseVariance, columnVariances, groups: members };
    const result = linear
      ? gradientScoresBeside(moments, (group) => groupWeights(linear, weight, group), asked)
      : gradientScores(moments, weight, {
          ...asked,
          // Not what it does to the others: a network that uses one input alone uses that one.
          conditional: false,
        });
    (result[form] ?? result.weak).forEach((score, g) => {
      scores[g] += score;
    });
  }
  return { form, scores };
}

/**
 * Var(x_j) over the rows, with n − 1, in one pass over what may be a large table. Its last bits are not those of
 * `variancesOfColumns`, and direct shares depend on them.
 */
export function variancesOf({ data, rows, cols }: Rows): Float64Array {
  const mean = new Float64Array(cols);
  const squares = new Float64Array(cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) {
      const delta = data[i * cols + j] - mean[j]; // Welford
      mean[j] += delta / (i + 1);
      squares[j] += delta * (data[i * cols + j] - mean[j]);
    }
  return squares.map((sum) => sum / (rows - 1));
}
