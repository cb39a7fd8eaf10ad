import { fold, type Key, type RunOptions } from "@ratewise/core";
import { areaUnderCurve } from "@ratewise/core/evaluate";
import { permutation } from "@ratewise/core/random";
import { mean, meanWithError } from "./mean-with-error.ts";

/** Accuracy as the variables ranked first are shuffled. */
export interface AccuracyCurve {
  readonly name: string;
  readonly scores: readonly number[];
  /** Under the curve, the axis being the share of variables shuffled. */
  readonly area: number;
  readonly areaStandardError: number;
}

export interface AccuracyCurves {
  readonly counts: readonly number[];
  readonly curves: readonly AccuracyCurve[];
}

/** Accuracies after each of `counts` variables of an order was shuffled, by the permutations of one repeat. */
export type Walk = (
  order: Uint32Array,
  repeat: number,
  counts: readonly number[],
) => Promise<readonly number[]>;

export interface ShuffleCurvesOptions extends RunOptions {
  readonly key: Key;
  readonly variables: number;
  /** Points of a curve, spread evenly from no variable to all; no more than there are numbers of variables. */
  readonly points: number;
  readonly repeats: number;
  /** Random orders to compare with. */
  readonly randomOrders: number;
}

/**
 * The shuffle test of core for networks that have a faster way than a whole table at each point: `walk` goes down one order. Rankings
 * with the very same order share their walks. The last curve is that of random orders.
 */
export async function shuffleCurves(
  walk: Walk,
  orders: Readonly<Record<string, Uint32Array>>,
  { key, variables, points, repeats, randomOrders, signal, onProgress }: ShuffleCurvesOptions,
): Promise<AccuracyCurves> {
  const spread = Array.from({ length: points }, (_, k) =>
    Math.round((variables * k) / (points - 1)),
  );
  const counts = [...new Set(spread)];
  const entries = Object.entries(orders);
  const firstAlike = entries.map(([, order]) =>
    entries.findIndex(([, other]) => other.every((variable, k) => variable === order[k])),
  );
  const total = new Set(firstAlike).size * repeats + randomOrders;
  let done = 0;
  const walked = async (order: Uint32Array, repeat: number): Promise<readonly number[]> => {
    signal?.throwIfAborted();
    const scores = await walk(order, repeat, counts);
    onProgress?.({ phase: "shuffle test", done: ++done, total });
    await new Promise((resolve) => setImmediate(resolve));
    return scores;
  };
  const curves: AccuracyCurve[] = [];
  for (const [at, [name, order]] of entries.entries()) {
    if (firstAlike[at] < at) {
      curves.push({ ...curves[firstAlike[at]], name });
      continue;
    }
    const walks: (readonly number[])[] = [];
    for (let r = 0; r < repeats; r++) walks.push(await walked(order, r));
    curves.push(curveOf(name, counts, walks));
  }
  const walks: (readonly number[])[] = [];
  for (let q = 0; q < randomOrders; q++)
    walks.push(await walked(permutation(fold(key, "order", q), variables), q % repeats));
  curves.push(curveOf("random", counts, walks));
  return { counts, curves };
}

/** The curve of that name. */
export function curveNamed({ curves }: AccuracyCurves, name: string): AccuracyCurve {
  return curves.find((curve) => curve.name === name)!;
}

function curveOf(
  name: string,
  counts: readonly number[],
  walks: readonly (readonly number[])[],
): AccuracyCurve {
  const { mean: area, error } = meanWithError(walks.map((walk) => areaUnderCurve(counts, walk)));
  const scores = walks[0].map((_, k) => mean(walks.map((walk) => walk[k])));
  return { name, scores, area, areaStandardError: error };
}
