import {
  type JacobianBlock,
  logisticNoiseVariance,
  softmaxNoiseVariance,
} from "../../effects/index.ts";
import { shapeError } from "../../errors.ts";
import { accuracy, rSquared } from "../../evaluate/index.ts";
import type { Matrix } from "../../linalg/index.ts";
import { type LastLayerRefit, laplaceContrast } from "../../posterior/index.ts";
import { drive, type RunOptions } from "../../run.ts";
import type { Asked } from "../prepare/prepared.ts";
import { classPairs } from "./class-pairs.ts";
import { rateOfHidden } from "./column-rates.ts";
import { type Direct, directFromBlocks } from "./direct-from-blocks.ts";
import type { Fitted } from "./fitted-model.ts";
import type { HeldOut } from "./held-out.ts";

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

/** The network as it is against the response: R², or the share of classes that are right. */
export function ownScore(
  { functions, refit }: Pick<HiddenLayer, "functions" | "refit">,
  { classes }: Asked,
  y: Float64Array,
): HeldOut {
  const { link } = refit.posterior;
  if (link === "identity") return { metric: "r2", score: rSquared(functions.data, y), baseline: 0 };
  const C = functions.cols;
  const named = Float64Array.from(y, (_, i) => {
    if (link === "logistic") return functions.data[i] > 0 ? 1 : 0;
    const row = functions.data.subarray(i * C, (i + 1) * C);
    return row.indexOf(Math.max(...row));
  });
  const counts = new Float64Array(classes!.length);
  for (const label of y) counts[label]++;
  return {
    metric: "accuracy",
    score: accuracy(named, y),
    baseline: Math.max(...counts) / y.length,
  };
}
