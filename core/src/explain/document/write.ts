import { engine } from "../../compute/index.ts";
import { version } from "../../version.ts";
import type { Answer } from "../answer/answer.ts";
import type { Fitted } from "../fit/fitted-model.ts";
import type { Asked } from "../prepare/prepared.ts";
import type { Explanation } from "./explain-document.ts";
import { type RunRecord, schemaVersion } from "./result.ts";

/** What depends on where the model comes from. */
interface OwnFields {
  readonly recipe: unknown;
  readonly model: unknown;
}

/** An answer as plain data, with all that it takes to make it again. */
export function writeDocument<A extends Asked, N extends Answer, Own extends OwnFields>(
  asked: A,
  fitted: Fitted,
  answer: N,
  { recipe, model, seed, options, dataHash }: Own & Omit<RunRecord, "engine">,
): Explanation &
  Pick<A, "target"> &
  Pick<N, "scores" | "calibration" | "predictions" | "shapes"> &
  Pick<Own, keyof OwnFields> {
  return {
    kind: "explain",
    schema: schemaVersion,
    task: asked.task,
    target: asked.target,
    recipe,
    effect: "covariance",
    model,
    scores: answer.scores,
    calibration: answer.calibration,
    predictions: answer.predictions,
    ...answer.importance,
    shapes: answer.shapes,
    posteriorRank: fitted.rate.results[0].posteriorRank,
    diagnostics: answer.diagnostics,
    excluded: asked.excluded,
    seed,
    engine: engine().name,
    version,
    options,
    dataHash,
  };
}
