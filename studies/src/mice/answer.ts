import { meanWithError, plusMinus } from "../mean-with-error.ts";
import { APOA2_PLACE, apoa2, nearApoa2 } from "./apoa2.ts";
import type { Gene } from "./genes.ts";
import { HIDDEN } from "./network.ts";
import type { TraitResult } from "./trait.ts";
import { countAbove, FDR, hits, mean, type TraitPlan } from "./trait-plan.ts";

export interface TraitAnswer {
  readonly plan: TraitPlan;
  readonly result: TraitResult;
}

/** What came of the traits, in plain sentences, one thing after another; every number stands in the tables. */
export function answerOf(traits: readonly TraitAnswer[], genes: readonly Gene[]): string[] {
  return [
    predictionText(traits),
    ruleText(traits, genes),
    calibratedText(traits),
    ...locusText(traits, genes),
    ...traits.flatMap(togetherText),
    ...regionText(traits),
    claimText(traits, genes),
  ];
}

export const count = (value: number): string => Math.round(value).toLocaleString("en");
export const probability = (value: number): string =>
  value < 1e-3 ? value.toExponential(1) : `${Number(value.toPrecision(2))}`;

/** "0.61 and 0.26", in the order of the traits. */
export const each = (traits: readonly TraitAnswer[], of: (trait: TraitResult) => string): string =>
  traits.map(({ result }) => of(result)).join(" and ");

const names = (traits: readonly TraitAnswer[]): string =>
  traits.map(({ plan }) => plan.name).join(" and ");

/** With families taken out too, one way or another, the least that is left of the correlation. */
const withinFamilies = ({ others }: TraitResult): number =>
  Math.min(...others.map(({ correlations }) => mean(correlations)));
/** Below this nothing is predicted. */
const NOTHING = 0.05;

function predictionText(traits: readonly TraitAnswer[]): string {
  const [{ result: first }] = traits;
  const left = first.others.map(
    ({ covariate, correlations }, o) =>
      `${each(traits, ({ others }) => plusMinus(meanWithError(others[o].correlations)))} with ${covariate}s taken out too (${correlations.length} splits)`,
  );
  const families =
    left.length > 0
      ? ` Much of that is likeness of relatives, for litters are families: ${left.join(", ")}.`
      : "";
  return `**Prediction.** ${names(traits)} of mice never seen are predicted with a correlation of ${each(traits, ({ correlations }) => plusMinus(meanWithError(correlations)))} (mean and standard error of ${first.correlations.length} splits of ${each(traits, ({ mice }) => count(mice))} mice).${families}`;
}

/** "41 (19 to 64)": mean, least and most. */
const spread = (values: readonly number[]): string =>
  `${count(mean(values))} (${count(Math.min(...values))} to ${count(Math.max(...values))})`;

/** Sets that the paper's rule seems to enrich, of every permuted trait. */
const setsOnNothing = ({ control }: TraitResult): number[] =>
  control.enriched.map((sets) => sets.length);

/** Permuted traits with as many sets or more. */
const asManySets = (result: TraitResult): number =>
  setsOnNothing(result).filter((sets) => sets >= result.enriched.length).length;

function ruleText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const permuted = traits[0].result.control.above.length;
  const usual = traits.every(({ result }) => asManySets(result) >= permuted / 10);
  const verdict = usual
    ? ` So enriched sets are no evidence of biology here: permuted traits, which have none, often give as many. Genes with more SNPs have larger shares (Spearman ${each(traits, ({ sizeCorrelation }) => sizeCorrelation.toFixed(2))}), whatever the trait.`
    : "";
  return `**The paper's rule**, a share above 1/G, takes ${each(traits, ({ rate }) => count(countAbove(rate)))} of ${count(genes.length)} genes (${traits.map(({ plan }) => plan.paper[0]).join(" and ")} in the paper). With ${permuted} permuted traits, in which there is nothing to find, it takes ${each(traits, ({ control }) => spread(control.above))}, mean and range. It seems to enrich ${each(traits, ({ enriched }) => count(enriched.length))} sets of dbGaP; with permuted traits ${each(traits, (result) => spread(setsOnNothing(result)))}, and as many or more in ${each(traits, (result) => count(asManySets(result)))} of ${permuted}.${verdict}`;
}

