import { RatewiseError, refuseUnknown, refuseUnlisted, shapeError } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import { fold, type Key } from "../random/index.ts";
import type { RunOptions } from "../run.ts";
import { inOrder } from "./at-once.ts";
import { addNull, allDecided, countExceedances, permutationPValues } from "./exceedance.ts";
import { type Adjustment, adjustments, adjustPValues } from "./false-discovery.ts";
import { requireRate } from "./knockoff-filter.ts";
import { within } from "./knockoffs.ts";
import { type Partition, singletons } from "./partition.ts";
import { permuteWithin, type Strata, strataRows } from "./permute-rows.ts";
import { runScore, type Score } from "./score.ts";

/** Options of both permutation tests. */
export interface PermutationOptions extends RunOptions {
  readonly key: Key;
  /** The false discovery rate asked for, default 0.1. */
  readonly fdr?: number;
  /** Default `benjamini-hochberg`. */
  readonly adjustment?: Adjustment;
  /** The most permutations. */
  readonly permutations?: number;
  /** Rows that may change places with each other only. */
  readonly strata?: Strata;
  /** Split ties at random, for p-values that are exactly uniform under the null. Default false. */
  readonly randomiseTies?: boolean;
}

export interface RefitOptions extends PermutationOptions {
  readonly score: Score;
  /** Sets of columns to test, which may overlap. Default: each column. */
  readonly units?: Partition;
  /** Stop once more permutations could hardly change what is selected. Default true. */
  readonly stopWhenDecided?: boolean;
  /** Refits under way together, at most 10; worth it where the score's work is done elsewhere. The result does not depend on it. Default 1. */
  readonly atOnce?: number;
}

const known: Readonly<Record<keyof RefitOptions, true>> = {
  key: true,
  score: true,
  fdr: true,
  adjustment: true,
  permutations: true,
  strata: true,
  randomiseTies: true,
  units: true,
  stopWhenDecided: true,
  atOnce: true,
  signal: true,
  onProgress: true,
};

export interface PermutationSelection {
  readonly selected: boolean[];
  readonly pValues: Float64Array;
  readonly qValues: Float64Array;
  /** Scores of the responses as they are. */
  readonly observed: Float64Array;
  /** Permutations made. */
  readonly permutations: number;
}

const REFITS = 999;
/** Looking whether all is decided is not worth it after every permutation. */
const LOOK_EVERY = 10;

/**
 * Permutation test of any score by full refits: each unit's score beside those of permuted responses.
 * The null is the global one: y has nothing to do with any column. Under it every p-value is valid; a unit that does nothing while others do may
 * still get a small one. For a guarantee about single variables use knockoffs.
 */
export async function selectByPermutation(
  X: Matrix,
  y: Float64Array,
  options: RefitOptions,
): Promise<PermutationSelection> {
  const where = "selectByPermutation";
  refuseUnknown(where, options, known);
  refuseUnlisted(where, "adjustment", adjustments, options.adjustment);
  const { key, score, fdr = 0.1, adjustment = "benjamini-hochberg", signal, onProgress } = options;
  const { permutations = REFITS, stopWhenDecided = true, atOnce = 1 } = options;
  checkPermutation(where, X.rows, y, fdr, permutations);
  const strata = strataRows(where, X.rows, options.strata);
  const units = options.units ?? singletons(X.cols);
  const run = (at: number) => ({
    units,
    ...(signal && { signal }),
    // Of several together only the ends are told: their shares would go back and forth.
    ...(onProgress && atOnce === 1 && { onProgress: within(onProgress, at, permutations + 1) }),
  });
  const observed = await runScore(where, score, X, y, fold(key, "observed"), run(0));
  const count = countExceedances(observed);
  const refit = (b: number): Promise<Float64Array> => {
    signal?.throwIfAborted();
    const order = permuteWithin(fold(key, "permutation", b), strata);
    const permuted = Float64Array.from(order, (row) => y[row]);
    return runScore(where, score, X, permuted, fold(key, "null", b), run(b + 1));
  };
  for (let first = 0; first < permutations; first += LOOK_EVERY) {
    const some = Math.min(LOOK_EVERY, permutations - first);
    for (const scores of await inOrder(some, atOnce, async (k) => refit(first + k)))
      addNull(count, scores);
    if (atOnce > 1)
      onProgress?.({ phase: "permutations", done: first + some, total: permutations });
    if (stopWhenDecided && some === LOOK_EVERY && allDecided(count, fdr, adjustment)) break;
  }
  return decide(count, options);
}

/** p-values, q-values and what is selected from a finished count. */
export function decide(
  count: ReturnType<typeof countExceedances>,
  { key, fdr = 0.1, adjustment, randomiseTies }: PermutationOptions,
): PermutationSelection {
  const pValues = permutationPValues(count, randomiseTies ? key : undefined);
  const qValues = adjustPValues(pValues, adjustment);
  return {
    selected: Array.from(qValues, (q) => q <= fdr),
    pValues,
    qValues,
    observed: count.observed,
    permutations: count.permutations,
  };
}

export function checkPermutation(
  where: string,
  n: number,
  y: Float64Array,
  fdr: number,
  permutations: number,
): void {
  requireRate(where, fdr);
  if (y.length !== n) throw shapeError(where, `${n} responses, one per row`, `${y.length}`);
  if (!(Number.isInteger(permutations) && permutations >= 1))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs at least 1 permutation, got ${permutations}`,
      option: "permutations",
    });
}
