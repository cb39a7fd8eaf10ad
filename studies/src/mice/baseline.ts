import { fold, type Key } from "@ratewise/core";
import type { StudyContext } from "../study/study.ts";
import { type MouseCovariate, mouseCovariates, traitResiduals } from "./covariates.ts";
import { type TraitRows, traitRows } from "./network.ts";
import type { Mice } from "./read-mice.ts";
import { ridgeCorrelation } from "./ridge.ts";
import type { EXTRA, Sizes, TraitResult } from "./trait.ts";
import type { TraitPlan } from "./trait-plan.ts";

const STAGE: (typeof EXTRA)[number] = "ridge regression";

/** How well a linear model does what the networks do: same SNPs, same splits, same covariates taken out. */
export interface Baseline {
  readonly correlations: readonly number[];
  /** With other covariates taken out too. */
  readonly others: readonly {
    readonly covariate: MouseCovariate;
    readonly correlations: readonly number[];
  }[];
}

/** Everything about a trait: what is asked, what the networks gave, and the linear model beside them. */
export interface TraitAnswer {
  readonly plan: TraitPlan;
  readonly result: TraitResult;
  readonly linear: Baseline;
}

export interface BaselineInput {
  readonly mice: Mice;
  readonly trait: string;
  readonly sizes: Sizes;
  readonly covariates: readonly MouseCovariate[];
}

/** Ridge regression in mice never seen, by the key of the trait's analysis. One stage a set of splits. */
export async function linearBaseline(
  { mice, trait, sizes, covariates }: BaselineInput,
  { stage, permuted, signal }: StudyContext,
  key: Key,
): Promise<Baseline> {
  const less = (taken: readonly MouseCovariate[]): TraitRows =>
    traitRows(traitResiduals(mice, trait, taken).values, permuted ? fold(key, "permuted") : null);
  const heldOut = (of: TraitRows, splits: number): Promise<number[]> =>
    stage(`${trait}: ${STAGE}`, async () =>
      Array.from({ length: splits }, (_, s) => {
        signal?.throwIfAborted();
        return ridgeCorrelation(mice, of, fold(key, "split", s));
      }),
    );
  const correlations = await heldOut(less(covariates), sizes.splits);
  const others: Baseline["others"][number][] = [];
  for (const covariate of sizes.otherSplits > 0 ? mouseCovariates : []) {
    const of = less([...new Set([...covariates, covariate])]);
    others.push({ covariate, correlations: await heldOut(of, sizes.otherSplits) });
  }
  return { correlations, others };
}
