import {
  fold,
  type Key,
  matrix,
  permutation,
  type RunOptions,
  type SparseMatrix,
  uniformInteger,
  uniforms,
} from "@ratewise/core";
import { afterSums, firstSums, moveColumnInPlace, type SparseNetwork } from "./sparse-network.ts";
import { sparseColumns } from "./sparse-rows.ts";

export interface ShuffleWordsOptions extends RunOptions {
  readonly key: Key;
  readonly repeats: number;
  /** Random orders to compare with. */
  readonly randomOrders: number;
}

/** Accuracy as the words ranked first are shuffled. */
export interface WordCurve {
  readonly name: string;
  readonly scores: readonly number[];
  /** Mean over the axis, which is the share of words shuffled. */
  readonly area: number;
  readonly areaStandardError: number;
}

export interface WordCurves {
  readonly counts: readonly number[];
  readonly curves: readonly WordCurve[];
}

const POINTS = 41;

/**
 * The shuffle test of core for sparse rows: a word that is shuffled changes the first layer's sums only where it stands, so that a
 * point of a curve costs the small rest of the network. All orders see the same permutation of a word in the same repeat.
 */
export async function shuffleWords(
  network: SparseNetwork,
  X: SparseMatrix,
  positive: Float64Array,
  orders: Readonly<Record<string, Uint32Array>>,
  { key, repeats, randomOrders, signal, onProgress }: ShuffleWordsOptions,
): Promise<WordCurves> {
  const counts = Array.from({ length: POINTS }, (_, k) => Math.round((X.cols * k) / (POINTS - 1)));
  const columns = sparseColumns(X);
  const begin = firstSums(network, X);
  const walk = (order: Uint32Array, repeat: number): number[] => {
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
  const entries = Object.entries(orders);
  const total = entries.length * repeats + randomOrders;
  let done = 0;
  const walked = async (order: Uint32Array, repeat: number): Promise<number[]> => {
    signal?.throwIfAborted();
    const scores = walk(order, repeat);
    onProgress?.({ phase: "shuffle test", done: ++done, total });
    await new Promise((resolve) => setImmediate(resolve));
    return scores;
  };
  const curves: WordCurve[] = [];
  for (const [name, order] of entries) {
    const walks: number[][] = [];
    for (let r = 0; r < repeats; r++) walks.push(await walked(order, r));
    curves.push(curveOf(name, walks));
  }
  const walks: number[][] = [];
  for (let q = 0; q < randomOrders; q++)
    walks.push(await walked(permutation(fold(key, "order", q), X.cols), q % repeats));
  curves.push(curveOf("random", walks));
  return { counts, curves };
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

function curveOf(name: string, walks: readonly (readonly number[])[]): WordCurve {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const areas = walks.map(mean);
  const area = mean(areas);
  const squares = areas.reduce((sum, value) => sum + (value - area) ** 2, 0);
  return {
    name,
    scores: walks[0].map((_, k) => mean(walks.map((walk) => walk[k]))),
    area,
    areaStandardError: Math.sqrt(squares / (areas.length - 1) / areas.length),
  };
}
