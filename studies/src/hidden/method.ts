import type { Gene } from "../mice/genes.ts";
import { namedUnits, type Wiring } from "./wiring.ts";

/** How it was done. */
export function methodOf(
  wiring: Wiring,
  genes: readonly Gene[],
  mice: number,
  splits: number,
): string[] {
  const count = (value: number): string => value.toLocaleString("en");
  const { sets, rest } = namedUnits(wiring);
  return [
    `HDL of ${count(mice)} mice, sex regressed out. The first layer has a unit for each of ${count(genes.length)} genes, joined to the SNPs that lie in it by ${count(wiring.snpToGene.from.length)} connections; SNPs outside genes are not used. The second has a unit for each of ${sets.length} sets of dbGaP with five genes or more on the array, joined to those, and one for the ${count(rest?.members.length ?? 0)} genes in no set, so that these count too; sets are ranked without it. Units are tanh; the output layer is variational, as in the other studies. A SNP's genotype is the number of copies of an allele (0, 1, 2), on the X chromosome too.`,
    "RATE of a layer's units: their activations stand in place of the variables, the rest of the network in place of the network, on the mice it was trained on. Beside it groupRATE of each gene's SNPs by the same network, the paper's way.",
    `Correlations are with the trait of a fifth of the mice that training did not see, ${splits} split${splits === 1 ? "" : "s"}. Each has a second network, in which genes have exchanged their memberships at random: sets of the same names and sizes, without their meaning. What comes out of it too is not owed to the genes of the sets.`,
  ];
}

/** What these numbers do not say. */
export function limitsOf(splits: number): string[] {
  const relatives = "relatives stand on both sides of a split";
  if (splits === 1)
    return [
      `One split: how far the numbers vary is not known, and ${relatives}. Shares and places are those of its networks.`,
    ];
  return [
    "Nothing was asked of these numbers beforehand: the page has no bars, and so no table of what was asked.",
    `Splits of the same mice overlap, so their standard errors are rather too small, and ${relatives}.`,
    "Shares of the sets are those of one network trained on all mice, places those of the splits' networks; sets were exchanged in the splits alone, so exchanged sets have places and no shares of all mice.",
  ];
}
