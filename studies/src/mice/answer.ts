import type { Gene } from "./genes.ts";
import type { TraitResult } from "./trait.ts";
import { apoa2, countAbove, FDR, hits, mean, nearApoa2, type TraitPlan } from "./trait-plan.ts";

export interface TraitAnswer {
  readonly plan: TraitPlan;
  readonly result: TraitResult;
}

/** What came of the traits, in plain sentences, one thing after another; every number stands in the tables. */
export function answerOf(traits: readonly TraitAnswer[], genes: readonly Gene[]): string[] {
  return [
    predictionText(traits),
    ruleText(traits, genes),
    ...calibratedText(traits, genes),
    ...regionText(traits),
    claimText(traits, genes),
  ];
}

const count = (value: number): string => value.toLocaleString("en");

/** "HDL 0.61, BMI 0.26" */
const each = (traits: readonly TraitAnswer[], of: (trait: TraitAnswer) => string): string =>
  traits.map((trait) => `${trait.plan.name} ${of(trait)}`).join(", ");

const setsOnNothing = ({ result: { control } }: TraitAnswer): number =>
  mean(control.enriched.map((sets) => sets.length));

function predictionText(traits: readonly TraitAnswer[]): string {
  const others = traits[0].result.others.map(
    ({ covariate }, k) =>
      `${each(traits, ({ result }) => mean(result.others[k].correlations).toFixed(2))} with ${covariate} taken out too`,
  );
  const less = traits.every(({ result: { correlations, others: own } }) =>
    own.every((other) => mean(other.correlations) < 0.75 * mean(correlations)),
  );
  const families =
    others.length > 0
      ? ` ${less ? "Much of that is between families" : "Without families"}: ${others.join("; ")}; cages hold families.`
      : "";
  return `**Prediction.** The traits of mice never seen are predicted with a correlation of ${each(traits, ({ result }) => mean(result.correlations).toFixed(2))}.${families}`;
}

function ruleText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const alike = traits.every(
    ({ result }) => 2 * mean(result.control.above) > countAbove(result.rate),
  );
  return `**The paper's rule, a share above 1/G, ${alike ? "takes nearly as many genes where there is nothing to find" : "takes more genes than it does where there is nothing to find"}.** It takes ${each(traits, ({ plan, result }) => `${count(countAbove(result.rate))} of ${count(genes.length)} genes (the paper ${plan.paper[0]})`)}; with the trait permuted on average ${each(traits, ({ result }) => count(Math.round(mean(result.control.above))))}. Shares grow with the number of SNPs in a gene (Spearman ${each(traits, ({ result }) => result.sizeCorrelation.toFixed(2))}). Sets of dbGaP that seem enriched: ${each(traits, ({ result }) => `${result.enriched.length}`)}; with the trait permuted ${each(traits, (trait) => setsOnNothing(trait).toFixed(0))}.`;
}

function calibratedText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string[] {
  const hdl = traits.find(({ plan }) => plan.name === "HDL");
  const around = hdl
    ? ` Around Apoa2 on chromosome 1, a known locus of HDL, ${apoa2(hdl.result.nulls.litter, genes).hits} genes are among those left within litters.`
    : "";
  const refits = traits.every(({ result }) => result.refits)
    ? ` Networks trained anew on permuted traits agree: above every one of ${traits[0].result.refits!.all.refits} are ${each(traits, ({ result }) => `${count(result.refits!.all.aboveAll)} genes (${count(Math.round(result.refits!.all.expected))} by chance)`)}, within litters ${each(traits, ({ result }) => count(result.refits!.litter.aboveAll))}.`
    : "";
  return [
    `**Calibrated, gene by gene, many genes are left, and none is singled out.** At a false discovery rate of ${FDR} they are ${each(traits, ({ result }) => count(hits(result.nulls.all.qValues)))} with the trait permuted among all mice, ${each(traits, ({ result }) => count(hits(result.nulls.litter.qValues)))} within litters, and ${each(traits, ({ result }) => count(hits(result.nulls.shares.qValues)))} by shares of the whole. That is a test of “nothing at all”: small p-values say that a gene goes along with what is predicted, not that it is this gene.${around}${refits}`,
  ];
}

function regionText(traits: readonly TraitAnswer[]): string[] {
  if (!traits.every(({ result }) => result.knockoffs)) return [];
  const leads = ({ result, plan }: TraitAnswer): string => {
    const { regions, found } = result.knockoffs!;
    const order = [...regions.keys()].sort((a, b) => found.statistics[b] - found.statistics[a]);
    const selected = order.filter((r) => found.qValues[r] <= FDR).length;
    const { chromosome, from, to } = regions[order[0]];
    const holds = nearApoa2(chromosome, from, to - 1) ? ", which holds Apoa2" : "";
    return `For ${plan.name} ${selected === 0 ? `none of ${regions.length} is selected (smallest q ${Math.min(...found.qValues).toFixed(2)})` : `${selected} of ${regions.length} are selected`}; first is chromosome ${chromosome}, ${from / 1e6} to ${to / 1e6} Mb${holds}.`;
  };
  return [
    `**Knockoffs ask whether a stretch of 5 Mb helps given all others.** At a rate of ${FDR}: ${traits.map(leads).join(" ")} They take mice as independent and genotypes as Gaussian; relatives share more than that, so their rate is approximate here.`,
  ];
}

/** Where the paper's claim holds up, by what was measured. */
function claimText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const empty = traits.filter((trait) => 2 * setsOnNothing(trait) > trait.result.enriched.length);
  const enrichment =
    empty.length === traits.length
      ? "Enriched sets by the paper's rule are no evidence of biology here: about as many come out of permuted traits, with the sizes of genes."
      : "Enriched sets by the paper's rule are more than permuted traits give.";
  const hdl = traits.find(({ plan }) => plan.name === "HDL");
  const locus =
    hdl && apoa2(hdl.result.nulls.litter, genes).hits > 0
      ? ", and HDL goes with the region of Apoa2, within litters too"
      : "";
  return `**What holds up of the paper's claim.** The traits can be predicted from these SNPs${locus}. ${enrichment} Single genes are not established by these data.`;
}
