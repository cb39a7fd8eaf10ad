import { APOA2_PLACE } from "../mice/apoa2.ts";
import { atLeast, atMost, type Finding, finding } from "../study/study.ts";
import { DENSE, OWN_SET } from "./answer.ts";
import type { Summary } from "./summary.ts";

export function findingsOf(
  summary: Summary,
  { sets, genes }: { readonly sets: number; readonly genes: number },
): Finding[] {
  const { real, exchanged, difference, genes: byGene, sets: bySet } = summary;
  return [
    finding("correlation in unseen mice, real sets", null, real.mean),
    finding("standard error over splits, real sets", null, real.error),
    finding("correlation in unseen mice, exchanged sets", null, exchanged.mean),
    finding("standard error over splits, exchanged sets", null, exchanged.error),
    finding("difference of the two, in standard errors", null, difference.mean / difference.error),
    finding("correlation of dense networks (study mice)", null, DENSE),
    finding("genes: Spearman of RATE of units and groupRATE of SNPs", null, byGene.withGroups),
    finding("genes: Spearman of RATE of units and number of SNPs", null, byGene.withSize.units),
    finding("genes: Spearman of groupRATE and number of SNPs", null, byGene.withSize.groups),
    finding(
      `best place of a gene around Apoa2 (${APOA2_PLACE}) of ${genes.toLocaleString("en")}, by RATE of units`,
      null,
      byGene.apoa2.units,
    ),
    finding("best place of a gene around Apoa2, by groupRATE", null, byGene.apoa2.groups),
    finding("sets: Spearman of RATE and number of genes", null, bySet.withSize.real),
    finding("the same with exchanged sets", null, bySet.withSize.exchanged),
    finding(`median place of “${OWN_SET}” of ${sets}`, null, bySet.own.real),
    finding("the same with exchanged sets", null, bySet.own.exchanged),
    finding("sets: Spearman of RATE between splits", null, bySet.between.real),
    finding("the same between real and exchanged sets", null, bySet.between.crossed),
  ];
}

/** Permuted traits are not predicted, and nothing about them lies around Apoa2. */
export function quickFindings({ real, genes }: Summary): Finding[] {
  return [
    finding("correlation in unseen mice, real sets", null, real.mean, atLeast(0.3)),
    finding(
      "best place of a gene around Apoa2, by RATE of units",
      null,
      genes.apoa2.units,
      atMost(20),
    ),
  ];
}
