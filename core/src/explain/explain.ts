import type { Table } from "../data/index.ts";
import { RatewiseError } from "../errors.ts";
import type { RecipeName } from "../network/index.ts";
import { contentHash } from "../parallel/index.ts";
import type { Kernel } from "../posterior/index.ts";
import { keyFromSeed } from "../random/index.ts";
import type { RunOptions } from "../run.ts";
import { answerTable } from "./answer/answer.ts";
import type { RankingBasis } from "./answer/rank-again.ts";
import type { ExplainDocument } from "./document/explain-document.ts";
import { writeDocument } from "./document/write.ts";
import type { TaskCache } from "./fit/cached-tasks.ts";
import { fit } from "./fit/fit.ts";
import { type Model, modelOf } from "./fit/model.ts";
import type { PosteriorName } from "./fit/refit-output.ts";
import { type PrepareOptions, prepare } from "./prepare/prepare.ts";
import type { Prepared } from "./prepare/prepared.ts";
import type { SelectionOptions } from "./selection/fields.ts";

/** What `explain` is asked: the target, which rows and columns take part, how to train, and what to test. Only `target` is required. */
export interface ExplainOptions extends Omit<PrepareOptions, "key">, RunOptions, SelectionOptions {
  /** Default 1. */
  readonly seed?: number;
  /** `standard` (default) shrinks inputs that do not help; `paper` trains as the paper did. */
  readonly recipe?: RecipeName;
  /** Units of the hidden layers; default as many as rows held back from training say, from none to 128, 64. */
  readonly hidden?: readonly number[];
  /** Networks to train and average, default 1. */
  readonly ensemble?: number;
  /** Where the uncertainty of the output weights comes from, default `variational`: training. */
  readonly posterior?: PosteriorName;
  /** Of the Gaussian process, default `rbf`. */
  readonly kernel?: Kernel["kind"];
  /** Worker threads for the ensemble; the result does not depend on them. */
  readonly workers?: number;
  /** Trained networks are looked for here before training, and put here after it: a run that was stopped goes on. */
  readonly cache?: TaskCache;
  /** What to record as options: the command's own words, for one. */
  readonly record?: Readonly<Record<string, unknown>>;
}

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
  checkOptions(hidden, ensemble);
  return {
    recipe: "standard" as const,
    posterior: "variational" as const,
    model: "network" as const,
    kernel: "rbf" as const,
    ...options,
    seed,
    hidden,
    ensemble,
    key: keyFromSeed(seed),
  };
}

function recordOf(
  { model, recipe, hidden, ensemble, posterior, record }: ReturnType<typeof settingsOf>,
  directForm: string,
): Readonly<Record<string, unknown>> {
  const asked = model === "gp" ? { model } : { recipe, hidden, ensemble, posterior };
  return { ...asked, directForm, ...record };
}

function checkOptions(hidden: readonly number[] | null, ensemble: number): void {
  if (hidden?.length === 0 || hidden?.some((units) => !(Number.isInteger(units) && units > 0)))
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs hidden layers of at least 1 unit, got ${hidden}`,
    });
  if (!(Number.isInteger(ensemble) && ensemble > 0))
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs an ensemble of at least 1, got ${ensemble}`,
    });
}
