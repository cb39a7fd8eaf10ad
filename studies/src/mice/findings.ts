import { mean, meanWithError } from "../mean-with-error.ts";
import { placeOf } from "../ranking.ts";
import { RATE_SHARE, RATE_SHARE_LINE, TOGETHER_LINE } from "../rate-times.ts";
import {
  atLeast,
  atMost,
  type Finding,
  finding,
  type StudyContext,
  settledAfterwards,
} from "../study/study.ts";
import { APOA2_PLACE, apoa2, nearApoa2 } from "./apoa2.ts";
import type { TraitAnswer } from "./baseline.ts";
import type { Gene } from "./genes.ts";
import { EXTRA, type TraitResult } from "./trait.ts";
import { countAbove, FDR, hits, PAPER_GENES, rankOf } from "./trait-plan.ts";

const MINUTES = 5;

const line = (what: string, ours: Finding["ours"], paper: Finding["paper"] = null): Finding =>
  finding(what, paper, ours);

/** Everything about a trait beside the paper's numbers and what is asked. */
export function findingsOf(
  trait: TraitAnswer,
  genes: readonly Gene[],
  context: Pick<StudyContext, "processorSeconds">,
): Finding[] {
  const { plan, result } = trait;
  const { mimics, mimicSets, nulls, rate, control, correlations } = result;
  const rows = [
    finding(
      `correlation in held-out mice, mean of ${correlations.length} splits`,
      ...([null, mean(correlations), atLeast(plan.correlation)] as const),
    ),
    ...predictionFindings(trait),
    line("mice that have the trait", result.mice),
    line("SNPs whose rarer allele has 5% or more", result.common),
    line("genes", genes.length, PAPER_GENES),
    line("genes above 1/G, groupRATE", countAbove(rate), plan.paper[0]),
    ...(mimics
      ? [
          line("genes above 1/G, group lasso mimic", countAbove(mimics.groupLasso), plan.paper[1]),
          line(
            "genes above 1/G, group forest mimic",
            countAbove(mimics.groupForest),
            plan.paper[2],
          ),
        ]
      : []),
    line("place of Sgcz by groupRATE", rankOf("Sgcz", rate, genes), plan.sgcz),
    line("place of Nrg1 by groupRATE", rankOf("Nrg1", rate, genes)),
    line("Spearman of groupRATE and SNPs in the gene", result.sizeCorrelation),
    line("sets of dbGaP with q < 0.05, genes above 1/G", result.enriched.length),
    ...(mimicSets
      ? [
          line("sets of dbGaP, group lasso mimic", mimicSets.groupLasso.length),
          line("sets of dbGaP, group forest mimic", mimicSets.groupForest.length),
        ]
      : []),
    ...permutedFindings("genes above 1/G", control.above),
    ...permutedFindings(
      "sets of dbGaP with q < 0.05",
      control.enriched.map((sets) => sets.length),
    ),
    line(`genes at q ≤ ${FDR}, calibrated`, hits(nulls.all.qValues)),
    line("genes at the least p-value there, calibrated", atLeastP(nulls.all.pValues)),
    line(`genes at q ≤ ${FDR}, calibrated within litters`, hits(nulls.litter.qValues)),
    line("p-values within litters, four fifths of them", fourFifths(nulls.litter.pValues)),
    line(`genes at q ≤ ${FDR}, shares calibrated`, hits(nulls.shares.qValues)),
    ...refitFindings(result),
    ...regionFindings(result),
    ...(plan.name === "HDL" ? apoa2Findings(result, genes) : []),
    ...timeFindings(trait, context),
  ];
  return rows.map((row) => ({ ...row, what: `${plan.name}: ${row.what}` }));
}

