import { fold, type Key, matrix, uniforms } from "@ratewise/core";
import type { SparseMatrix } from "@ratewise/core/learners";
import { permutation, uniformInteger } from "@ratewise/core/random";
import {
  type AccuracyCurves,
  type ShuffleCurvesOptions,
  shuffleCurves,
} from "../shuffle-curves.ts";
import { afterSums, firstSums, moveColumnInPlace, type SparseNetwork } from "./sparse-network.ts";
import { sparseColumns } from "./sparse-rows.ts";

const POINTS = 41;

/**
 * The shuffle test of core for sparse rows: a word that is shuffled changes the first layer's sums only where it stands, so that a
 * point of a curve costs the small rest of the network. All orders see the same permutation of a word in the same repeat.
 */
export function shuffleWords(
  network: SparseNetwork,
  X: SparseMatrix,
  positive: Float64Array,
  orders: Readonly<Record<string, Uint32Array>>,
  options: Omit<ShuffleCurvesOptions, "variables" | "points">,
): Promise<AccuracyCurves> {
  const { key } = options;
  const columns = sparseColumns(X);
  const begin = firstSums(network, X);
  const walk = async (
    order: Uint32Array,
    repeat: number,
    counts: readonly number[],
  ): Promise<number[]> => {
    const sums = matrix(begin.rows, begin.cols, begin.data.slice());
    let at = 0;
    return counts.map((count) => {
      for (; at < count; at++) {
        const word = order[at];
        const entries = columns.starts[word + 1] - columns.starts[word];
        const places = distinctPlaces(fold(key, "rows", repeat, word), entries, X.rows);
        moveColumnInPlace(sums, network, columns, word, places);
      }
      const { logit } = afterSums(network, sums);
      let right = 0;
      for (let i = 0; i < logit.length; i++) if (logit[i] > 0 === positive[i] > 0) right++;
      return right / logit.length;
    });
  };
  return shuffleCurves(walk, orders, { ...options, variables: X.cols, points: POINTS });
}

/**
 * `count` different rows of n in random order: where the entries of a shuffled sparse column come to stand. Draws again where a row is
 * taken, which is cheap as long as most entries are 0.
 */
export function distinctPlaces(key: Key, count: number, n: number): Uint32Array {
  if (2 * count > n) return permutation(key, n).slice(0, count);
  const next = uniforms(key);
  const taken = new Uint8Array(n);
  return Uint32Array.from({ length: count }, () => {
    let place = uniformInteger(next, n);
    while (taken[place]) place = uniformInteger(next, n);
    taken[place] = 1;
    return place;
  });
}