function calibratedText(traits: readonly TraitAnswer[]): string {
  const [first] = traits;
  const refits = traits.every(({ result }) => result.refits)
    ? ` Networks trained anew on ${first.result.refits!.all.refits} permuted traits leave ${each(traits, (result) => count(result.refits!.all.found))}; permuted within litters they are too few for that rate, but ${each(traits, (result) => count(result.refits!.litter.aboveAll))} genes exceed every one of them (${count(first.result.refits!.litter.expected)} by chance).`
    : "";
  return `**Calibrated**, gene by gene and by divergences as they are, not divided by their sum: against permuted traits ${each(traits, ({ nulls }) => count(hits(nulls.all.qValues)))} genes are left at a false discovery rate of ${FDR}, and ${each(traits, ({ nulls }) => count(hits(nulls.litter.qValues)))} against traits permuted within litters.${refits} Such p-values say that a gene goes along with what is predicted, not that it is this gene: by shares, divergences divided by the sum over all genes as in the paper's rule, ${each(traits, ({ nulls }) => count(hits(nulls.shares.qValues)))} are left.`;
}

/** The known locus of HDL beside all other places. */
function locusText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string[] {
  const hdl = traits.find(({ plan }) => plan.name === "HDL");
  if (!hdl) return [];
  const found = apoa2(hdl.result.nulls.litter, genes);
  const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`;
  return [
    `**Around Apoa2**, a known locus of HDL (${APOA2_PLACE}, by a gene's middle SNP), ${found.hits} of ${found.genes} genes are left within litters, of all genes ${percent(found.allHits, genes.length)}: p = ${probability(found.pValue)} if genes were independent (hypergeometric). Neighbours pass together, though: of ${count(found.runs)} runs of ${found.genes} neighbouring genes elsewhere ${found.runsAlike} (${percent(found.runsAlike, found.runs)}) have as many.`,
  ];
}

/** Where nothing is predicted within litters and genes pass all the same: what that is. */
function togetherText({ plan, result }: TraitAnswer): string[] {
  const { pValues, qValues } = result.nulls.litter;
  const litter = result.others.find(({ covariate }) => covariate === "litter");
  if (!litter || mean(litter.correlations) >= NOTHING || hits(qValues) === 0) return [];
  const [low, middle, high] = [0.1, 0.5, 0.9].map((part) => probability(quantile(pValues, part)));
  return [
    `**${plan.name} within litters** is not to be believed gene by gene. With litters taken out a network predicts nothing (${plusMinus(meanWithError(litter.correlations))}), and still ${count(hits(qValues))} of ${count(pValues.length)} genes pass. Their p-values are much alike: four fifths lie between ${low} and ${high}, and none is below ${probability(Math.min(...pValues))}. All genes are seen through the same ${HIDDEN.at(-1)} hidden units, so one weak association of what these predict with the trait, near the median p of ${middle}, lets nearly all genes pass together. That may be a trace of heredity or chance; it names no gene, and this null was adopted after three others had selected nothing.`,
  ];
}

/** The value that `part` of all are below. */
export function quantile(values: Float64Array, part: number): number {
  return values.slice().sort()[Math.min(values.length - 1, Math.floor(part * values.length))];
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

/** Where the paper's claim holds up, by what was measured. */
function claimText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const hdl = traits.find(({ plan }) => plan.name === "HDL");
  const found = hdl && apoa2(hdl.result.nulls.litter, genes);
  const locus =
    found && found.hits > 0
      ? `; HDL goes with the region of Apoa2, within litters too${found.runsAlike > 0 ? ", and not with it alone" : ""}`
      : "";
  const within = traits.filter(({ result }) => withinFamilies(result) >= NOTHING);
  const families =
    within.length === traits.length
      ? ""
      : ` as far as families differ${within.length > 0 ? `, ${names(within)} within families too` : ""}`;
  return `**What holds up of the paper's claim.** The traits can be predicted from these SNPs${families}${locus}. Neither single genes nor enriched sets are established by these data.`;
}
