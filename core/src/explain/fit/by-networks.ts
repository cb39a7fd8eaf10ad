import { selectDesignRows } from "../../data/design.ts";
import type { Architecture, RecipeName, TargetScaleName } from "../../network/index.ts";
import { layersOf } from "../../network/network.ts";
import { recipe as recipeNamed } from "../../network/recipe.ts";
import { meanOneWeights } from "../../network/row-weights.ts";
import { fold, type Key } from "../../random/index.ts";
import type { RunOptions } from "../../run.ts";
import { withExpandedColumns } from "../prepare/expand.ts";
import type { Prepared } from "../prepare/prepared.ts";
import type { TaskCache } from "./cached-tasks.ts";
import { choiceText } from "./choice-text.ts";
import { classPairs } from "./class-pairs.ts";
import { rateOfNetworks } from "./column-rates.ts";
import { directImportance } from "./direct.ts";
import { type EnsemblePosterior, stackWeights, variationalPosterior } from "./ensemble.ts";
import { expansionNotes, explainedExpansions, numberColumns } from "./expansions.ts";
import { type FitEnsembleOptions, fitEnsemble, otherRows } from "./fit-member.ts";
import type { FittedModel } from "./fitted-model.ts";
import { heldOutScore } from "./held-out.ts";
import { modelScores } from "./model-scores.ts";
import { networkResponse } from "./network-response.ts";
import { type PosteriorName, type RefittedOutput, refitOutput } from "./refit-output.ts";
import { sizesToTry } from "./sizes.ts";
import { explainedScale, scaleNotes, scaleOfMembers } from "./target-scale.ts";
import { unseenRows } from "./unseen.ts";

export interface NetworksOptions extends RunOptions {
  readonly key: Key;
  readonly recipe: RecipeName;
  /** Units of the hidden layers; null for as many as held-back rows say. */
  readonly hidden: readonly number[] | null;
  readonly ensemble: number;
  readonly posterior: PosteriorName;
  /** Default `auto`, and `as-is` for the recipe of the paper. */
  readonly targetScale?: TargetScaleName;
  readonly workers?: number;
  readonly cache?: TaskCache;
}

