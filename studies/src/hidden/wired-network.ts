import { type Key, type RunOptions, rate } from "@ratewise/core";
import { residualNoiseVariance } from "@ratewise/core/effects";
import { rateHiddenUnits } from "@ratewise/core/explain";
import { fit, forward, type Network, type Recipe, type Rows } from "@ratewise/core/network";
import type { Gene } from "../mice/genes.ts";
import { networkAlone } from "../network-alone.ts";
import { outputEffects } from "../output-effects.ts";
import type { Wiring } from "./wiring.ts";

const CHANGES: Partial<Recipe> = { penalties: [1.5, 2, 3], patience: 6 };

/** A network whose first layer is the genes and whose second the sets: every unit hears only what belongs to it. */
export async function trainWired(
  X: Rows,
  y: Float64Array,
  { sets, snpToGene, geneToSet }: Wiring,
  genes: number,
  { key, epochs, ...run }: RunOptions & { readonly key: Key; readonly epochs: number },
): Promise<Network> {
  // Rectified units die: the one of all genes in no set did, and took most genes along.
  const layer = { kind: "masked-dense", activation: "tanh" } as const;
  const { network } = await fit(X, y, {
    ...{ ...run, key, recipe: "standard", changes: { ...networkAlone, ...CHANGES, epochs } },
    architecture: {
      inputs: X.cols,
      layers: [
        { ...layer, units: genes, connectivity: snpToGene },
        { ...layer, units: sets.length, connectivity: geneToSet },
      ],
      link: "identity",
    },
  });
  return network;
}

/** RATE of everything that has a name, as shares. */
export interface Levels {
  /** Of the units of the first layer, as if they were the variables. */
  readonly genes: Float64Array;
  /** Of the units of the second. */
  readonly sets: Float64Array;
  /** groupRATE of the genes' SNPs by the same network, the paper's way. */
  readonly groups: Float64Array;
}

export function rateLevels(
  network: Network,
  X: Rows,
  y: Float64Array,
  genes: readonly Gene[],
): Levels {
  const [ofGenes, ofSets] = [0, 1].map(
    (layer) => rateHiddenUnits(network, X, y, { layer })[0].variables.rate,
  );
  const { hidden, mean } = forward(network, X);
  const effects = outputEffects(network, X, hidden, residualNoiseVariance(y, mean.data));
  return { genes: ofGenes, sets: ofSets, groups: rate(effects, { groups: genes }).groups!.rate };
}
