import type { Gene } from "./genes.ts";
import type { TraitResult } from "./trait.ts";
import { apoa2, countAbove, FDR, hits, mean, nearApoa2, type TraitPlan } from "./trait-plan.ts";

/** What came of a trait, in sentences. */
export function answerOf(plan: TraitPlan, result: TraitResult, genes: readonly Gene[]): string {
  return [
    predictionText(plan, result),
    ruleText(plan, result, genes),
    controlText(result),
    nullText(plan, result, genes),
    ...refitText(result),
    ...regionText(result),
    ...claimText(result),
  ].join(" ");
}

function predictionText({ name }: TraitPlan, { mice, correlations, others }: TraitResult): string {
  const also = others.map(
    ({ covariate, correlations: own }) => `${mean(own).toFixed(2)} with ${covariate} taken out too`,
  );
  return `${name} of ${mice.toLocaleString("en")} mice is predicted with a correlation of ${mean(correlations).toFixed(2)} in mice never seen${also.length > 0 ? ` (${also.join(", ")})` : ""}.`;
}

function ruleText(
  { paper }: TraitPlan,
  { rate, sizeCorrelation, enriched }: TraitResult,
  genes: readonly Gene[],
): string {
  const sets = named(enriched.map(({ set }) => set));
  return `By the paper's rule ${countAbove(rate)} of ${genes.length} genes stand out (the paper has ${paper[0]}), but shares grow with the number of SNPs in a gene (Spearman ${sizeCorrelation.toFixed(2)})${sets ? `, and ${enriched.length} sets of dbGaP seem enriched, ${sets} first` : ", and no set of dbGaP is enriched"}.`;
}

function controlText({ control }: TraitResult): string {
  const most = control.enriched.toSorted((a, b) => b.length - a.length)[0];
  const sets = named(most);
  return `With the trait permuted, so that there is nothing to find, the same rule takes ${mean(control.above).toFixed(0)} genes and ${mean(control.enriched.map((own) => own.length)).toFixed(0)} sets on average over ${control.above.length} ${control.above.length === 1 ? "refit" : "refits"}${sets ? `, at worst ${most.length}, ${sets} first` : ""}.`;
}

function nullText({ name }: TraitPlan, { nulls }: TraitResult, genes: readonly Gene[]): string {
  const region =
    name === "HDL"
      ? ` Around Apoa2 on chromosome 1, a known locus of HDL, they are ${apoa2(nulls.all, genes).hits} and ${apoa2(nulls.litter, genes).hits} genes.`
      : "";
  return `Against its own null, gene by gene, ${hits(nulls.all.qValues)} genes are left at a false discovery rate of ${FDR} when the trait is permuted among all mice, ${hits(nulls.litter.qValues)} when only differences within litters count; by their shares of the whole, which do not grow with the fit, ${hits(nulls.shares.qValues)}.${region}`;
}

function refitText({ refits }: TraitResult): string[] {
  if (!refits) return [];
  const { all, litter } = refits;
  return [
    `Full refits say the same with less resolution: ${all.aboveAll} genes have more than in each of ${all.refits} networks trained on permuted traits (${all.expected.toFixed(0)} by chance), ${litter.aboveAll} where the trait was permuted within litters only; by shares ${all.foundByShares} and ${litter.foundByShares} are left at ${FDR}.`,
  ];
}

function regionText({ knockoffs }: TraitResult): string[] {
  if (!knockoffs) return [];
  const { regions, found } = knockoffs;
  const order = [...regions.keys()].sort((a, b) => found.statistics[b] - found.statistics[a]);
  const selected = order.filter((r) => found.qValues[r] <= FDR);
  const place = order.findIndex((r) =>
    nearApoa2(regions[r].chromosome, regions[r].from, regions[r].to - 1),
  );
  const apoa = ` A region around Apoa2 stands at place ${place + 1} of ${regions.length} by its statistic.`;
  return [
    `Knockoffs, which ask whether a stretch of 5 Mb helps given all others, select ${selected.length === 0 ? "nothing" : `${selected.length} of ${regions.length} stretches`} at ${FDR}${selected.length === 0 ? ` (smallest q ${Math.min(...found.qValues).toFixed(2)}; at this rate it is ten or none)` : ""}.${apoa}`,
  ];
}

function claimText({ control, enriched }: TraitResult): string[] {
  return 2 * mean(control.enriched.map((sets) => sets.length)) > enriched.length
    ? [
        "So enrichment by this rule is no evidence of biology here: the sets come with the sizes of genes.",
      ]
    : [];
}

const named = (sets: readonly string[]): string =>
  sets
    .slice(0, 3)
    .map((set) => `“${set}”`)
    .join(", ");
