import { meanWithError, plusMinus } from "../mean-with-error.ts";
import { studentWithin } from "../student.ts";
import { apoa2 } from "./apoa2.ts";
import { enrichmentIsUsual } from "./enrichment-control.ts";
import type { Gene } from "./genes.ts";
import { count, each, many, names } from "./plain-numbers.ts";
import type { TraitResult } from "./trait.ts";
import type { TraitAnswer } from "./trait-answer.ts";
import { countAbove, FDR, hits, mean } from "./trait-plan.ts";

/** What a correlation over a fifth of the mice may be by chance: two of its standard errors, 1/√n, where nothing is predicted. */
export const chance = ({ mice }: Pick<TraitResult, "mice">): number => 2 / Math.sqrt(mice / 5);

/** Whether these correlations say that anything is predicted. */
export const predicts = (result: TraitResult, correlations: readonly number[]): boolean =>
  mean(correlations) >= chance(result);

const mice = (traits: readonly TraitAnswer[]): string =>
  `${each(traits, (result) => count(result.mice))} mice`;

export function predictionText(traits: readonly TraitAnswer[]): string {
  const [{ result: first }] = traits;
  const splits = first.correlations.length;
  const how =
    splits === 1
      ? `one split of ${mice(traits)}`
      : `mean and standard error of ${splits} splits of ${mice(traits)}`;
  const left = first.others.map(
    ({ covariate, correlations }, o) =>
      `${each(traits, ({ others }) => plusMinus(meanWithError(others[o].correlations)))} with ${covariate}s taken out too (${many(correlations.length, "split")})`,
  );
  const less = traits.every(({ result }) =>
    result.others.every(({ correlations }) => mean(correlations) < mean(result.correlations) / 2),
  );
  const verdict = less
    ? "Much of that is likeness of relatives, for litters are families"
    : "Litters are families, and relatives stand on both sides of a split";
  const families = left.length > 0 ? ` ${verdict}: ${left.join(", ")}.` : "";
  const verb = traits.length === 1 ? "is" : "are";
  return `**Prediction.** ${names(traits)} of mice never seen ${verb} predicted with a correlation of ${each(traits, ({ correlations }) => plusMinus(meanWithError(correlations)))} (${how}).${families}`;
}

/** The linear model beside the network, and which is better. */
export function linearText(traits: readonly TraitAnswer[]): string {
  const of = (tell: (trait: TraitAnswer) => string): string => traits.map(tell).join(" and ");
  const [{ linear: first }] = traits;
  const one = first.correlations.length === 1;
  const left = first.others.map(
    ({ covariate }, o) =>
      `${of(({ linear }) => plusMinus(meanWithError(linear.others[o].correlations)))} with ${covariate}s taken out too`,
  );
  const others = left.length > 0 ? `; ${left.join(", ")}` : "";
  const compared = [
    `Network less ridge${one ? "" : ", split by split,"} is ${lessText(traits, ({ result, linear }) => lessOf(result.correlations, linear.correlations))}.`,
    ...first.others.map(
      ({ covariate }, o) =>
        `With ${covariate}s taken out it is ${lessText(traits, ({ result, linear }) => lessOf(result.others[o].correlations, linear.others[o].correlations))}.`,
    ),
  ];
  return `**A linear model**, ridge regression on the same SNPs and ${one ? "split" : "splits"} (the predictions of GBLUP), has ${of(({ linear }) => plusMinus(meanWithError(linear.correlations)))}${others}. ${compared.join(" ")}`;
}

const lessOf = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, s) => value - theirs[s]);

/** Differences of the traits, and which is better for which trait. */
function lessText(
  traits: readonly TraitAnswer[],
  differencesOf: (trait: TraitAnswer) => number[],
): string {
  const differences = traits.map(differencesOf);
  const values = differences.map((of) => plusMinus(meanWithError(of))).join(" and ");
  if (differences[0].length === 1) return `${values}; one split does not tell which is better`;
  const better = differences.map(betterOf);
  const verdicts = [...new Set(better)].map((which) => {
    const own = names(traits.filter((_, t) => better[t] === which));
    return `${which} is better${which === "neither" ? " beyond chance" : ""} for ${own}`;
  });
  return `${values}: ${verdicts.join(", ")}`;
}

