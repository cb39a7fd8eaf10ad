import type { Combination, CopiesModel, Strata } from "../../select/index.ts";

export const selectionMethods = ["knockoffs", "permutation"] as const;
export type SelectionMethod = (typeof selectionMethods)[number];

/** What to select, and how. */
export interface SelectOptions {
  /** The false discovery rate asked for, such as 0.1. */
  readonly fdr: number;
  readonly by: SelectionMethod;
  /** Of knockoffs: what is taken to be known about the columns, default `gaussian`. */
  readonly copies?: CopiesModel["kind"];
  /** Of knockoffs: draws of copies, default 1. */
  readonly draws?: number;
  readonly combination?: Combination;
  /** Of permutation: train anew for every permutation instead of fitting the output layer; default false. */
  readonly refit?: boolean;
  /** The most permutations; default 20 for every variable over the rate, 5,000 to 50,000; of refits 199. */
  readonly permutations?: number;
  /** Of permutation: rows with equal labels change places with each other only; labels of training, then of test rows. */
  readonly strata?: Strata;
}

/** How far a variable or group may be called a finding; null where it was not asked. */
export interface SelectionFields {
  /** Whether it is selected at the false discovery rate asked for. */
  readonly selected: boolean | null;
  /** Of permutation: the probability of a score this high if the target were related to no variable. */
  readonly pValue: number | null;
  /** The lowest false discovery rate at which it would be selected. */
  readonly qValue: number | null;
}

/** How sure the rank of a variable is; null where it was not asked. */
export interface StabilityFields {
  /** The probability of being among the first `top` ranks. */
  readonly topK: number | null;
  /** The ranks between which it lies with a probability of 90%. */
  readonly rankInterval: readonly [number, number] | null;
}
