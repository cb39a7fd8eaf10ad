import { APOA2_PLACE } from "../mice/apoa2.ts";
import { atLeast, atMost, type Finding, finding } from "../study/study.ts";
import { OWN_SET, type Summary } from "./summary.ts";

/** Of the whole study: nothing was asked of it. */
export function findingsOf(
  { real, exchanged, difference, genes, sets }: Summary,
  count: { readonly splits: number; readonly genes: number; readonly sets: number },
  /** The unit of all genes in no set, which is not ranked. */
  rest: { readonly genes: number; readonly share: number } | null,
): Finding[] {
  const over = `mean and standard error of ${count.splits} splits`;
  const line = (what: string, ours: Finding["ours"]): Finding => finding(what, null, ours);
  return [
    line(`correlation in unseen mice, real sets, ${over}`, real),
    line(`correlation in unseen mice, exchanged sets, ${over}`, exchanged),
    line(`difference of the two, ${over}`, difference),
    line("genes: Spearman of RATE of units and groupRATE of SNPs", genes.withGroups),
    line("genes: Spearman of RATE of units and number of SNPs", genes.withSize.units),
    line("genes: Spearman of groupRATE and number of SNPs", genes.withSize.groups),
    line(
      `best place of a gene around Apoa2 (${APOA2_PLACE}) of ${count.genes.toLocaleString("en")}, by RATE of units`,
      genes.apoa2.units,
    ),
    line("best place of a gene around Apoa2, by groupRATE", genes.apoa2.groups),
    line("sets: Spearman of RATE and number of genes", sets.withSize.real),
    line("the same with exchanged sets", sets.withSize.exchanged),
    line(`median place of “${OWN_SET}” of ${count.sets}`, sets.own.real),
    line("the same with exchanged sets", sets.own.exchanged),
    line("sets: Spearman of RATE between splits", sets.between.real),
    line("the same between real and exchanged sets", sets.between.crossed),
    ...(rest
      ? [
          line(
            `share of the unit of ${rest.genes.toLocaleString("en")} genes in no set, not ranked`,
            rest.share,
          ),
        ]
      : []),
  ];
}

/** Permuted traits are not predicted, and nothing about them lies around Apoa2. */
export function quickFindings({ real, genes }: Summary): Finding[] {
  const place = "best place of a gene around Apoa2, by RATE of units";
  return [
    finding("correlation in unseen mice, real sets", null, real.mean, atLeast(0.3)),
    finding(place, null, genes.apoa2.units, atMost(20)),
  ];
}
