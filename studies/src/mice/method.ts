import { cagesOfOneLitter, type MouseCovariate } from "./covariates.ts";
import { setsOnArray } from "./enrichment.ts";
import type { Gene } from "./genes.ts";
import { MIMIC_SETTINGS } from "./mimics.ts";
import { HIDDEN } from "./network.ts";
import { many } from "./plain-numbers.ts";
import type { Mice } from "./read-mice.ts";
import { PENALTIES } from "./ridge.ts";
import type { Sizes } from "./trait.ts";
import { PAPER_GENES } from "./trait-plan.ts";
import { xCalls } from "./x-chromosome.ts";

export interface MethodInput {
  readonly mice: Mice;
  readonly genes: readonly Gene[];
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>;
  readonly sizes: Sizes;
  readonly covariates: readonly MouseCovariate[];
  /** The small version: no mimics, no refits within litters, no knockoffs, no other covariates. */
  readonly small: boolean;
}

const number = (value: number): string => value.toLocaleString("en");

/** How it was done, one thing after another: what ran, and nothing else. */
export function methodOf(input: MethodInput): string[] {
  const { genes, sets, small } = input;
  return [
    ...dataTexts(input),
    ...predictionTexts(input),
    `The paper's rule takes genes whose share is above 1/G. Sets of dbGaP are tested with the hypergeometric tail: the universe is the ${number(genes.length)} genes on the array, human symbols matched in capitals, q-values after Benjamini and Hochberg over the ${setsOnArray(genes, sets)} sets that hold one of them. The paper has Enrichr, whose universe is wider.`,
    ...(small ? [] : [mimicText(input)]),
    calibratedText(input),
    ...(small
      ? []
      : [
          "Knockoffs: stretches of 5 Mb, SNPs that stand for the others there (no two correlated by 0.8 or more), Gaussian copies of whole stretches, a network trained on both, mean squared gradients summed over a stretch. Length, score and the single draw were fixed before the first run.",
          "The RATE step is what leads from the Gaussian of the effect sizes to the genes' shares. The whole is a trait's correlations in held-out mice, training, groupRATE, mimics and the null by permutations, in minutes of processors; refits, knockoffs, other covariates and ridge regression are told apart. The clock's seconds in the record are longer than those of processors where the machine had other work.",
        ]),
  ];
}

/** Mice, SNPs and genes. */
function dataTexts({ mice, genes, small }: MethodInput): string[] {
  const { snps, males, females } = xCalls(mice);
  const nowhere = mice.variants.filter(({ position }) => position <= 0).length;
  const percent = (share: number): string => `${Number((100 * share).toPrecision(2))}%`;
  const rarer = small
    ? ""
    : "; how many of them have a rarer allele of 5% or more depends on those mice and is only reported";
  return [
    `${number(mice.variants.length)} SNPs of ${number(mice.mice)} mice (Valdar and others 2006, as in the R package BGLR, without missing genotypes); mice without the trait are left out. Networks see all SNPs${rarer}. Genotypes are copies of an allele (0, 1, 2), standardised.`,
    `On the X chromosome (${number(snps)} SNPs) the coding is the same in both sexes: males, who have one X, count 0 or 2. ${percent(males)} of their calls there are heterozygous (${percent(females)} of the females'); they were left as they are in the source.`,
    `Positions are of GRCm38. ${number(nowhere)} SNPs have none: networks see them too, but they belong to no gene. Genes are those of MGI that hold a SNP, genes with the very same SNPs merged: ${number(genes.length)} (the paper has ${number(PAPER_GENES)}).`,
  ];
}

/** What was taken out, networks, and the linear model beside them. */
function predictionTexts({ mice, covariates, small }: MethodInput): string[] {
  const cages = cagesOfOneLitter(mice);
  const more = covariates.length === 0 ? " (`--covariates cage,litter` takes more)" : "";
  const families = small
    ? ""
    : ` ${cages.one} of ${cages.all} cages hold mice of one litter, so cages too take families out.`;
  return [
    `${["Sex", ...covariates].join(", ")} regressed out of the trait${more}.${families} Networks of ${HIDDEN.join("-")} units with an input penalty chosen on held-back mice; the paper has 512-512-512 with dropout, stopped by the training error.`,
    `Ridge regression, the linear model to judge the networks' correlations by, has the same SNPs, standardised by the same mice, the same splits and the same covariates taken out. Its penalty, one of ${PENALTIES.length}, is the one with the least squared error in the training mice when each is left out in turn. Its predictions are those of GBLUP with that ratio of variances.`,
  ];
}

function mimicText({ sizes }: MethodInput): string {
  const { lambdaRatio, maxFeatures, minLeaf } = MIMIC_SETTINGS;
  return `Mimics learn what the network predicts, from the SNPs that lie in genes. The group lasso has λ at ${lambdaRatio} of the least that leaves no gene; the forest has ${sizes.trees} trees, splits that choose from ${100 * maxFeatures}% of the SNPs and leaves of ${minLeaf} mice or more, and ranks genes by the impurity that their SNPs decrease, not by permuting them. These settings were fixed, where the paper searched 30 of them by cross-validation.`;
}

function calibratedText({ sizes: { permutations, refits }, small }: MethodInput): string {
  const anew = `everything is trained anew on ${many(refits, "permuted trait")}`;
  const apart = small
    ? `Apart from that ${anew}, for the paper's rule.`
    : `Apart from that ${anew}, and on as many permuted within litters. Both speak of the global null.`;
  return `Calibrated: hidden layers from one half of the mice, output layer refitted to the other, ${number(permutations)} permutations of that half's trait, among all its mice, and within litters with everything less the litters' means; q-values of Benjamini and Hochberg. What is compared is a gene's divergence, not normalised; “by shares” divides it by the sum over all genes, in the permutations too. ${apart}`;
}

/** What was settled after results had been seen. */
export function choicesOf({ small }: Pick<MethodInput, "small">): string[] {
  const bar = small
    ? ""
    : " So the line on the genes around Apoa2 within litters holds by a measure that was settled afterwards.";
  return [
    "Learning rate and penalties of the networks were chosen on one split of HDL, where they predicted with 0.53 instead of 0.43: HDL's correlation is favoured by that, BMI's took no part in it, and ridge regression has no such settings.",
    `The null within litters, with everything less the litters' means, is the fourth that was tried. Three others had selected nothing in the quick version; neither did this one there, and only the whole study showed what it selects.${bar}`,
    "Ridge regression was added after everything else had been seen.",
  ];
}
