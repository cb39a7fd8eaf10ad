import { plusMinus } from "../mean-with-error.ts";
import { APOA2_PLACE } from "../mice/apoa2.ts";
import { orderOf, type Summary } from "./summary.ts";
import type { Levels } from "./wired-network.ts";

/** The set that should matter for this trait, if sets do. */
export const OWN_SET = "Cholesterol, HDL";
/** Mean correlation that dense networks of 32-16 units have in the study `mice`. */
export const DENSE = 0.608;

export interface Named {
  readonly name: string;
}

/** What came out, in plain sentences. */
export function answerOf(
  { real, exchanged, difference, genes: byGene, sets: bySet }: Summary,
  sets: readonly Named[],
  genes: readonly Named[],
  levels: Pick<Levels, "genes" | "sets">,
): string[] {
  const first = (shares: Float64Array, nameOf: (at: number) => string): string =>
    orderOf(shares).slice(0, 5).map(nameOf).join(", ");
  const matters = difference.mean > 2 * difference.error;
  const many = !Number.isNaN(difference.error);
  return [
    `**Prediction.** Wired by genes and sets the network predicts HDL in unseen mice with a correlation of ${plusMinus(real)}, with exchanged sets ${plusMinus(exchanged)}; dense networks have ${DENSE.toFixed(2)}.${many ? ` The difference of the two is ${plusMinus(difference)}: the real sets ${matters ? "do help" : "are no help that could be told from chance"}.` : ""}`,
    `**Genes.** First by RATE of their units are ${first(levels.genes, (g) => genes[g].name)}. The best gene around Apoa2, a known locus (${APOA2_PLACE}), has place ${byGene.apoa2.units} (${byGene.apoa2.groups} by groupRATE of its SNPs), and the number of SNPs matters less than to groupRATE (Spearman ${byGene.withSize.units.toFixed(2)} and ${byGene.withSize.groups.toFixed(2)}).`,
    `**Sets.** First are ${first(levels.sets, (s) => `“${sets[s].name}”`)}. “${OWN_SET}” has the median place ${bySet.own.real} of ${sets.length}, and ${bySet.own.exchanged} when other genes carry its name.${many ? ` From split to split the ranking agrees with Spearman ${bySet.between.real.toFixed(2)} (real with exchanged sets ${bySet.between.crossed.toFixed(2)}): ${repeats(bySet.between)}.` : ""}`,
    plainWords(byGene.apoa2.units, bySet.between),
  ];
}

function repeats({ real, crossed }: Summary["sets"]["between"]): string {
  if (real < 0.3) return "it hardly repeats itself";
  return crossed > 0.7 * real
    ? "most of it is the sizes of sets, not their genes"
    : "part of it is their genes, not their sizes alone";
}

/** What is left of both levels. */
function plainWords(apoa2: number, between: Summary["sets"]["between"]): string {
  const genes =
    apoa2 <= 10
      ? "Units that are genes find the known locus, with less regard for the sizes of genes than groupRATE has"
      : "Units that are genes miss the known locus";
  const sets =
    between.real >= 0.3 && between.crossed < 0.5 * between.real
      ? "units that are sets say something that others of their sizes do not"
      : "units that are sets do not repeat well enough to be told from others of their sizes";
  return `**In plain words.** ${genes}; ${sets}. A layer with a name is not yet a layer with a meaning.`;
}
