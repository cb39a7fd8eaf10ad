import type { Table } from "../data/index.ts";
import { needTable } from "../data/table.ts";
import { refuseUnknown } from "../errors.ts";
import { contentHash } from "../parallel/index.ts";
import { keyFromSeed } from "../random/index.ts";
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

/** From a table to an answer: splits, trains, projects, ranks, and says how good the model is. */
export async function explain(source: Table, options: ExplainOptions): Promise<Explained> {
  needTable("explain", source);
  refuseUnknown("explain", options, explainOptions);
  checkTarget("explain", options);
  checkExplainOptions("explain", options);
  const settings = settingsOf(options);
  const prepared = prepare(source, settings);
  const fitted = await fit(prepared, settings);
  const answer = await answerTable(prepared, fitted, { ...settings, source });
  const document = writeDocument(prepared, fitted, answer, {
    recipe: settings.model === "gp" ? null : settings.recipe,
    model: {
      ...fitted.about,
      heldOut: fitted.heldOut,
      rows: { train: fitted.rows, test: prepared.test.X.rows },
    },
    seed: settings.seed,
    options: recordOf(settings, fitted.direct.form),
    dataHash: contentHash(source),
  });
  const ranking = { effects: fitted.rate.effects, variables: prepared.variables };
  return { document, model: modelOf(prepared, fitted.parts), ranking, prepared };
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
  { model, recipe, hidden, ensemble, posterior, record }: ReturnType<typeof settingsOf>,
  directForm: string,
): Readonly<Record<string, unknown>> {
  const asked = model === "gp" ? { model } : { recipe, hidden, ensemble, posterior };
  return { ...asked, directForm, ...record };
}
