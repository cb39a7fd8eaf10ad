import type { Gene } from "../mice/genes.ts";
import { NO_SET, type Wiring } from "./wiring.ts";

/** How it was done. */
export function methodOf(
  { sets, snpToGene }: Wiring,
  genes: readonly Gene[],
  mice: number,
  splits: number,
): string[] {
  const count = (value: number): string => value.toLocaleString("en");
  const rest = sets.find(({ name }) => name === NO_SET);
  return [
    `HDL of ${count(mice)} mice, sex regressed out. The first layer has a unit for each of ${count(genes.length)} genes, joined to the SNPs that lie in it by ${count(snpToGene.from.length)} connections; SNPs outside genes are not heard. The second has a unit for each of ${sets.filter(({ name }) => name !== NO_SET).length} sets of dbGaP with five genes or more on the array, joined to those, and one for the ${count(rest?.members.length ?? 0)} genes in no set. Units are tanh, and the output layer is variational as ever.`,
    "RATE of a layer's units: their activations stand in place of the variables, the rest of the network in place of the network, on the mice it was trained on. Beside it groupRATE of each gene's SNPs by the same network, the paper's way.",
    `Correlations are with the trait of a fifth of the mice that training did not see, ${splits} split${splits === 1 ? "" : "s"}. Each has a second network, in which genes have exchanged their memberships at random: sets of the same names and sizes, without their meaning. What it says too, the sets did not say.`,
  ];
}

/** What these numbers do not say. */
export const limits: readonly string[] = [
  "Splits of the same mice overlap, so their standard errors are rather too small, and relatives stand on both sides of a split.",
  "Shares of the sets are those of one network trained on all mice, places those of the splits' networks; sets were exchanged in the splits alone, so exchanged sets have places and no shares of all mice.",
];
