import { contentHash } from "../parallel/index.ts";
import { answerNetwork } from "./answer/answer.ts";
import type { RankingBasis } from "./answer/rank-again.ts";
import type { TrainedNetworkDocument } from "./document/explain-document.ts";
import { writeDocument } from "./document/write.ts";
import { fitHidden, type HiddenLayer, ownPredictions } from "./fit/by-hidden.ts";
import { heldOutScore } from "./fit/held-out.ts";
import { modelScores } from "./fit/model-scores.ts";
import { type HiddenRows, prepareHidden } from "./prepare/hidden-rows.ts";

/** A trained network as seen from its last hidden layer. */
export interface ExplainHiddenOptions extends HiddenRows, HiddenLayer {
  /** More about the network, for the document. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly record: Readonly<Record<string, unknown>>;
  readonly seed: number;
  /** Called with what RATE was computed from, for {@link rankAgain}. */
  readonly onRanking?: (basis: RankingBasis) => void;
}

/**
 * The explanation of a network that is already trained, from its last hidden layer: effect sizes of the refitted last
 * layer's Gaussian weights on the rows given, their RATE, and the gradient's where there are derivatives.
 */
export async function explainHidden(
  options: ExplainHiddenOptions,
): Promise<TrainedNetworkDocument> {
  const { X, hidden, refit, names, response } = options;
  const { link, outputs } = refit.posterior;
  const asked = prepareHidden(options, link, outputs.length);
  const fitted = await fitHidden(asked, options);
  options.onRanking?.({ effects: fitted.rate.effects, variables: asked.variables });
  const own = response && ownPredictions(options, asked, response.values);
  // Of the response itself nothing is explained by its mean, whatever the rounding.
  const score = own && { ...heldOutScore(own), ...(asked.classes === null && { baseline: 0 }) };
  const answer = answerNetwork(asked, fitted, own && modelScores(own, asked.classes));
  const { around, priorPrecision, priorFrom, noiseVariance, bias } = refit;
  return writeDocument(asked, fitted, answer, {
    recipe: null,
    model: {
      kind: "onnx",
      posterior: "laplace",
      kernel: null,
      inputs: X.cols,
      layers: [hidden.cols],
      ensemble: 1,
      penalty: [],
      epochs: [],
      heldOut: null,
      score,
      refit: { around, priorPrecision, priorFrom, noiseVariance, bias },
      rows: { train: X.rows, test: 0 },
      ...options.about,
    } satisfies TrainedNetworkDocument["model"],
    seed: options.seed,
    options: { directForm: fitted.direct?.form ?? null, ...options.record },
    dataHash: contentHash({ X, names, response: response?.values ?? null }),
  });
}
