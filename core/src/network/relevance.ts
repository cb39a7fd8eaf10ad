import type { FloatArray } from "../compute/index.ts";
import { skipBack, stageBack } from "./backward.ts";
import type { LayerValues } from "./forward.ts";
import type { Layout, SkipStage } from "./layout.ts";
import { zerosLike } from "./precision.ts";

/**
 * ε-LRP (Bach and others 2015): relevance goes from a unit to its inputs in the proportion of what they
 * add to its sum z,
 *
 *     R_j = Σ_u a_j W_ju / (z_u + ε·sign z_u) · R_u,   sign 0 = 1,
 *
 * and passes activations unchanged. Biases keep their part, so relevances add up to less than the output.
 * A maximum hands everything to the largest cell. As ε → 0 in a ReLU network without biases this is
 * gradient × input. From relevance in the last hidden layer (overwritten) to relevance in the inputs.
 */
export function inputRelevance<Values extends FloatArray>(
  { stages }: Layout,
  theta: Values,
  values: readonly LayerValues<Values>[],
  relevance: Values,
  rows: number,
  epsilon: number,
): Values {
  let R = relevance;
  let beside: Values | null = null;
  for (let at = stages.length - 1; at >= 0; at--) {
    const stage = stages[at];
    const { before, largest } = values[at + 1];
    if (stage.kind === "skip") {
      ({ back: R, beside } = skipRelevance(stage, theta, values, R, rows, epsilon));
      continue;
    }
    if (stage.kind === "dropout" || stage.kind === "flatten") continue;
    if (stage.kind === "max-pool") {
      R = stageBack(stage, theta, R, rows, largest);
      continue;
    }
    const perSum = zerosLike(R, R.length);
    for (let u = 0; u < R.length; u++) perSum[u] = R[u] / stabilised(before[u], epsilon);
    const input = values[at].output;
    R = stageBack(stage, theta, perSum, rows, largest);
    for (let j = 0; j < R.length; j++) R[j] *= input[j];
  }
  if (beside) for (let e = 0; e < R.length; e++) R[e] += beside[e];
  return R;
}

/** Units that are inputs keep their relevance; combinations of inputs hand it on by the rule. */
function skipRelevance<Values extends FloatArray>(
  stage: SkipStage,
  theta: Values,
  values: readonly LayerValues<Values>[],
  R: Values,
  rows: number,
  epsilon: number,
): { readonly back: Values; readonly beside: Values } {
  if (stage.weights < 0) return skipBack(stage, theta, R, rows);
  const { inputs, units } = stage;
  const sums = values[values.length - 1].output;
  const perSum = zerosLike(R, R.length);
  for (let u = 0; u < R.length; u++)
    perSum[u] = u % units < inputs ? R[u] : R[u] / stabilised(sums[u], epsilon);
  const { back, beside } = skipBack(stage, theta, perSum, rows);
  for (let e = 0; e < beside.length; e++) beside[e] *= values[0].output[e];
  return { back, beside };
}

/** z + ε·sign z, away from 0; a sum of exactly 0 has nothing to hand on when ε is 0. */
export function stabilised(z: number, epsilon: number): number {
  const moved = z + (z >= 0 ? epsilon : -epsilon);
  return moved === 0 ? Number.POSITIVE_INFINITY : moved;
}
