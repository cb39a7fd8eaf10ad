import {
  effectSizes,
  fold,
  forward,
  type Key,
  type Network,
  outputLayer,
  permutation,
  type Rows,
  type RunOptions,
  rate,
  regressOut,
  residualNoiseVariance,
  spearman,
} from "@ratewise/core";
import type { StudyContext } from "../study/study.ts";
import { type Enrichment, enrichedSets } from "./enrichment.ts";
import { type GeneNulls, geneNulls } from "./gene-null.ts";
import type { Gene } from "./genes.ts";
import { genotypeRows, scalesOf } from "./genotype-rows.ts";
import { type GeneMimics, geneMimics } from "./mimics.ts";
import { heldOutCorrelation, type TraitRows, trainOnGenotypes } from "./network.ts";
import { type Mice, minorAlleleFrequencies } from "./read-mice.ts";

export interface Sizes {
  readonly epochs: number;
  readonly splits: number;
  readonly permutations: number;
  readonly trees: number;
}

export interface TraitResult {
  readonly mice: number;
  /** Share of the trait's variance that sex had. */
  readonly sex: number;
  /** SNPs whose rarer allele has 5% or more. */
  readonly common: number;
  readonly correlations: readonly number[];
  /** Shares of groupRATE, in the order of the genes. */
  readonly rate: Float64Array;
  readonly sizeCorrelation: number;
  readonly mimics: GeneMimics | null;
  readonly nulls: GeneNulls;
  readonly enriched: readonly Enrichment[];
  /** The paper's rule on the same mice with the trait permuted: genes above 1/G, and sets that seem enriched. */
  readonly control: { readonly above: number; readonly enriched: readonly string[] };
}

export interface TraitInput {
  readonly mice: Mice;
  readonly trait: string;
  readonly genes: readonly Gene[];
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>;
  readonly sizes: Sizes;
  readonly mimic: boolean;
}

/** One trait from residuals to genes: prediction, groupRATE, mimics, enrichment, calibrated p-values. */
export async function analyseTrait(
  { mice, trait, genes, sets, sizes, mimic }: TraitInput,
  { stage, permuted, signal, onProgress }: StudyContext,
  key: Key,
): Promise<TraitResult> {
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const named = (what: string): string => `${trait}: ${what}`;
  const { values, explained } = regressOut(mice.traits.get(trait)!, [mice.sex]);
  const rows = Uint32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  const order = permuted ? permutation(fold(key, "permuted"), rows.length) : rows.map((_, i) => i);
  const traitRows: TraitRows = { rows, y: Float64Array.from(order, (i) => values[rows[i]]) };
  const correlations: number[] = [];
  for (let s = 0; s < sizes.splits; s++) {
    const split = fold(key, "split", s);
    correlations.push(
      await stage(named("held-out mice"), () =>
        heldOutCorrelation(mice, traitRows, split, sizes.epochs, run),
      ),
    );
  }
  const X = genotypeRows(mice, rows, scalesOf(mice, rows));
  const network = await stage(named("train"), () =>
    trainOnGenotypes(X, traitRows.y, fold(key, "network"), sizes.epochs, run),
  );
  const shares = await stage(named("groupRATE"), async () =>
    geneShares(network, X, traitRows.y, genes),
  );
  const mimics = mimic
    ? await stage(named("mimics"), () =>
        geneMimics(X, forward(network, X).mean.data, genes, {
          ...run,
          key: fold(key, "mimics"),
          trees: sizes.trees,
        }),
      )
    : null;
  const nulls = await stage(named("null"), () =>
    geneNulls(mice, traitRows, genes, { ...run, ...sizes, key: fold(key, "null") }),
  );
  const aboveRule = (scores: Float64Array): Gene[] =>
    genes.filter((_, g) => scores[g] > 1 / genes.length);
  const enrichedBy = (scores: Float64Array): Enrichment[] =>
    enrichedSets(aboveRule(scores), genes, sets).filter(({ qValue }) => qValue < 0.05);
  const control = await stage(named("control"), async () => {
    const shuffled = permutation(fold(key, "control"), rows.length);
    const y = Float64Array.from(shuffled, (i) => traitRows.y[i]);
    const other = await trainOnGenotypes(X, y, fold(key, "control network"), sizes.epochs, run);
    const scores = geneShares(other, X, y, genes);
    return {
      above: aboveRule(scores).length,
      enriched: enrichedBy(scores).map(({ set }) => set),
    };
  });
  return {
    mice: rows.length,
    sex: explained,
    common: minorAlleleFrequencies(mice, rows).filter((share) => share >= 0.05).length,
    correlations,
    rate: shares,
    sizeCorrelation: spearman(
      shares,
      genes.map(({ members }) => members.length),
    ),
    mimics,
    nulls,
    enriched: enrichedBy(shares),
    control,
  };
}

/** Shares of groupRATE of the genes, by covariance effects on the rows the network was trained on. */
function geneShares(
  network: Network,
  X: Rows,
  y: Float64Array,
  genes: readonly Gene[],
): Float64Array {
  const { hidden, mean } = forward(network, X);
  const { mean: weights, variance } = outputLayer(network, 0);
  const noiseVariance = residualNoiseVariance(y, mean.data);
  const posterior = { mean: weights, covariance: variance };
  const effects = effectSizes(X, hidden, posterior, { noiseVariance });
  return rate(effects, { groups: genes }).groups!.rate;
}
