import { meanWithError, plusMinus } from "../mean-with-error.ts";
import {
  atLeast,
  atMost,
  type Finding,
  finding,
  type StudyContext,
  settledAfterwards,
} from "../study/study.ts";
import { APOA2_PLACE, apoa2, nearApoa2 } from "./apoa2.ts";
import type { Gene } from "./genes.ts";
import { quantile } from "./plain-numbers.ts";
import { EXTRA, type TraitResult } from "./trait.ts";
import type { TraitAnswer } from "./trait-answer.ts";
import { countAbove, FDR, hits, mean, PAPER_GENES, rankOf, type TraitPlan } from "./trait-plan.ts";

const MINUTES = 5;
const RATE_SHARE = 0.01;

/** Everything about a trait beside the paper's numbers and what is asked. */
export function findingsOf(
  { plan, result, linear }: TraitAnswer,
  genes: readonly Gene[],
  context: StudyContext,
): Finding[] {
  const { mimics, mimicSets, nulls, rate, control } = result;
  const rows: Finding[] = [
    finding(
      `correlation in held-out mice, mean of ${result.correlations.length} splits`,
      null,
      mean(result.correlations),
      atLeast(plan.correlation),
    ),
    ...predictionFindings(result, linear),
    finding("mice that have the trait", null, result.mice),
    finding("SNPs whose rarer allele has 5% or more", null, result.common),
    finding("genes", PAPER_GENES, genes.length),
    finding("genes above 1/G, groupRATE", plan.paper[0], countAbove(rate)),
    ...(mimics
      ? [
          finding(
            "genes above 1/G, group lasso mimic",
            plan.paper[1],
            countAbove(mimics.groupLasso),
          ),
          finding(
            "genes above 1/G, group forest mimic",
            plan.paper[2],
            countAbove(mimics.groupForest),
          ),
        ]
      : []),
    finding("place of Sgcz by groupRATE", plan.sgcz, rankOf("Sgcz", rate, genes)),
    finding("place of Nrg1 by groupRATE", null, rankOf("Nrg1", rate, genes)),
    finding("Spearman of groupRATE and SNPs in the gene", null, result.sizeCorrelation),
    finding("sets of dbGaP with q < 0.05, genes above 1/G", null, result.enriched.length),
    ...(mimicSets
      ? [
          finding("sets of dbGaP, group lasso mimic", null, mimicSets.groupLasso.length),
          finding("sets of dbGaP, group forest mimic", null, mimicSets.groupForest.length),
        ]
      : []),
    ...permutedFindings("genes above 1/G", control.above),
    ...permutedFindings(
      "sets of dbGaP with q < 0.05",
      control.enriched.map((sets) => sets.length),
    ),
    finding(`genes at q ≤ ${FDR}, calibrated`, null, hits(nulls.all.qValues)),
    finding(`genes at q ≤ ${FDR}, calibrated within litters`, null, hits(nulls.litter.qValues)),
    finding("p-values within litters, four fifths of them", null, fourFifths(nulls.litter.pValues)),
    finding(`genes at q ≤ ${FDR}, shares calibrated`, null, hits(nulls.shares.qValues)),
    ...refitFindings(result),
    ...regionFindings(result),
    ...(plan.name === "HDL" ? apoa2Findings(result, genes) : []),
    ...timeFindings(plan, result, context),
  ];
  return rows.map((row) => ({ ...row, what: `${plan.name}: ${row.what}` }));
}

/** Correlations in held-out mice with their standard errors, those of ridge regression beside the network's. */
function predictionFindings(result: TraitResult, linear: TraitAnswer["linear"]): Finding[] {
  const pair = (taken: string, ours: readonly number[], theirs: readonly number[]): Finding[] => {
    const splits = `${taken}, mean and standard error of ${ours.length} splits`;
    const less = ours.map((value, s) => value - theirs[s]);
    return [
      finding(`correlation, network${splits}`, null, plusMinus(meanWithError(ours))),
      finding(`correlation, ridge regression${splits}`, null, plusMinus(meanWithError(theirs))),
      finding(`network less ridge${splits}`, null, plusMinus(meanWithError(less))),
    ];
  };
  return [
    ...pair("", result.correlations, linear.correlations),
    ...result.others.flatMap(({ covariate, correlations }, o) =>
      pair(`, ${covariate} taken out too`, correlations, linear.others[o].correlations),
    ),
  ];
}

function permutedFindings(what: string, values: readonly number[]): Finding[] {
  return [
    finding(
      `${what} with the trait permuted, mean of ${values.length}`,
      null,
      Math.round(mean(values)),
    ),
    finding(
      `${what} with the trait permuted, range`,
      null,
      `${Math.min(...values)} to ${Math.max(...values)}`,
    ),
  ];
}

function fourFifths(values: Float64Array): string {
  return [0.1, 0.9].map((part) => quantile(values, part).toPrecision(2)).join(" to ");
}

