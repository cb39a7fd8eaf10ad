import type { Table } from "../data/index.ts";
import { needTable } from "../data/table.ts";
import { RatewiseError, refuseUnknown } from "../errors.ts";
import { contentHash } from "../parallel/index.ts";
import { keyFromSeed } from "../random/index.ts";
import { mention, say } from "../words/words.ts";
import { answerTable } from "./answer/answer.ts";
import type { RankingBasis } from "./answer/rank-again.ts";
import type { ExplainDocument } from "./document/explain-document.ts";
import { writeDocument } from "./document/write.ts";
import { fit } from "./fit/fit.ts";
import { type Model, modelOf } from "./fit/model.ts";
import {
  checkExplainOptions,
  checkTarget,
  type ExplainOptions,
  explainOptions,
} from "./options.ts";
import { checkSplit } from "./prepare/choose-rows.ts";
import { prepare } from "./prepare/prepare.ts";
import type { Prepared } from "./prepare/prepared.ts";

export interface Explained {
  readonly document: ExplainDocument;
  readonly model: Model;
  /** What the ranking by RATE was made from, to rank again under other assumptions. */
  readonly ranking: RankingBasis;
  /** The table as the model saw it, for other methods to be asked about the same. */
  readonly prepared: Prepared;
}

/**
 * From a table to an answer: splits, trains, projects, ranks, and says how good the model is.
 *
 * @example
 * ```js
 * import { explain, ranked } from "@ratewise/core";
 * import { readTable } from "@ratewise/files";
 *
 * const { document, model } = await explain(await readTable("flats.csv"), { target: "price", seed: 1 });
 * console.log(document.model.heldOut.metric, model.kind); // → r2 ratewise-model
 * console.log(ranked({ document })[0].name); // → area
 * ```
 */
export async function explain(source: Table, options: ExplainOptions): Promise<Explained> {
  needTable("explain", source);
  refuseUnknown("explain", options, explainOptions);
  checkTarget("explain", options);
  checkExplainOptions("explain", options);
  checkTogether(options);
  const settings = settingsOf(options);
  const fitted = await fit(prepare(source, settings), settings);
  const { prepared } = fitted;
  const { source: rows } = prepared;
  const answer = await answerTable(prepared, fitted, { ...settings, source: rows });
  const document = writeDocument(prepared, fitted, answer, {
    recipe: settings.model === "gp" ? null : settings.recipe,
    model: {
      ...fitted.about,
      heldOut: fitted.heldOut,
      rows: { train: fitted.rows, test: fitted.unseen.y.length },
      split: prepared.split,
    },
    seed: settings.seed,
    options: recordOf(settings, fitted.direct.form),
    dataHash: contentHash(rows === source ? source : { source, test: options.test }),
  });
  const ranking = { effects: fitted.rate.effects, variables: prepared.variables };
  return { document, model: modelOf(prepared, fitted.parts), ranking, prepared };
}

/** Refuses options that exclude one another. */
function checkTogether(options: ExplainOptions): void {
  checkSplit(options, options.ensemble);
  if (options.folds !== undefined && options.model === "gp")
    throw new RatewiseError("domain", {
      in: "explain",
      what: say`needs a network for ${mention("folds")}, got a Gaussian process`,
      advice: say`use ${mention("testFraction")}`,
    });
}

/** The options with their defaults. */
function settingsOf(options: ExplainOptions) {
  const { seed = 1, hidden = null, ensemble = 1 } = options;
  const { recipe = "standard", posterior = "variational", model = "network" } = options;
  const { kernel = "rbf" } = options;
  const key = keyFromSeed(seed);
  return { ...options, recipe, posterior, model, kernel, seed, hidden, ensemble, key };
}

function recordOf(
  {
    model,
    recipe,
    hidden,
    ensemble,
    posterior,
    targetScale,
    record,
  }: ReturnType<typeof settingsOf>,
  directForm: string,
): Readonly<Record<string, unknown>> {
  const scale = targetScale && { targetScale };
  const asked = model === "gp" ? { model } : { recipe, hidden, ensemble, posterior, ...scale };
  return { ...asked, directForm, ...record };
}
