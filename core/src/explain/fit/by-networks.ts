import type { Architecture, RecipeName, TargetScaleName } from "../../network/index.ts";
import { layoutOf } from "../../network/layout.ts";
import { layersOf } from "../../network/network.ts";
import { recipe as recipeNamed } from "../../network/recipe.ts";
import { fold, type Key } from "../../random/index.ts";
import type { RunOptions } from "../../run.ts";
import { withExpandedColumns } from "../prepare/expand.ts";
import type { Prepared } from "../prepare/prepared.ts";
import type { TaskCache } from "./cached-tasks.ts";
import { classPairs } from "./class-pairs.ts";
import { rateOfNetworks } from "./column-rates.ts";
import { directImportance } from "./direct.ts";
import { type EnsemblePosterior, stackWeights, variationalPosterior } from "./ensemble.ts";
import { expansionNotes, explainedExpansions, numberColumns } from "./expansions.ts";
import { fitEnsemble } from "./fit-member.ts";
import type { FittedModel } from "./fitted-model.ts";
import { heldOutScore } from "./held-out.ts";
import { networkResponse } from "./network-response.ts";
import { type PosteriorName, type RefittedOutput, refitOutput } from "./refit-output.ts";
import { sizesToTry } from "./sizes.ts";
import { explainedScale, scaleNotes, scaleOfMembers } from "./target-scale.ts";

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
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const members = await fitEnsemble(prepared.train.X, prepared.train.y, {
    ...run,
    ...(options.workers !== undefined && { workers: options.workers }),
    ...(options.cache && { cache: options.cache }),
    key: fold(key, "network"),
    architectures: sizesToTry(recipe, hidden).map((units) => architectureFor(prepared, units)),
    recipe,
    penaltyGroups: prepared.variables.map((variable) => variable.members),
    ...(recipe === "standard" && { mayExpand: numberColumns(prepared) }),
    targetScale: options.targetScale ?? (recipe === "standard" ? "auto" : "as-is"),
    members: ensemble,
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
      const settings = { posterior, recipe: recipeNamed(recipe), key: fold(key, "posterior", k) };
      refitted.push(await refitOutput(network, X, y, { ...run, ...settings }));
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
  return {
    rate,
    direct,
    parts,
    prepared: used,
    heldOut: heldOutScore(parts, used),
    about: {
      kind: "network",
      posterior,
      kernel: null,
      inputs: X.cols,
      layers: layersOf(networks[0]),
      linear: layoutOf(networks[0].architecture).linear > 0,
      tried: members[0].tried,
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