function refitFindings({ refits }: TraitResult): Finding[] {
  if (!refits) return [];
  return (["all", "litter"] as const).flatMap((which) => {
    const { refits: count, aboveAll, expected, found, foundByShares } = refits[which];
    const how = which === "all" ? "" : " within litters";
    return [
      finding(
        `genes above each of ${count} full refits${how} (by chance ${expected.toFixed(0)})`,
        null,
        aboveAll,
      ),
      finding(`genes at q ≤ ${FDR} by full refits${how}`, null, found),
      finding(`genes at q ≤ ${FDR} by shares in full refits${how}`, null, foundByShares),
    ];
  });
}

function regionFindings({ knockoffs }: TraitResult): Finding[] {
  if (!knockoffs) return [];
  const { regions, found } = knockoffs;
  const at = (rate: number): number => found.qValues.filter((q) => q <= rate).length;
  return [
    finding("regions of 5 Mb", null, regions.length),
    finding(`regions selected by knockoffs at ${FDR}`, null, at(FDR)),
    finding("regions selected by knockoffs at 0.2", null, at(0.2)),
  ];
}

function apoa2Findings({ nulls, knockoffs }: TraitResult, genes: readonly Gene[]): Finding[] {
  const litter = apoa2(nulls.litter, genes);
  const place =
    knockoffs &&
    Math.min(
      ...knockoffs.regions.flatMap(({ chromosome, from, to }, r) =>
        nearApoa2(chromosome, from, to - 1)
          ? [1 + knockoffs.found.statistics.filter((w) => w > knockoffs.found.statistics[r]).length]
          : [],
      ),
    );
  return [
    finding(`genes around Apoa2 (${APOA2_PLACE})`, null, litter.genes),
    finding("genes around Apoa2 among the calibrated", null, apoa2(nulls.all, genes).hits),
    settledAfterwards(
      finding("genes around Apoa2 among those within litters", null, litter.hits, atLeast(1)),
    ),
    finding(
      "p of as many or more around Apoa2 within litters, hypergeometric",
      null,
      litter.pValue,
    ),
    finding(
      `of ${litter.runs.toLocaleString("en")} runs of ${litter.genes} neighbours elsewhere, as many or more within litters in`,
      null,
      litter.runsAlike,
    ),
    finding("least p-value around Apoa2, within litters", null, litter.least),
    ...(place === null
      ? []
      : [finding("best place of a region around Apoa2 by knockoff statistic", null, place)]),
  ];
}

/** The paper's own work and its fast calibration; what is beside them is told apart. Of processors: the clock's seconds, which a busy machine lengthens, stand in the record. */
function timeFindings(
  { column }: TraitPlan,
  { rateSeconds }: TraitResult,
  { processorSeconds }: StudyContext,
): Finding[] {
  const own = Object.keys(processorSeconds).filter((stage) => stage.startsWith(column));
  const extra = own.filter((stage) => EXTRA.some((name) => stage === `${column}: ${name}`));
  const usual = own.filter((stage) => !extra.includes(stage));
  const sum = (stages: readonly string[]): number =>
    stages.reduce((total, stage) => total + processorSeconds[stage], 0);
  const whole = sum(usual);
  return [
    finding(
      "minutes of processors, without refits, knockoffs, other covariates and ridge regression",
      null,
      whole / 60,
      atMost(MINUTES),
    ),
    finding(
      "minutes of processors for refits, knockoffs, other covariates and ridge regression",
      null,
      sum(extra) / 60,
    ),
    finding("share of the RATE step in the whole", null, rateSeconds / whole, atMost(RATE_SHARE)),
    finding(
      "share of hidden layer, effect sizes and RATE together in the whole",
      null,
      processorSeconds[`${column}: groupRATE`] / whole,
    ),
  ];
}

/** Bars that permuted traits miss: the Spearman correlation with gene size has none, for it is as large of those. */
export function quickFindings(
  { plan, result: { correlations, nulls, sizeCorrelation }, linear }: TraitAnswer,
  genes: readonly Gene[],
): Finding[] {
  const of = (what: string): string => `${plan.name}: ${what}`;
  return [
    finding(of("correlation in held-out mice"), null, mean(correlations), atLeast(0.3)),
    finding(
      of("correlation of ridge regression in the same mice"),
      null,
      mean(linear.correlations),
    ),
    finding(of("Spearman of groupRATE and SNPs in the gene"), null, sizeCorrelation),
    finding(
      of("least p-value around Apoa2, against permuted traits"),
      null,
      apoa2(nulls.all, genes).least,
      atMost(0.005),
    ),
    finding(
      of(`genes at q ≤ ${FDR}, against permuted traits`),
      null,
      hits(nulls.all.qValues),
      atLeast(1),
    ),
  ];
}
