import type { Design } from "../../data/design.ts";
import type { Network } from "../../network/index.ts";
import { jacobianBlocks } from "../../network/jacobian.ts";
import type { Group } from "../../rate/index.ts";
import { drive, type RunOptions } from "../../run.ts";
import { type Direct, directFromBlocks } from "./direct-from-blocks.ts";
import { type EnsemblePosterior, variationalPosterior } from "./ensemble.ts";
import { linearUnits } from "./group-weights.ts";

export interface DirectOptions extends RunOptions {
  readonly noiseVariance: number;
  /** Columns of each variable, then those of each group asked for. */
  readonly groups: readonly Group[];
  /** Of the output weights; default the networks' own. */
  readonly posterior?: EnsemblePosterior;
}

/** Does an ensemble's average use the variable? See {@link directFromBlocks}. */
export function directImportance(
  networks: readonly Network[],
  X: Design,
  options: DirectOptions,
): Promise<Direct> {
  const { posterior = variationalPosterior(networks), noiseVariance, groups } = options;
  const { link, classes } = networks[0].architecture;
  const outputs = link === "softmax" ? classes! : 1;
  const weights = Array.from({ length: outputs }, (_, c) => posterior.weights(c));
  const steps = directFromBlocks(jacobianBlocks(networks, X), X, {
    weights,
    noiseVariance,
    groups,
    linear: linearUnits(networks),
  });
  return drive(steps, options);
}
