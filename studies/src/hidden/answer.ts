import { type MeanWithError, plusMinus } from "../mean-with-error.ts";
import { APOA2_PLACE } from "../mice/apoa2.ts";
import { studentWithin } from "../student.ts";
import { orderOf, type Summary } from "./summary.ts";
import type { Levels } from "./wired-network.ts";

/** The set that should matter for this trait, if sets do. */
export const OWN_SET = "Cholesterol, HDL";
/** Mean correlation that dense networks of 32-16 units have in the recorded study `mice`, on its splits. */
export const DENSE = 0.608;
/** A gene of the known locus among this many is called found: of 22 genes in 4,287 one in twenty would be by chance. */
const FOUND = 10;

export interface Named {
  readonly name: string;
}

export interface HiddenAnswer {
  readonly summary: Summary;
  readonly splits: number;
  /** Mice that have the trait. */
  readonly mice: number;
  readonly permuted: boolean;
  readonly sets: readonly Named[];
  readonly genes: readonly Named[];
  readonly levels: Pick<Levels, "genes" | "sets">;
  /** The unit of all genes in no set, which is not ranked: its genes and its share. */
  readonly rest: { readonly genes: number; readonly share: number } | null;
}

/** What came out, in plain sentences. */
export function answerOf(answer: HiddenAnswer): string[] {
  const { permuted } = answer;
  return [
    ...(permuted ? [controlText(answer)] : []),
    predictionText(answer),
    genesText(answer),
    setsText(answer),
    ...(permuted ? [] : [plainWords(answer)]),
  ];
}

const fixed = (value: number): string => value.toFixed(2).replace("-", "−");
const first = (shares: Float64Array, nameOf: (at: number) => string): string =>
  orderOf(shares).slice(0, 5).map(nameOf).join(", ");

function predictionText({ summary, splits, permuted }: HiddenAnswer): string {
  const { real, exchanged, difference } = summary;
  const dense =
    permuted || splits === 1
      ? ""
      : `; dense networks have ${DENSE.toFixed(2)} in the recorded study of the mice, on other splits`;
  const verdict = beyondChance(difference, splits)
    ? difference.mean > 0
      ? "do help"
      : "do worse"
    : "are no help that could be told from chance";
  const told =
    splits > 1
      ? ` The difference of the two is ${plusMinus(difference)}: the real sets ${verdict}.`
      : "";
  return `**Prediction.** Wired by genes and sets the network predicts HDL in unseen mice with a correlation of ${plusMinus(real)}, with exchanged sets ${plusMinus(exchanged)}${dense}.${told}`;
}

/** By Student's t, two sides, 5%. */
const beyondChance = ({ mean, error }: MeanWithError, splits: number): boolean =>
  splits > 1 && Math.abs(mean) > studentWithin(0.95, splits - 1) * error;

function genesText({ summary, genes, levels }: HiddenAnswer): string {
  const { apoa2, withSize } = summary.genes;
  return `**Genes.** First by RATE of their units are ${first(levels.genes, (g) => genes[g].name)}. The best gene around Apoa2, a known locus (${APOA2_PLACE}), has place ${apoa2.units} (${apoa2.groups} by groupRATE of its SNPs). The number of SNPs matters ${sizeMatters(withSize)} than to groupRATE (Spearman ${fixed(withSize.units)} and ${fixed(withSize.groups)}).`;
}

const sizeMatters = ({ units, groups }: Summary["genes"]["withSize"]): "less" | "more" =>
  Math.abs(units) < Math.abs(groups) ? "less" : "more";

function setsText({ summary, splits, sets, levels, rest }: HiddenAnswer): string {
  const { own, between } = summary.sets;
  const apart = rest
    ? ` The unit of the ${rest.genes.toLocaleString("en")} genes in no set is not ranked with them; its share is ${(100 * rest.share).toFixed(1)}%.`
    : "";
  const repeated =
    splits > 1
      ? ` From split to split the ranking agrees with Spearman ${fixed(between.real)} (real with exchanged sets ${fixed(between.crossed)}): ${repeats(between)}.`
      : "";
  const place = splits > 1 ? "median place" : "place";
  return `**Sets.** First are ${first(levels.sets, (s) => `“${sets[s].name}”`)}.${apart} “${OWN_SET}” has the ${place} ${own.real} of ${sets.length}, and ${own.exchanged} when other genes carry its name.${repeated}`;
}

function repeats({ real, crossed }: Summary["sets"]["between"]): string {
  if (real < 0.3) return "it hardly repeats itself";
  return crossed > 0.7 * real
    ? "most of it is the sizes of sets, not their genes"
    : "part of it is their genes, not their sizes alone";
}

/** What is left of both levels; of one split nothing is said of sets, for nothing is repeated. */
function plainWords({ summary, splits }: HiddenAnswer): string {
  const { apoa2, withSize } = summary.genes;
  const { between } = summary.sets;
  const genes =
    apoa2.units <= FOUND
      ? `Units that are genes find the known locus, with ${sizeMatters(withSize)} regard for the sizes of genes than groupRATE has`
      : "Units that are genes miss the known locus";
  if (splits === 1) return `**In plain words.** ${genes}.`;
  const sets =
    between.real >= 0.3 && between.crossed < 0.5 * between.real
      ? "units that are sets say something that others of their sizes do not"
      : "units that are sets do not repeat well enough to be told from others of their sizes";
  return `**In plain words.** ${genes}; ${sets}.`;
}

/** Of a permuted trait: nothing should be found, and what was. */
function controlText({ summary, mice }: HiddenAnswer): string {
  // Two standard errors of a correlation over the fifth that was not seen.
  const chance = 2 / Math.sqrt(mice / 5);
  const { real, genes } = summary;
  const found = real.mean >= chance || genes.apoa2.units <= FOUND;
  return `**A control.** HDL was permuted among the mice, so nothing should be found. Found was ${found ? "more than that" : "nothing"}: a correlation of ${plusMinus(real)} (chance gives up to ±${chance.toFixed(2)}), and the best gene around Apoa2 has place ${genes.apoa2.units}.`;
}