/** Correlations in held-out mice with their standard errors, those of ridge regression beside the network's. */
function predictionFindings({ result, linear }: TraitAnswer): Finding[] {
  const pair = (taken: string, ours: readonly number[], theirs: readonly number[]): Finding[] => {
    const splits = `${taken}, mean and standard error of ${ours.length} splits`;
    return [
      line(`correlation, network${splits}`, meanWithError(ours)),
      line(`correlation, ridge regression${splits}`, meanWithError(theirs)),
      line(`network less ridge${splits}`, meanWithError(ours.map((each, s) => each - theirs[s]))),
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
  const permuted = `${what} with the trait permuted`;
  return [
    line(`${permuted}, mean of ${values.length}`, Math.round(mean(values))),
    line(`${permuted}, range`, `${Math.min(...values)} to ${Math.max(...values)}`),
  ];
}

/** How many genes have the least: permutations tell nothing of these apart. */
function atLeastP(pValues: Float64Array): number {
  const least = Math.min(...pValues);
  return pValues.filter((p) => p === least).length;
}

function fourFifths(values: Float64Array): string {
  const sorted = values.slice().sort();
  const ends = [0.1, 0.9].map((part) => sorted[Math.floor(part * values.length)]);
  return ends.map((value) => value.toPrecision(2)).join(" to ");
}

function refitFindings({ refits }: TraitResult): Finding[] {
  if (!refits) return [];
  return (["all", "litter"] as const).flatMap((which) => {
    const { refits: count, aboveAll, expected, found, foundByShares } = refits[which];
    const how = which === "all" ? "" : " within litters";
    const chance = ` (by chance ${expected.toFixed(0)})`;
    return [
      line(`genes above each of ${count} full refits${how}${chance}`, aboveAll),
      line(`genes at q ≤ ${FDR} by full refits${how}`, found),
      line(`genes at q ≤ ${FDR} by shares in full refits${how}`, foundByShares),
    ];
  });
}

function regionFindings({ knockoffs }: TraitResult): Finding[] {
  if (!knockoffs) return [];
  const { regions, found } = knockoffs;
  const at = (rate: number): number => found.qValues.filter((q) => q <= rate).length;
  return [
    line("regions of 5 Mb", regions.length),
    line(`regions selected by knockoffs at ${FDR}`, at(FDR)),
    line("regions selected by knockoffs at 0.2", at(0.2)),
  ];
}

function apoa2Findings({ nulls, knockoffs }: TraitResult, genes: readonly Gene[]): Finding[] {
  const litter = apoa2(nulls.litter, genes);
  const within = "genes around Apoa2 among those within litters";
  const runs = `of ${litter.runs.toLocaleString("en")} runs of ${litter.genes} neighbours elsewhere`;
  return [
    line(`genes around Apoa2 (${APOA2_PLACE})`, litter.genes),
    line("genes around Apoa2 among the calibrated", apoa2(nulls.all, genes).hits),
    settledAfterwards(finding(within, null, litter.hits, atLeast(1))),
    line("p of as many or more around Apoa2 within litters, hypergeometric", litter.pValue),
    line(`${runs}, as many or more within litters in`, litter.runsAlike),
    line("least p-value around Apoa2, within litters", litter.least),
    ...(knockoffs ? [regionPlace(knockoffs)] : []),
  ];
}

function regionPlace({ regions, found }: NonNullable<TraitResult["knockoffs"]>): Finding {
  const places = regions.flatMap(({ chromosome, from, to }, r) =>
    nearApoa2(chromosome, from, to - 1) ? [placeOf(found.statistics, r)] : [],
  );
  return line("best place of a region around Apoa2 by knockoff statistic", Math.min(...places));
}

/** The paper's own work and its fast calibration; what is beside them is told apart. Of processors: a busy machine lengthens the clock's seconds. */
function timeFindings(
  { plan: { column }, result: { rateSeconds } }: TraitAnswer,
  { processorSeconds }: Pick<StudyContext, "processorSeconds">,
): Finding[] {
  const own = Object.keys(processorSeconds).filter((stage) => stage.startsWith(column));
  const extra = own.filter((stage) => EXTRA.some((name) => stage === `${column}: ${name}`));
  const usual = own.filter((stage) => !extra.includes(stage));
  const sum = (stages: readonly string[]): number =>
    stages.reduce((total, stage) => total + processorSeconds[stage], 0);
  const whole = sum(usual);
  const beside = "refits, knockoffs, other covariates and ridge regression";
  const together = processorSeconds[`${column}: groupRATE`] / whole;
  return [
    finding(`minutes of processors, without ${beside}`, null, whole / 60, atMost(MINUTES)),
    line(`minutes of processors for ${beside}`, sum(extra) / 60),
    finding(RATE_SHARE_LINE, null, rateSeconds / whole, atMost(RATE_SHARE)),
    line(TOGETHER_LINE, together),
  ];
}

/** Bars that permuted traits miss: the Spearman correlation with gene size has none, for it is as large of those. */
export function quickFindings(
  { plan, result: { correlations, nulls, sizeCorrelation }, linear }: TraitAnswer,
  genes: readonly Gene[],
): Finding[] {
  const against = "against permuted traits";
  const least = apoa2(nulls.all, genes).least;
  const rows = [
    finding("correlation in held-out mice", null, mean(correlations), atLeast(0.3)),
    line("correlation of ridge regression in the same mice", mean(linear.correlations)),
    line("Spearman of groupRATE and SNPs in the gene", sizeCorrelation),
    finding(`least p-value around Apoa2, ${against}`, null, least, atMost(0.005)),
    finding(`genes at q ≤ ${FDR}, ${against}`, null, hits(nulls.all.qValues), atLeast(1)),
  ];
  return rows.map((row) => ({ ...row, what: `${plan.name}: ${row.what}` }));
}
