import { selectDesignRows } from "../../data/design.ts";
import type { Architecture, RecipeName } from "../../network/index.ts";
import { layersOf } from "../../network/network.ts";
import { recipe as recipeNamed } from "../../network/recipe.ts";
import { meanOneWeights } from "../../network/row-weights.ts";
import { fold, type Key } from "../../random/index.ts";
import type { RunOptions } from "../../run.ts";
import type { Prepared } from "../prepare/prepared.ts";
import type { TaskCache } from "./cached-tasks.ts";
import { choiceText } from "./choice-text.ts";
import { classPairs } from "./class-pairs.ts";
import { rateOfNetworks } from "./column-rates.ts";
import { directImportance } from "./direct.ts";
import { type EnsemblePosterior, stackWeights, variationalPosterior } from "./ensemble.ts";
import { fitEnsemble, otherRows } from "./fit-member.ts";
import type { FittedModel } from "./fitted-model.ts";
import { heldOutScore } from "./held-out.ts";
import { modelScores } from "./model-scores.ts";
import { type PosteriorName, type RefittedOutput, refitOutput } from "./refit-output.ts";
import { sizesToTry } from "./sizes.ts";
import { unseenRows } from "./unseen.ts";

export interface NetworksOptions extends RunOptions {
  readonly key: Key;
  readonly recipe: RecipeName;
  /** Units of the hidden layers; null for as many as held-back rows say. */
  readonly hidden: readonly number[] | null;
  readonly ensemble: number;
  readonly posterior: PosteriorName;
  readonly workers?: number;
  readonly cache?: TaskCache;
}

/** Trains an ensemble, fits its output layers anew where asked, and scores the columns by it. */
export async function fitNetworks(
  prepared: Prepared,
  options: NetworksOptions,
): Promise<FittedModel> {
  const { key, recipe, hidden, ensemble, posterior, signal, onProgress } = options;
  const { variables, columnNames } = prepared;
  const { X, y, weights } = prepared.train;
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const members = await fitEnsemble(X, y, {
    ...run,
    ...(options.workers !== undefined && { workers: options.workers }),
    ...(options.cache && { cache: options.cache }),
    key: fold(key, "network"),
    architectures: sizesToTry(recipe, hidden).map((units) => architectureFor(prepared, units)),
    linearAlone: hidden === null,
    recipe,
    penaltyGroups: variables.map((variable) => variable.members),
    members: prepared.folds?.length ?? ensemble,
    ...(weights && { weights }),
    ...(prepared.structure.train && { structure: prepared.structure.train }),
    ...(prepared.folds && { folds: prepared.folds }),
  });
  const trained = members.map(({ network }) => network);
  const refitted: RefittedOutput[] = [];
  if (posterior !== "variational")
    for (const [k, network] of trained.entries()) {
      const own = rowsSeen(prepared, k);
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
  const groups = [...variables, ...prepared.groups];
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
    ...(refitted.length > 0 && { outputWeights: refitted.map(({ outputs }) => outputs) }),
  };
  const unseen = unseenRows(parts, prepared);
  return {
    rate,
    direct,
    parts,
    unseen,
    heldOut: heldOutScore(unseen),
    scores: modelScores(unseen, prepared.classes),
    about: {
      kind: "network",
      posterior,
      kernel: null,
      inputs: X.cols,
      layers: layersOf(networks[0]),
      form: members[0].tried.findLast(({ taken }) => taken)?.form ?? "network",
      tried: members[0].tried,
      choice: choiceText(members[0].tried),
      ensemble: networks.length,
      penalty: members.map(({ penalty }) => penalty),
      epochs: members.map(({ history }) => history.length),
    },
    rows: X.rows,
    diagnostics: [...(refitted[0]?.diagnostics ?? []), ...pairs.diagnostics],
  };
}

/** The training rows, without those of the member's fold. */
function rowsSeen({ train, folds }: Prepared, k: number): Prepared["train"] {
  if (!folds) return train;
  const { X, y, weights } = train;
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
