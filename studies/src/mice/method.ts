import { cagesOfOneLitter, type MouseCovariate } from "./covariates.ts";
import { setsOnArray } from "./enrichment.ts";
import type { Gene } from "./genes.ts";
import { MIMIC_SETTINGS } from "./mimics.ts";
import { HIDDEN } from "./network.ts";
import type { Mice } from "./read-mice.ts";
import type { Sizes } from "./trait.ts";
import { PAPER_GENES } from "./trait-plan.ts";

export interface MethodInput {
  readonly mice: Mice;
  readonly genes: readonly Gene[];
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>;
  readonly sizes: Sizes;
  readonly covariates: readonly MouseCovariate[];
}

const number = (value: number): string => value.toLocaleString("en");

/** How it was done, one thing after another. */
export function methodOf({ mice, genes, sets, sizes, covariates }: MethodInput): string[] {
  const { permutations, refits, trees } = sizes;
  const { lambdaRatio, maxFeatures, minLeaf } = MIMIC_SETTINGS;
  const cages = cagesOfOneLitter(mice);
  const more = covariates.length === 0 ? " (`--covariates cage,litter` takes more)" : "";
  return [
    `${number(mice.variants.length)} SNPs of ${number(mice.mice)} mice (Valdar and others 2006), of which those that have the trait are taken; genes are those of MGI by GRCm38 position that hold a SNP, genes with the very same SNPs merged: ${number(genes.length)} (the paper has ${number(PAPER_GENES)}).`,
    `${["Sex", ...covariates].join(", ")} regressed out of the trait${more}; ${cages.one} of ${cages.all} cages hold mice of one litter, so cages too take families out. Networks of ${HIDDEN.join("-")} units with an input penalty chosen on held-back mice; the paper has 512-512-512 with dropout, stopped by the training error.`,
    `The paper's rule takes genes whose share is above 1/G. Sets of dbGaP are tested with the hypergeometric tail: the universe is the ${number(genes.length)} genes on the array, human symbols matched in capitals, q-values after Benjamini and Hochberg over the ${setsOnArray(genes, sets)} sets that hold one of them. The paper has Enrichr, whose universe is wider.`,
    `Mimics learn what the network predicts, from the SNPs that lie in genes. The group lasso has λ at ${lambdaRatio} of the least that leaves no gene; the forest has ${trees} trees, splits that choose from ${100 * maxFeatures}% of the SNPs and leaves of ${minLeaf} mice or more, and ranks genes by the impurity that their SNPs decrease, not by permuting them. These settings were fixed, where the paper searched 30 of them by cross-validation.`,
    `Calibrated: hidden layers from one half of the mice, output layer refitted to the other, ${number(permutations)} permutations of that half's trait, among all its mice, and within litters with everything less the litters' means; q-values of Benjamini and Hochberg. What is compared is a gene's divergence, not normalised; “by shares” divides it by the sum over all genes, in the permutations too. Apart from that everything is trained anew on ${refits} permuted traits, and on as many permuted within litters. Both speak of the global null.`,
    "Knockoffs: stretches of 5 Mb, SNPs that stand for the others there (no two correlated by 0.8 or more), Gaussian copies of whole stretches, a network trained on both, mean squared gradients summed over a stretch.",
    "The RATE step is what leads from the Gaussian of the effect sizes to the genes' shares. The whole is a trait's correlations in held-out mice, training, groupRATE, mimics and the null by permutations, in seconds of processors; refits, knockoffs and other covariates are told apart.",
  ];
}
