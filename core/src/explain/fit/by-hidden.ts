import {
  type JacobianBlock,
  logisticNoiseVariance,
  softmaxNoiseVariance,
} from "../../effects/index.ts";
import { exp, sigmoid } from "../../elementary/index.ts";
import { logSumExp } from "../../elementary/log-sum-exp.ts";
import { shapeError } from "../../errors.ts";
import type { Matrix } from "../../linalg/index.ts";
import { type LastLayerRefit, laplaceContrast } from "../../posterior/index.ts";
import { drive, type RunOptions } from "../../run.ts";
import type { Asked } from "../prepare/prepared.ts";
import { classPairs } from "./class-pairs.ts";
import { rateOfHidden } from "./column-rates.ts";
import { type Direct, directFromBlocks } from "./direct-from-blocks.ts";
import type { Fitted } from "./fitted-model.ts";
import type { ModelPrediction } from "./model.ts";
import { naivePredictions, type Unseen } from "./unseen.ts";

/** A trained network as seen from its last hidden layer. */
export interface HiddenLayer extends RunOptions {
  /** The last hidden layer on the rows asked about, n×l. */
  readonly hidden: Matrix;
  /** The network's own f on those rows, n×outputs. */
  readonly functions: Matrix;
  readonly refit: LastLayerRefit;
  /** Derivatives of the hidden layer at all rows; or scores of the columns and groups; null where there are none. */
  readonly derivatives:
    | { readonly blocks: Iterable<JacobianBlock> }
    | { readonly direct: Direct }
    | null;
}

/** Scores the columns by the Gaussian weights of a last layer that was refitted, on all rows. */
export async function fitHidden(
  asked: Asked,
  { hidden, functions, refit, derivatives, ...run }: HiddenLayer,
): Promise<Fitted> {
  const { train, columnNames } = asked;
  const { X } = train;
  if (hidden.rows !== X.rows || functions.rows !== X.rows)
    throw shapeError(
      "explainHidden",
      `hidden values of ${X.rows} rows`,
      `${hidden.rows} and ${functions.rows}`,
    );
  const { posterior } = refit;
  const { link, outputs: weights } = posterior;
  const noiseVariance =
    refit.noiseVariance ?? (link === "logistic" ? logisticNoiseVariance : softmaxNoiseVariance);
  const groups = [...asked.variables, ...asked.groups];
  const { pairs, diagnostics } = classPairs(weights.length);
  const rate = rateOfHidden(X, hidden, {
    columnNames,
    groups,
    fitted: functions.data,
    noiseVariance,
    weights,
    contrasts: pairs,
    contrast: (a, b) => laplaceContrast(posterior, hidden, a, b),
  });
  const direct =
    derivatives && "blocks" in derivatives
      ? await drive(
          directFromBlocks(derivatives.blocks, X, { weights, noiseVariance, groups }),
          run,
        )
      : (derivatives?.direct ?? null);
  return { rate, direct, diagnostics: [...refit.diagnostics, ...diagnostics] };
}

/** The network as it is against the response, beside what the response alone would say of itself. */
export function ownPredictions(
  { functions, refit }: Pick<HiddenLayer, "functions" | "refit">,
  { classes }: Asked,
  y: Float64Array,
): Unseen {
  const { link } = refit.posterior;
  const rows = Uint32Array.from(y, (_, i) => i);
  const prediction: ModelPrediction =
    link === "identity"
      ? { mean: functions.data, sd: null, probabilities: null }
      : { mean: null, sd: null, probabilities: probabilitiesOf(functions) };
  return { rows, y, prediction, naive: naivePredictions({ y }, classes?.length ?? 0, y.length) };
}

/** Of two classes there is one logit. */
function probabilitiesOf({ data, rows, cols }: Matrix): Float64Array {
  if (cols === 1)
    return Float64Array.from({ length: 2 * rows }, (_, e) =>
      sigmoid(e % 2 === 1 ? data[e >> 1] : -data[e >> 1]),
    );
  const out = new Float64Array(rows * cols);
  for (let i = 0; i < rows; i++) {
    const row = data.subarray(i * cols, (i + 1) * cols);
    const total = logSumExp(row);
    for (let c = 0; c < cols; c++) out[i * cols + c] = exp(row[c] - total);
  }
  return out;
}
