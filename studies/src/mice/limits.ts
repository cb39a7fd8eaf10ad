import type { GeneticVariant } from "@ratewise/core/data";
import * as elementary from "@ratewise/core/elementary";
import type { Gene } from "./genes.ts";
import { count, each, probability } from "./plain-numbers.ts";
import type { TraitAnswer } from "./trait-answer.ts";
import { countAbove, PAPER_GENES } from "./trait-plan.ts";

const percent = (share: number): string => `${Number((100 * share).toPrecision(2))}%`;

/** What these numbers do not say, or what was not done. */
export function limitsOf(
  traits: readonly TraitAnswer[],
  genes: readonly Gene[],
  variants: readonly GeneticVariant[],
): string[] {
  return [
    gapText(traits),
    largestText(traits, genes, variants),
    traits[0].result.correlations.length > 1
      ? "Splits of the same mice overlap, so their standard errors are rather too small, and relatives stand on both sides of a split."
      : "Relatives stand on both sides of the split.",
    ...(traits.some(({ result }) => result.others.length > 0)
      ? [
          "With cages or litters taken out, what is left of the mice of one of them adds up to zero, unseen mice included: relatives then differ by construction. Correlations somewhat below zero are no finding, least of all those of ridge regression, which predicts by relatedness; network less ridge is somewhat too large there.",
        ]
      : []),
  ];
}

/** How far the count of the paper's rule is from the paper's, and what is known of why. */
function gapText(traits: readonly TraitAnswer[]): string {
  const printed = traits.map(({ plan }) => plan.paper[0]);
  const times = traits.map(({ result }, t) => Math.round(countAbove(result.rate) / printed[t]));
  const first = traits.map(({ result }, t) =>
    percent(sum(sorted(result.rate).slice(0, printed[t]))),
  );
  return `Why ${each(traits, ({ rate }) => count(countAbove(rate)))} genes are above 1/G here, ${times.join(" and ")} times the paper's ${printed.join(" and ")}, is not explained. The paper's network of 512-512-512 units with dropout and its list of ${count(PAPER_GENES)} genes were not tried: its rule is judged by the networks here alone. What is known: the count depends on how the shares are spread, not on how much is found. Here the largest share is ${each(traits, ({ rate }) => percent(Math.max(...rate)))}, the first ${printed.join(" and ")} genes hold ${first.join(" and ")}, and the shares are spread as over ${each(traits, ({ rate }) => count(evenNumber(rate)))} equal ones (exponential of their entropy). So few above their mean as in the paper come of a few very large shares, or of nearly equal ones.`;
}

/** The gene with the most SNPs: what of its share is its size. */
function largestText(
  traits: readonly TraitAnswer[],
  genes: readonly Gene[],
  variants: readonly GeneticVariant[],
): string {
  const bySize = [...genes.keys()].sort(
    (a, b) => genes[b].members.length - genes[a].members.length,
  );
  const [g, next] = bySize;
  const { name, members, place } = genes[g];
  const at = members.map((column) => variants[column].position / 1e6);
  const [from, to] = [Math.min(...at), Math.max(...at)].map((mb) => mb.toFixed(1));
  const own = (of: (typeof traits)[number]["result"]["nulls"]["all"]): string =>
    probability(of.pValues[g]);
  const told = traits.map(
    ({ plan, result: { rate, nulls } }) =>
      `${percent(rate[g])} of ${plan.name} (place ${1 + rate.filter((share) => share > rate[g]).length}; p ${own(nulls.all)}, within litters ${own(nulls.litter)}, of its share ${own(nulls.shares)})`,
  );
  const bySizeAlone = traits.every(({ result }) => result.nulls.shares.pValues[g] > 0.05)
    ? ". Permuted traits too give it shares as large: they come with its size"
    : "";
  return `The gene with most SNPs, ${name}, has ${members.length}, from ${from} to ${to} Mb of chromosome ${place.chromosome}; the next has ${genes[next].members.length}. It is kept as MGI has it, and is less a gene than a stretch of a chromosome. It has ${told.join(" and ")}${bySizeAlone}.`;
}

/** exp(−Σ s log s): as many equal shares have the same entropy. */
export function evenNumber(shares: Float64Array): number {
  return elementary.exp(
    -shares.reduce((total, share) => total + (share > 0 ? share * elementary.log(share) : 0), 0),
  );
}

const sorted = (shares: Float64Array): Float64Array => shares.slice().sort().reverse();
const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
