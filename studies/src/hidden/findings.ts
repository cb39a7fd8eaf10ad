import { plusMinus } from "../mean-with-error.ts";
import { APOA2_PLACE } from "../mice/apoa2.ts";
import { atLeast, atMost, type Finding, finding } from "../study/study.ts";
import { DENSE, type HiddenAnswer, OWN_SET } from "./answer.ts";
import type { Summary } from "./summary.ts";

/** Of the whole study: nothing was asked of it. */
export function findingsOf({
  summary,
  sets,
  genes,
  splits,
  permuted,
  rest,
}: Omit<HiddenAnswer, "levels">): Finding[] {
  const { real, exchanged, difference, genes: byGene, sets: bySet } = summary;
  const over = `mean and standard error of ${splits} splits`;
  return [
    finding(`correlation in unseen mice, real sets, ${over}`, null, plusMinus(real)),
    finding(`correlation in unseen mice, exchanged sets, ${over}`, null, plusMinus(exchanged)),
    finding(`difference of the two, ${over}`, null, plusMinus(difference)),
    ...(permuted
      ? []
      : [finding("correlation of dense networks, in the recorded study `mice`", null, DENSE)]),
    finding("genes: Spearman of RATE of units and groupRATE of SNPs", null, byGene.withGroups),
    finding("genes: Spearman of RATE of units and number of SNPs", null, byGene.withSize.units),
    finding("genes: Spearman of groupRATE and number of SNPs", null, byGene.withSize.groups),
    finding(
      `best place of a gene around Apoa2 (${APOA2_PLACE}) of ${genes.length.toLocaleString("en")}, by RATE of units`,
      null,
      byGene.apoa2.units,
    ),
    finding("best place of a gene around Apoa2, by groupRATE", null, byGene.apoa2.groups),
    finding("sets: Spearman of RATE and number of genes", null, bySet.withSize.real),
    finding("the same with exchanged sets", null, bySet.withSize.exchanged),
    finding(`median place of “${OWN_SET}” of ${sets.length}`, null, bySet.own.real),
    finding("the same with exchanged sets", null, bySet.own.exchanged),
    finding("sets: Spearman of RATE between splits", null, bySet.between.real),
    finding("the same between real and exchanged sets", null, bySet.between.crossed),
    ...(rest
      ? [
          finding(
            `share of the unit of ${rest.genes.toLocaleString("en")} genes in no set, not ranked`,
            null,
            rest.share,
          ),
        ]
      : []),
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