/** Trains an ensemble, fits its output layers anew where asked, and scores the columns by it. */
export async function fitNetworks(
  prepared: Prepared,
  options: NetworksOptions,
): Promise<FittedModel> {
  const { key, recipe, hidden, ensemble, posterior, signal, onProgress } = options;
  const { weights } = prepared.train;
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const members = await fitEnsemble(prepared.train.X, prepared.train.y, {
    ...run,
    ...(options.workers !== undefined && { workers: options.workers }),
    ...(options.cache && { cache: options.cache }),
    key: fold(key, "network"),
    architectures: sizesToTry(recipe, hidden).map((units) => architectureFor(prepared, units)),
    linearAlone: hidden === null,
    recipe,
    penaltyGroups: prepared.variables.map((variable) => variable.members),
    ...choicesFor(prepared, options),
    members: prepared.folds?.length ?? ensemble,
    ...(weights && { weights }),
    ...(prepared.structure.train && { structure: prepared.structure.train }),
    ...(prepared.folds && { folds: prepared.folds }),
  });
  const targetScale = scaleOfMembers(members);
  const used = {
    ...withExpandedColumns(prepared, members[0].expansions),
    ...(targetScale && { targetScale }),
  };
  const { variables, columnNames } = used;
  const { X } = used.train;
  const y = networkResponse(used);
  const trained = members.map(({ network }) => network);
  const refitted: RefittedOutput[] = [];
  if (posterior !== "variational")
    for (const [k, network] of trained.entries()) {
      const own = rowsSeen(used, k);
      const settings = {
        posterior,
        recipe: recipeNamed(recipe),
        key: fold(key, "posterior", k),
        weights: meanOneWeights("fit", own.weights ?? undefined, own.X.rows),
      };
      refitted.push(await refitOutput(network, own.X, own.y, { ...run, ...settings }));
    }
  const networks = refitted.length > 0 ? refitted.map(({ network }) => network) : trained;
  const distribution =
    refitted.length > 0 ? refittedPosterior(refitted) : variationalPosterior(networks);
  const groups = [...variables, ...used.groups];
  const pairs = classPairs(networks[0].architecture.classes ?? 1);
  const rate = rateOfNetworks(networks, X, y, {
    columnNames,
    groups,
    posterior: distribution,
    contrasts: pairs.pairs,
  });
  const { noiseVariance } = rate;
  const direct = await directImportance(networks, X, {
    ...run,
    noiseVariance,
    groups,
    posterior: distribution,
  });
  const parts = {
    networks,
    ...(targetScale && { targetScale }),
    ...(refitted.length > 0 && { outputWeights: refitted.map(({ outputs }) => outputs) }),
  };
  const unseen = unseenRows(
    parts,
    used,
    members.map(({ logScale }) => logScale),
  );
  return {
    rate,
    direct,
    parts,
    prepared: used,
    unseen,
    heldOut: heldOutScore(unseen),
    scores: modelScores(unseen, used.classes),
    about: {
      kind: "network",
      posterior,
      kernel: null,
      inputs: X.cols,
      layers: layersOf(networks[0]),
      form: members[0].tried.findLast(({ taken }) => taken)?.form ?? "network",
      tried: members[0].tried,
      choice: choiceText(members[0].tried, members[0].scales),
      targetScale: explainedScale(targetScale, members[0].scales),
      expansions: explainedExpansions(used.encoding, members[0].expansions),
      ensemble: networks.length,
      penalty: members.map(({ penalty }) => penalty),
      epochs: members.map(({ history }) => history.length),
    },
    rows: X.rows,
    diagnostics: [
      ...scaleNotes(used.target, targetScale, members[0].scales),
      ...expansionNotes(used.encoding),
      ...(refitted[0]?.diagnostics ?? []),
      ...pairs.diagnostics,
    ],
  };
}

/**
 * What held-back rows may choose for all members. The networks of folds share their columns and their scale, and each row is tested:
 * whatever rows had chosen for all, some network would be tested on them. So nothing is chosen then.
 */
function choicesFor(
  prepared: Prepared,
  { recipe, targetScale }: NetworksOptions,
): Pick<FitEnsembleOptions, "mayExpand" | "targetScale"> {
  if (recipe !== "standard") return { targetScale: targetScale ?? "as-is" };
  if (prepared.folds) return { targetScale: targetScale === "log" ? "log" : "as-is" };
  return { mayExpand: numberColumns(prepared), targetScale: targetScale ?? "auto" };
}

/** The training rows with their responses as the network learns them, without those of the member's fold. */
function rowsSeen(prepared: Prepared, k: number): Prepared["train"] {
  const { train, folds } = prepared;
  const y = networkResponse(prepared);
  if (!folds) return { ...train, y };
  const { X, weights } = train;
  const rows = otherRows(X.rows, folds[k]);
  return {
    X: selectDesignRows(X, rows),
    y: Float64Array.from(rows, (row) => y[row]),
    weights: weights && Float64Array.from(rows, (row) => weights[row]),
  };
}

/** All members' weights side by side; they were fitted apart and are independent. */
function refittedPosterior(members: readonly RefittedOutput[]): EnsemblePosterior {
  return {
    weights: (output) => stackWeights(members.map(({ outputs }) => outputs[output])),
    contrast: (a, b) => stackWeights(members.map(({ contrast }) => contrast(a, b))),
  };
}

function architectureFor({ classes, encoding }: Prepared, hidden: readonly number[]): Architecture {
  const shape = {
    inputs: encoding.width,
    layers: hidden.map((units) => ({ kind: "dense" as const, units, activation: "relu" as const })),
  };
  if (!classes) return { ...shape, link: "identity" };
  if (classes.length === 2) return { ...shape, link: "logistic" };
  return { ...shape, link: "softmax", classes: classes.length };
}
