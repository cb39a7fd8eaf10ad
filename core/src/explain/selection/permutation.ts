import type { Design } from "../../data/design.ts";
import { selectDesignRows } from "../../data/design.ts";
import { structureOfRows } from "../../data/row-structure.ts";
import type { Matrix } from "../../linalg/index.ts";
import { fold, type Key, permutation } from "../../random/index.ts";
import type { RunOptions } from "../../run.ts";
import {
  type Adjustment,
  type Partition,
  type PermutationSelection,
  type Strata,
  selectByQuadraticNull,
} from "../../select/index.ts";
import { outputLayerScore, standardResponses } from "./output-null.ts";
import { type NetworkScoreOptions, networksFor, unitVariance } from "./score.ts";

export interface OutputPermutationOptions extends RunOptions, Omit<NetworkScoreOptions, "measure"> {
  readonly key: Key;
  readonly units: Partition;
  /** Units whose scores add up to the whole; scores are shares of it. */
  readonly whole: readonly number[];
  readonly fdr?: number;
  readonly adjustment?: Adjustment;
  /** Default 50,000. */
  readonly permutations?: number;
  readonly strata?: Strata;
  readonly randomiseTies?: boolean;
}

/** τ² of the refit, in units of the responses' variance: what half a fit leaves. Any fixed value gives a valid test. */
const NOISE = 0.5;

/**
 * The permutation test of the output layer alone: hidden layers are trained on one half of the rows, the Gaussian output layer is fitted to the other half, whose
 * responses are permuted. Given the first half the hidden units are fixed, so the test is exact for the global null; and every permutation costs one column
 * of a matrix product.
 */
export async function selectByOutputPermutation(
  X: Matrix,
  y: Float64Array,
  options: OutputPermutationOptions,
): Promise<PermutationSelection> {
  const { key, units, whole, strata, signal, onProgress } = options;
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const order = permutation(fold(key, "halves"), X.rows);
  const half = Math.ceil(X.rows / 2);
  const first = order.slice(0, half).sort();
  const second = order.slice(half).sort();
  const design: Design = unitVariance(X);
  const { structure } = options;
  const networks = await networksFor(
    { ...options, ...(structure && { structure: structureOfRows(structure, first) }) },
    selectDesignRows(design, first),
    Float64Array.from(first, (row) => y[row]),
    key,
    run,
  );
  const score = outputLayerScore(networks, selectDesignRows(design, second), units, NOISE, whole);
  const classes = options.link === "identity" ? 0 : (options.classes ?? 2);
  const responses = standardResponses(
    Float64Array.from(second, (row) => y[row]),
    classes,
  );
  return selectByQuadraticNull(score, responses, {
    ...run,
    key: fold(key, "permutations"),
    ...(options.fdr !== undefined && { fdr: options.fdr }),
    ...(options.adjustment && { adjustment: options.adjustment }),
    ...(options.permutations !== undefined && { permutations: options.permutations }),
    ...(options.randomiseTies !== undefined && { randomiseTies: options.randomiseTies }),
    ...(strata && { strata: Array.from(second, (row) => strata[row]) }),
  });
}
