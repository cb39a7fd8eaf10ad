import { fold, type Key, rate } from "@ratewise/core";
import { residualNoiseVariance } from "@ratewise/core/effects";
import { spearman } from "@ratewise/core/evaluate";
import { forward, type Network, type Rows } from "@ratewise/core/network";
import { outputEffects } from "../output-effects.ts";
import { secondsNow } from "../stopwatch.ts";
import { runOptions, type StudyContext } from "../study/study.ts";
import { type MouseCovariate, mouseCovariates, traitResiduals } from "./covariates.ts";
import { type Enrichment, enrichedSets } from "./enrichment.ts";
import { type GeneNulls, geneNulls } from "./gene-null.ts";
import type { Gene } from "./genes.ts";
import { genotypeRows, scalesOf } from "./genotype-rows.ts";
import { type GeneMimics, geneMimics } from "./mimics.ts";
import { heldOutCorrelation, type TraitRows, trainOnGenotypes, traitRows } from "./network.ts";
import { type Mice, minorAlleleFrequencies } from "./read-mice.ts";
import { permutedMice, type Refit, type RefitTest, refitTest } from "./refits.ts";
import { type Region, type RegionSelection, regionsOf, selectRegions } from "./region-knockoffs.ts";

export interface Sizes {
  readonly epochs: number;
  readonly splits: number;
  readonly permutations: number;
  readonly trees: number;
  /** Networks trained on permuted traits, among all mice and as many within litters. */
  readonly refits: number;
  /** Splits with each other covariate taken out. */
  readonly otherSplits: number;
}

export interface TraitResult {
  readonly mice: number;
  /** Share of the trait's variance that sex and the covariates asked for had. */
  readonly explained: number;
  /** SNPs whose rarer allele has 5% or more. */
  readonly common: number;
  readonly correlations: readonly number[];
  /** With other covariates taken out too. */
  readonly others: readonly {
    readonly covariate: MouseCovariate;
    readonly explained: number;
    readonly correlations: readonly number[];
  }[];
  /** Shares of groupRATE, in the order of the genes. */
  readonly rate: Float64Array;
  /** Processor seconds from the Gaussian of the effect sizes to these shares. */
  readonly rateSeconds: number;
  readonly sizeCorrelation: number;
  readonly mimics: GeneMimics | null;
  readonly nulls: GeneNulls;
  readonly enriched: readonly Enrichment[];
  /** Sets that the genes above 1/G of each mimic seem to enrich. */
  readonly mimicSets: Readonly<Record<keyof GeneMimics, readonly Enrichment[]>> | null;
  /** The paper's rule on the same mice with the trait permuted: genes above 1/G, and sets that seem enriched, of every refit. */
  readonly control: {
    readonly above: readonly number[];
    readonly enriched: readonly (readonly string[])[];
  };
  readonly refits: { readonly all: RefitTest; readonly litter: RefitTest } | null;
  readonly knockoffs: {
    readonly regions: readonly Region[];
    readonly found: RegionSelection;
  } | null;
}

export interface TraitInput {
  readonly mice: Mice;
  readonly trait: string;
  readonly genes: readonly Gene[];
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>;
  readonly sizes: Sizes;
  readonly covariates: readonly MouseCovariate[];
  readonly fdr: number;
  /** The small version: no mimics, no refits within litters, no knockoffs. */
  readonly small: boolean;
}

/** Stages of a trait beside the paper's own work and its fast calibration. */
export const EXTRA = [
  "other covariates",
  "refits",
  "refits within litters",
  "knockoffs",
  "ridge regression",
] as const;