/** By Student's t of the differences split by split: two sides, 5%. */
function betterOf(differences: readonly number[]): "the network" | "ridge regression" | "neither" {
  const { mean: difference, error } = meanWithError(differences);
  if (!(Math.abs(difference) > studentWithin(0.95, differences.length - 1) * error))
    return "neither";
  return difference > 0 ? "the network" : "ridge regression";
}

/** Where the paper's claim holds up, by what was measured. */
export function claimText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const predicted = traits.filter(({ result }) => predicts(result, result.correlations));
  const not = traits.filter((trait) => !predicted.includes(trait));
  const can =
    predicted.length > 0
      ? [`${names(predicted)} can be predicted from these SNPs${familyText(predicted)}`]
      : [];
  const cannot = not.length > 0 ? [`${names(not)} cannot, better than by chance`] : [];
  const prediction =
    predicted.length > 0
      ? [...can, ...cannot].join("; ")
      : `${names(not)} cannot be predicted from these SNPs better than by chance`;
  return `**What holds up of the paper's claim.** ${prediction}${locusText(traits, genes)}.${establishedText(traits)}`;
}

/** As far as families differ, or within them too. */
function familyText(predicted: readonly TraitAnswer[]): string {
  if (predicted.some(({ result }) => result.others.length === 0))
    return ", families not taken into account";
  const within = predicted.filter(({ result }) =>
    result.others.every(({ correlations }) => predicts(result, correlations)),
  );
  if (within.length === predicted.length) return ", within families too";
  return ` as far as families differ${within.length > 0 ? `, ${names(within)} within families too` : ""}`;
}

function locusText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const hdl = traits.find(({ plan }) => plan.name === "HDL");
  const found = hdl && apoa2(hdl.result.nulls.litter, genes);
  if (!found || found.hits === 0) return "";
  return `; HDL goes with the region of Apoa2, within litters too${found.runsAlike > 0 ? ", and not with it alone" : ""}`;
}

/** What is not established: genes where neither shares nor knockoffs leave any, sets where permuted traits give as many. */
function establishedText(traits: readonly TraitAnswer[]): string {
  const noGenes = traits.every(
    ({ result: { nulls, knockoffs } }) =>
      hits(nulls.shares.qValues) === 0 && !knockoffs?.found.qValues.some((q) => q <= FDR),
  );
  const noSets = traits.every(({ result }) => enrichmentIsUsual(result));
  if (noGenes && noSets)
    return " Neither single genes nor enriched sets are established by these data.";
  if (noGenes) return " Single genes are not established by these data.";
  return noSets ? " Enriched sets are not established by these data." : "";
}

/** Of permuted traits: nothing should be found, and what was. */
export function controlText(traits: readonly TraitAnswer[], genes: readonly Gene[]): string {
  const found = traits.some(
    ({ result }) =>
      predicts(result, result.correlations) ||
      hits(result.nulls.all.qValues) + hits(result.nulls.litter.qValues) > 0,
  );
  const were = traits.length === 1 ? "was" : "were";
  return `**A control.** ${names(traits)} ${were} permuted among the mice, so nothing should be found. Found ${found ? "was more than that" : "was nothing"}: a correlation of ${each(traits, ({ correlations }) => plusMinus(meanWithError(correlations)))} (chance gives up to ±${each(traits, (result) => chance(result).toFixed(2))}), and at a false discovery rate of ${FDR} against permuted traits ${each(traits, ({ nulls }) => count(hits(nulls.all.qValues)))} genes, within litters ${each(traits, ({ nulls }) => count(hits(nulls.litter.qValues)))}. The paper's rule, a share above 1/G, takes ${each(traits, ({ rate }) => count(countAbove(rate)))} of ${count(genes.length)} genes all the same.`;
}
