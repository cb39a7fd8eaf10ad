import { median, spearman } from "@ratewise/core/evaluate";
import { type MeanWithError, mean, meanWithError } from "../mean-with-error.ts";
import { nearApoa2 } from "../mice/apoa2.ts";
import type { Gene } from "../mice/genes.ts";
import { placeOf } from "../ranking.ts";
import type { Levels } from "./wired-network.ts";
import type { SetUnit } from "./wiring.ts";

/** The set that should matter for this trait, if sets do. */
export const OWN_SET = "Cholesterol, HDL";

/** One network, on mice it learned from and mice it did not see. */
export interface SplitResult {
  /** Of predicted and measured trait in unseen mice. */
  readonly correlation: number;
  readonly levels: Levels;
}

/** Networks wired by the sets as they are and by exchanged ones, on the same mice. */
export interface Split {
  readonly real: SplitResult;
  readonly exchanged: SplitResult;
}

export interface Summary {
  readonly real: MeanWithError;
  readonly exchanged: MeanWithError;
  /** Of real less exchanged, split by split. */
  readonly difference: MeanWithError;
  readonly genes: {
    /** Spearman of RATE of gene units and groupRATE of their SNPs. */
    readonly withGroups: number;
    /** Spearman of each with the number of SNPs. */
    readonly withSize: { readonly units: number; readonly groups: number };
    /** The best place of a gene around Apoa2. */
    readonly apoa2: { readonly units: number; readonly groups: number };
  };
  readonly sets: {
    /** Spearman of RATE and the number of genes: real, exchanged (mean over splits). */
    readonly withSize: { readonly real: number; readonly exchanged: number };
    /** Median place of the trait's own set over splits. */
    readonly own: { readonly real: number; readonly exchanged: number };
    /** Mean Spearman of RATE between splits: real with real, and real with exchanged. */
    readonly between: { readonly real: number; readonly crossed: number };
  };
}

/** What came of the splits and of one network; sets are those that are ranked. */
export function summarise(
  ranked: readonly SetUnit[],
  genes: readonly Gene[],
  splits: readonly Split[],
  levels: Levels,
  ownSet: string = OWN_SET,
): Summary {
  const snps = genes.map(({ members }) => members.length);
  const sizes = ranked.map(({ members }) => members.length);
  const own = ranked.findIndex(({ name }) => name === ownSet);
  const real = splits.map((split) => split.real);
  const exchanged = splits.map((split) => split.exchanged);
  const setsOf = (results: readonly SplitResult[]): Float64Array[] =>
    results.map((result) => result.levels.sets);
  const region = [...genes.keys()].filter((g) =>
    nearApoa2(genes[g].place.chromosome, genes[g].place.position),
  );
  const best = (shares: Float64Array): number => Math.min(...region.map((g) => placeOf(shares, g)));
  const pairs = splits.flatMap((_, a) => splits.slice(0, a).map((__, b) => [a, b] as const));
  return {
    real: meanWithError(real.map((result) => result.correlation)),
    exchanged: meanWithError(exchanged.map((result) => result.correlation)),
    difference: meanWithError(splits.map((s) => s.real.correlation - s.exchanged.correlation)),
    genes: {
      withGroups: spearman(levels.genes, levels.groups),
      withSize: { units: spearman(levels.genes, snps), groups: spearman(levels.groups, snps) },
      apoa2: { units: best(levels.genes), groups: best(levels.groups) },
    },
    sets: {
      withSize: {
        real: mean(setsOf(real).map((shares) => spearman(shares, sizes))),
        exchanged: mean(setsOf(exchanged).map((shares) => spearman(shares, sizes))),
      },
      own: {
        real: median(setsOf(real).map((shares) => placeOf(shares, own))),
        exchanged: median(setsOf(exchanged).map((shares) => placeOf(shares, own))),
      },
      between: {
        real: mean(pairs.map(([a, b]) => spearman(real[a].levels.sets, real[b].levels.sets))),
        crossed: mean(
          pairs.map(([a, b]) => spearman(real[a].levels.sets, exchanged[b].levels.sets)),
        ),
      },
    },
  };
}