/** One trait from residuals to genes: prediction, groupRATE, mimics, enrichment, calibrated p-values, refits, knockoffs. */
export async function analyseTrait(
  { mice, trait, genes, sets, sizes, covariates, fdr, small }: TraitInput,
  context: StudyContext,
  key: Key,
): Promise<TraitResult> {
  const run = runOptions(context);
  const { stage, permuted } = context;
  const named = (what: string): string => `${trait}: ${what}`;
  const { values, explained } = traitResiduals(mice, trait, covariates);
  const own = traitRows(values, permuted ? fold(key, "permuted") : null);
  const { rows, y } = own;
  const heldOut = async (of: TraitRows, splits: number, name: string): Promise<number[]> => {
    const out: number[] = [];
    for (let s = 0; s < splits; s++)
      out.push(
        await stage(named(name), () =>
          heldOutCorrelation(mice, of, fold(key, "split", s), sizes.epochs, run),
        ),
      );
    return out;
  };
  const correlations = await heldOut(own, sizes.splits, "held-out mice");
  const X = genotypeRows(mice, rows, scalesOf(mice, rows));
  const network = await stage(named("train"), () =>
    trainOnGenotypes(X, y, fold(key, "network"), sizes.epochs, run),
  );
  const observed = await stage(named("groupRATE"), async () => geneScores(network, X, y, genes));
  const mimics = small
    ? null
    : await stage(named("mimics"), () =>
        geneMimics(X, forward(network, X).mean.data, genes, {
          ...run,
          key: fold(key, "mimics"),
          trees: sizes.trees,
        }),
      );
  const nulls = await stage(named("null"), () =>
    geneNulls(mice, own, genes, {
      ...run,
      ...{ epochs: sizes.epochs, permutations: sizes.permutations, key: fold(key, "null") },
    }),
  );
  const refit = (name: (typeof EXTRA)[number], b: number, labels: readonly string[] | number) =>
    stage(named(name), async (): Promise<Refit> => {
      const its = fold(key, name, b);
      const shuffled = permutedMice(fold(its, "mice"), labels);
      const response = Float64Array.from(shuffled, (i) => y[i]);
      const other = await trainOnGenotypes(X, response, fold(its, "network"), sizes.epochs, run);
      return geneScores(other, X, response, genes);
    });
  const among: Refit[] = [];
  const within: Refit[] = [];
  const litters = Array.from(rows, (mouse) => mice.litter[mouse]);
  for (let b = 0; b < sizes.refits; b++) among.push(await refit("refits", b, rows.length));
  for (let b = 0; b < (small ? 0 : sizes.refits); b++)
    within.push(await refit("refits within litters", b, litters));
  const regions = small ? [] : regionsOf(mice, rows);
  const found = small
    ? null
    : await stage(named("knockoffs"), () =>
        selectRegions(mice, own, regions, {
          ...run,
          ...{ epochs: sizes.epochs, fdr, key: fold(key, "regions") },
        }),
      );
  const others: TraitResult["others"][number][] = [];
  for (const covariate of sizes.otherSplits > 0 ? mouseCovariates : []) {
    const less = traitResiduals(mice, trait, [...new Set([...covariates, covariate])]);
    const of = traitRows(less.values, permuted ? fold(key, "permuted") : null);
    others.push({
      covariate,
      explained: less.explained,
      correlations: await heldOut(of, sizes.otherSplits, "other covariates"),
    });
  }
  const enrichedBy = (shares: Float64Array): Enrichment[] =>
    enrichedSets(aboveRule(shares, genes), genes, sets).filter(({ qValue }) => qValue < 0.05);
  return {
    mice: rows.length,
    explained,
    common: minorAlleleFrequencies(mice, rows).filter((share) => share >= 0.05).length,
    correlations,
    others,
    rate: observed.rate,
    rateSeconds: observed.rateSeconds,
    sizeCorrelation: spearman(
      observed.rate,
      genes.map(({ members }) => members.length),
    ),
    mimics,
    nulls,
    enriched: enrichedBy(observed.rate),
    mimicSets: mimics && {
      groupLasso: enrichedBy(mimics.groupLasso),
      groupForest: enrichedBy(mimics.groupForest),
    },
    control: {
      above: among.map(({ rate: shares }) => aboveRule(shares, genes).length),
      enriched: among.map(({ rate: shares }) => enrichedBy(shares).map(({ set }) => set)),
    },
    refits: small
      ? null
      : { all: refitTest(observed, among, fdr), litter: refitTest(observed, within, fdr) },
    knockoffs: found && { regions, found },
  };
}

function aboveRule(shares: Float64Array, genes: readonly Gene[]): Gene[] {
  return genes.filter((_, g) => shares[g] > 1 / genes.length);
}

/** groupRATE of the genes, by covariance effects on the rows the network was trained on, and the processor seconds of its last step. */
function geneScores(
  network: Network,
  X: Rows,
  y: Float64Array,
  genes: readonly Gene[],
): Refit & { readonly rateSeconds: number } {
  const { hidden, mean } = forward(network, X);
  const effects = outputEffects(network, X, hidden, residualNoiseVariance(y, mean.data));
  const start = secondsNow();
  const { kld, rate: shares } = rate(effects, { groups: genes }).groups!;
  return { kld, rate: shares, rateSeconds: secondsNow() - start };
}
