import { meanWithError, plusMinus } from "../mean-with-error.ts";
import { APOA2_PLACE, apoa2, nearApoa2 } from "./apoa2.ts";
import { claimText, controlText, linearText, predictionText, predicts } from "./claim.ts";
import { asManySets, enrichmentIsUsual, setsOnNothing } from "./enrichment-control.ts";
import type { Gene } from "./genes.ts";
import { HIDDEN } from "./network.ts";
import { count, each, many, probability, quantile } from "./plain-numbers.ts";
import type { TraitAnswer } from "./trait-answer.ts";
import { countAbove, FDR, hits, mean } from "./trait-plan.ts";

/** What came of the traits, in plain sentences, one thing after another; every number stands in the tables. */
export function answerOf(
  traits: readonly TraitAnswer[],
  genes: readonly Gene[],
  permuted: boolean,
): string[] {
  return [
    ...(permuted ? [controlText(traits, genes)] : []),
    predictionText(traits),
    linearText(traits),
    ruleText(traits, genes),
    calibratedText(traits),
    ...locusText(traits, genes),
    ...(permuted ? [] : traits.flatMap(togetherText)),
    ...regionText(traits),
    ...(permuted ? [] : [claimText(traits, genes)]),
  ];
}

/** "41 (19 to 64)": mean, least and most; of one, that one. */
const spread = (values: readonly number[]): string =>
  values.length === 1
    ? count(values[0])
    : `${count(mean(values))} (${count(Math.min(...values))} to ${count(Math.max(...values))})`;

function ruleText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const permuted = traits[0].result.control.above.length;
  const nothing = permuted === 1 ? "it" : "them";
  const asMany = `as many or more in ${each(traits, (result) => count(asManySets(result)))} of ${permuted}`;
  const verdict = traits.every(({ result }) => enrichmentIsUsual(result))
    ? ` So enriched sets are no evidence of biology here: ${permuted === 1 ? "the permuted trait, which has none, gives as many" : "permuted traits, which have none, often give as many"}.`
    : "";
  return `**The paper's rule**, a share above 1/G, takes ${each(traits, ({ rate }) => count(countAbove(rate)))} of ${count(genes.length)} genes (${traits.map(({ plan }) => plan.paper[0]).join(" and ")} in the paper). With ${many(permuted, "permuted trait")}, there being nothing to find in ${nothing}, it takes ${each(traits, ({ control }) => spread(control.above))}${permuted === 1 ? "" : ", mean and range"}. It seems to enrich ${each(traits, ({ enriched }) => count(enriched.length))} sets of dbGaP; with the permuted ${permuted === 1 ? "trait" : "traits"} ${each(traits, (result) => spread(setsOnNothing(result)))}${permuted === 1 ? "" : `, and ${asMany}`}.${verdict} The Spearman correlation of a gene's share and its number of SNPs is ${each(traits, ({ sizeCorrelation }) => sizeCorrelation.toFixed(2).replace("-", "−"))}.`;
}

function calibratedText(traits: readonly TraitAnswer[]): string {
  const [first] = traits;
  const refits = traits.every(({ result }) => result.refits)
    ? ` Networks trained anew on ${many(first.result.refits!.all.refits, "permuted trait")} leave ${each(traits, (result) => count(result.refits!.all.found))}; permuted within litters they are too few for that rate, but ${each(traits, (result) => count(result.refits!.litter.aboveAll))} genes exceed every one of them (${count(first.result.refits!.litter.expected)} by chance).`
    : "";
  return `**Calibrated**, gene by gene and by divergences as they are, not divided by their sum: against permuted traits ${each(traits, ({ nulls }) => count(hits(nulls.all.qValues)))} genes are left at a false discovery rate of ${FDR}, and ${each(traits, ({ nulls }) => count(hits(nulls.litter.qValues)))} against traits permuted within litters.${refits} Such p-values say that a gene goes along with what is predicted, not that it is this gene: by shares, divergences divided by the sum over all genes as in the paper's rule, ${each(traits, ({ nulls }) => count(hits(nulls.shares.qValues)))} are left.`;
}

/** The known locus of HDL beside all other places, where any gene passes. */
function locusText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string[] {
  const hdl = traits.find(({ plan }) => plan.name === "HDL");
  if (!hdl) return [];
  const found = apoa2(hdl.result.nulls.litter, genes);
  const where = `**Around Apoa2**, a known locus of HDL (${APOA2_PLACE}, by a gene's middle SNP)`;
  if (found.allHits === 0)
    return [`${where}: within litters no gene passes, so nothing is said of Apoa2 there.`];
  const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`;
  const all = `of all genes ${percent(found.allHits, genes.length)}`;
  if (found.hits === 0)
    return [`${where}, none of ${found.genes} genes is left within litters, ${all}.`];
  return [
    `${where}, ${found.hits} of ${found.genes} genes are left within litters, ${all}: p = ${probability(found.pValue)} if genes were independent (hypergeometric). Neighbours pass together, though: of ${count(found.runs)} runs of ${found.genes} neighbouring genes elsewhere ${count(found.runsAlike)} (${percent(found.runsAlike, found.runs)}) have as many.`,
  ];
}

/** Where nothing is predicted within litters and genes pass all the same: what that is. */
function togetherText({ plan, result }: TraitAnswer): string[] {
  const { pValues, qValues } = result.nulls.litter;
  const litter = result.others.find(({ covariate }) => covariate === "litter");
  if (!litter || predicts(result, litter.correlations) || hits(qValues) === 0) return [];
  const [low, middle, high] = [0.1, 0.5, 0.9].map((part) => probability(quantile(pValues, part)));
  return [
    `**${plan.name} within litters** is not to be believed gene by gene. With litters taken out a network predicts nothing beyond chance (${plusMinus(meanWithError(litter.correlations))}), and still ${count(hits(qValues))} of ${count(pValues.length)} genes pass. Their p-values are much alike: four fifths lie between ${low} and ${high}, and none is below ${probability(Math.min(...pValues))}. All genes are seen through the same ${HIDDEN.at(-1)} hidden units, so one weak association of what these predict with the trait, near the median p of ${middle}, lets nearly all genes pass together. That may be a trace of heredity or chance; it names no gene, and this null was settled after others had been tried (see “Chosen after results were seen”).`,
  ];
}

function regionText(traits: readonly TraitAnswer[]): string[] {
  if (!traits.every(({ result }) => result.knockoffs)) return [];
  const leads = ({ result, plan }: TraitAnswer): string => {
    const { regions, found } = result.knockoffs!;
    const order = [...regions.keys()].sort((a, b) => found.statistics[b] - found.statistics[a]);
    const selected = order.filter((r) => found.qValues[r] <= FDR).length;
    const { chromosome, from, to } = regions[order[0]];
    const holds = nearApoa2(chromosome, from, to - 1) ? ", around Apoa2" : "";
    return `${selected === 0 ? "none" : selected} of ${regions.length} for ${plan.name} (first is chromosome ${chromosome}, ${from / 1e6} to ${to / 1e6} Mb${holds}; smallest q ${Math.min(...found.qValues).toFixed(2)})`;
  };
  return [
    `**Knockoffs**, which ask whether a stretch of 5 Mb helps given all others, select at a rate of ${FDR} ${traits.map(leads).join(" and ")}. They take mice as independent and genotypes as Gaussian; relatives share more than that, so their rate is approximate here.`,
  ];
}
