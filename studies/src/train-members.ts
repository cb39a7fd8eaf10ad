import { fold, type Key, type Matrix, type RunOptions } from "@ratewise/core";
import { sizesToTry } from "@ratewise/core/explain";
import {
  type Architecture,
  type FitResult,
  fit,
  type Network,
  type RecipeName,
} from "@ratewise/core/network";

export interface MemberOptions {
  readonly key: Key;
  readonly link: "identity" | "logistic";
  readonly recipe: RecipeName;
  /** Networks in the ensemble; the first is "one network". */
  readonly members: number;
}

export interface TrainedMembers {
  readonly fits: readonly FitResult[];
  readonly one: readonly Network[];
  readonly all: readonly Network[];
}

/**
 * The networks of a cell, trained as explain does: each chooses its size, one network is trained again with the rows
 * held back, members of an ensemble are not.
 */
export async function trainMembers(
  X: Matrix,
  y: Float64Array,
  { key, link, recipe, members }: MemberOptions,
  run: RunOptions,
): Promise<TrainedMembers> {
  const [architecture, ...larger] = sizesToTry(recipe, null).map(
    (sizes): Architecture => ({
      inputs: X.cols,
      layers: sizes.map((units) => ({ kind: "dense", units, activation: "relu" })),
      link,
    }),
  );
  const fits: FitResult[] = [];
  for (let k = 0; k < members; k++) {
    const changes = k > 0 ? { trainAgain: false } : {};
    const options = { ...run, key: fold(key, "network", k), architecture, larger, recipe, changes };
    fits.push(await fit(X, y, options));
  }
  const one = [fits[0].network];
  return { fits, one, all: members > 1 ? fits.map(({ pathNetwork }) => pathNetwork) : one };
}
