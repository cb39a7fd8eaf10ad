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
    calibratedText(traits, genes),
    ...regionText(traits),
    claimText(traits, genes),
  ];
}

const count = (value: number): string => Math.round(value).toLocaleString("en");
const correlation = (value: number): string => value.toFixed(2).replace("-", "−");

/** "0.61 and 0.26", in the order of the traits. */
const each = (traits: readonly TraitAnswer[], of: (trait: TraitResult) => string): string =>
  traits.map(({ result }) => of(result)).join(" and ");

const names = (traits: readonly TraitAnswer[]): string =>
  traits.map(({ plan }) => plan.name).join(" and ");

/** Sets that the paper's rule seems to enrich with the trait permuted. */
const setsOnNothing = ({ control }: TraitResult): number =>
  mean(control.enriched.map((sets) => sets.length));

/** With families taken out too, one way or another, the least that is left of the correlation. */
const withinFamilies = ({ others }: TraitResult): number =>
  Math.min(...others.map(({ correlations }) => mean(correlations)));
/** Below this nothing is predicted. */
const NOTHING = 0.05;

function predictionText(traits: readonly TraitAnswer[]): string {
  const apart = traits.every(({ result }) => result.others.length > 0);
  const families = apart
    ? ` Much of that is likeness of relatives: with cages or litters, which are families, taken out too, ${each(traits, (result) => correlation(withinFamilies(result)))} are left.`
    : "";
  return `**Prediction.** ${names(traits)} of mice never seen are predicted with a correlation of ${each(traits, ({ correlations }) => correlation(mean(correlations)))}.${families}`;
}

function ruleText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const empty = traits.every(({ result }) => 2 * setsOnNothing(result) > result.enriched.length);
  return `**The paper's rule**, a share above 1/G, takes ${each(traits, ({ rate }) => count(countAbove(rate)))} of ${count(genes.length)} genes (${traits.map(({ plan }) => plan.paper[0]).join(" and ")} in the paper), and ${each(traits, ({ control }) => count(mean(control.above)))} where the trait was permuted, so that there is nothing to find. It seems to enrich ${each(traits, ({ enriched }) => count(enriched.length))} sets of dbGaP, with permuted traits ${each(traits, (result) => count(setsOnNothing(result)))}.${empty ? " So enriched sets are no evidence of biology here: they come with the sizes of genes." : ""}`;
}

function calibratedText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const hdl = traits.find(({ plan }) => plan.name === "HDL");
  const around = hdl
    ? ` ${apoa2(hdl.result.nulls.litter, genes).hits} of these lie around Apoa2 on chromosome 1, a known locus of HDL.`
    : "";
  const [first] = traits;
  const refits = traits.every(({ result }) => result.refits)
    ? ` Networks trained anew on ${first.result.refits!.all.refits} permuted traits leave ${each(traits, (result) => count(result.refits!.all.found))}; permuted within litters they are too few for that rate, but ${each(traits, (result) => count(result.refits!.litter.aboveAll))} genes exceed every one of them (${count(first.result.refits!.litter.expected)} by chance).`
    : "";
  return `**Calibrated**, gene by gene, against permuted traits, ${each(traits, ({ nulls }) => count(hits(nulls.all.qValues)))} genes are left at a false discovery rate of ${FDR}, and ${each(traits, ({ nulls }) => count(hits(nulls.litter.qValues)))} against traits permuted within litters.${around}${refits} Such p-values say that a gene goes along with what is predicted, not that it is this gene: by their shares of the whole ${each(traits, ({ nulls }) => count(hits(nulls.shares.qValues)))} are left.`;
}

function regionText(traits: readonly TraitAnswer[]): string[] {
  if (!traits.every(({ result }) => result.knockoffs)) return [];
  const leads = ({ result, plan }: TraitAnswer): string => {
    const { regions, found } = result.knockoffs!;
    const order = [...regions.keys()].sort((a, b) => found.statistics[b] - found.statistics[a]);
    const selected = order.filter((r) => found.qValues[r] <= FDR).length;
    const { chromosome, from, to } = regions[order[0]];
    const holds = nearApoa2(chromosome, from, to - 1) ? ", with Apoa2" : "";
    return `${selected === 0 ? "none" : selected} of ${regions.length} for ${plan.name} (first is chromosome ${chromosome}, ${from / 1e6} to ${to / 1e6} Mb${holds}; smallest q ${Math.min(...found.qValues).toFixed(2)})`;
  };
  return [
    `**Knockoffs**, which ask whether a stretch of 5 Mb helps given all others, select at a rate of ${FDR} ${traits.map(leads).join(" and ")}. They take mice as independent and genotypes as Gaussian; relatives share more than that, so their rate is approximate here.`,
  ];
}

/** Where the paper's claim holds up, by what was measured. */
function claimText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const hdl = traits.find(({ plan }) => plan.name === "HDL");
  const locus =
    hdl && apoa2(hdl.result.nulls.litter, genes).hits > 0
      ? "; HDL goes with the region of Apoa2, within litters too"
      : "";
  const within = traits.filter(({ result }) => withinFamilies(result) >= NOTHING);
  const families =
    within.length === traits.length
      ? ""
      : ` as far as families differ${within.length > 0 ? `, ${names(within)} within families too` : ""}`;
  return `**What holds up of the paper's claim.** The traits can be predicted from these SNPs${families}${locus}. Neither single genes nor enriched sets are established by these data.`;
}
