import { RatewiseError, refuseUnknown } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { errorOfMean, meanOf } from "../linalg/moments.ts";
import { fold, type Key, permutation } from "../random/index.ts";
import { checkKey } from "../random/key.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import { areaUnderCurve } from "./curve-area.ts";

/** A variable of the test: its columns are shuffled together. */
export interface ShuffledVariable {
  readonly name: string;
  readonly columns: readonly number[];
}

export interface ShuffleTestOptions extends RunOptions {
  readonly key: Key;
  readonly variables: readonly ShuffledVariable[];
  /** How many of the top variables are shuffled at the points of the curves, increasing. Default: 0 to all, in at most 41 points. */
  readonly counts?: readonly number[];
  /** Fresh permutations of every variable's rows, default 10. */
  readonly repeats?: number;
  /** Orders drawn at random to compare with; at least 10, the default. */
  readonly randomOrders?: number;
}

const known: Readonly<Record<keyof ShuffleTestOptions, true>> = {
  key: true,
  variables: true,
  counts: true,
  repeats: true,
  randomOrders: true,
  signal: true,
  onProgress: true,
};

/** The score as the top variables of an order are shuffled. */
export interface ShuffleCurve {
  /** Mean over repeats (for `random` over orders), one a count. */
  readonly scores: Float64Array;
  readonly standardErrors: Float64Array;
  /** Area under the curve, the axis being the share of variables shuffled: the lower, the more the first variables of the order mattered to the model. */
  readonly area: number;
  readonly areaStandardError: number;
}

export interface ShuffleTest {
  readonly counts: readonly number[];
  /** One an order, in the order given. */
  readonly curves: readonly ShuffleCurve[];
  /** The average over random orders. */
  readonly random: ShuffleCurve;
}

const MOST_POINTS = 41;
const FEWEST_RANDOM_ORDERS = 10;

/**
 * The shuffle test of a ranking: how fast the score of a model falls as the variables ranked first are shuffled, one after another,
 * beside random orders. A variable's rows are permuted anew for every variable and repeat, by a stream of its name, so that two
 * orders which shuffle the same variables see the same data. Random order q uses its own order and the permutations of repeat q mod repeats.
 * Cost: (orders·repeats + random orders)·counts evaluations.
 *
 * @param orders each a ranking of all variables, the most important first
 */
export async function shuffleTest(
  score: (X: Matrix) => number,
  X: Matrix,
  orders: readonly ArrayLike<number>[],
  options: ShuffleTestOptions,
): Promise<ShuffleTest> {
  refuseUnknown("shuffleTest", options, known);
  checkKey("shuffleTest", options.key);
  return drive(shuffleSteps(score, X, orders, options), options);
}

function* shuffleSteps(
  score: (X: Matrix) => number,
  X: Matrix,
  orders: readonly ArrayLike<number>[],
  options: ShuffleTestOptions,
): Generator<Progress, ShuffleTest> {
  const { key, variables, repeats = 10, randomOrders = FEWEST_RANDOM_ORDERS } = options;
  const p = variables.length;
  const counts = options.counts ?? defaultCounts(p);
  check(X, orders, variables, counts, repeats, randomOrders);
  const total = orders.length * repeats + randomOrders;
  let done = 0;
  const walk = (order: ArrayLike<number>, repeat: number): Float64Array =>
    walkDown(score, X, order, counts, variables, fold(key, "rows", repeat));
  const curves: ShuffleCurve[] = [];
  for (const order of orders) {
    const walks: Float64Array[] = [];
    for (let r = 0; r < repeats; r++) {
      walks.push(walk(order, r));
      yield { phase: "shuffle test", done: ++done, total };
    }
    curves.push(curveOf(counts, walks));
  }
  const walks: Float64Array[] = [];
  for (let q = 0; q < randomOrders; q++) {
    walks.push(walk(permutation(fold(key, "order", q), p), q % repeats));
    yield { phase: "shuffle test", done: ++done, total };
  }
  return { counts, curves, random: curveOf(counts, walks) };
}

/** The score after each count of the order's first variables was shuffled. */
function walkDown(
  score: (X: Matrix) => number,
  X: Matrix,
  order: ArrayLike<number>,
  counts: readonly number[],
  variables: readonly ShuffledVariable[],
  key: Key,
): Float64Array {
  const { rows: n, cols } = X;
  const shuffled = matrix(n, cols, X.data.slice());
  let at = 0;
  return Float64Array.from(counts, (count) => {
    for (; at < count; at++) {
      const { name, columns } = variables[order[at]];
      const rows = permutation(fold(key, name), n);
      for (const j of columns)
        for (let i = 0; i < n; i++) shuffled.data[i * cols + j] = X.data[rows[i] * cols + j];
    }
    return score(shuffled);
  });
}

function curveOf(counts: readonly number[], walks: readonly Float64Array[]): ShuffleCurve {
  const points = walks[0].length;
  const moments = Array.from({ length: points }, (_, k) => momentsOf(walks.map((walk) => walk[k])));
  const areas = momentsOf(walks.map((walk) => areaUnderCurve(counts, walk)));
  return {
    scores: Float64Array.from(moments, ({ mean }) => mean),
    standardErrors: Float64Array.from(moments, ({ standardError }) => standardError),
    area: areas.mean,
    areaStandardError: areas.standardError,
  };
}

function momentsOf(values: readonly number[]): { mean: number; standardError: number } {
  const mean = meanOf(values);
  // The mean of equal numbers may be off by a rounding, and that is no error of theirs.
  if (values.every((value) => value === values[0])) return { mean, standardError: 0 };
  return { mean, standardError: errorOfMean(values) };
}

/** 0 … p, or 41 counts spread evenly. */
function defaultCounts(p: number): number[] {
  if (p < MOST_POINTS) return Array.from({ length: p + 1 }, (_, k) => k);
  return Array.from({ length: MOST_POINTS }, (_, k) => Math.round((p * k) / (MOST_POINTS - 1)));
}

function check(
  X: Matrix,
  orders: readonly ArrayLike<number>[],
  variables: readonly ShuffledVariable[],
  counts: readonly number[],
  repeats: number,
  randomOrders: number,
): void {
  const refuse = (needed: string, got: string): never => {
    throw new RatewiseError("domain", { in: "shuffleTest", what: `needs ${needed}, got ${got}` });
  };
  const p = variables.length;
  if (!(Number.isInteger(repeats) && repeats >= 2)) refuse("at least 2 repeats", `${repeats}`);
  if (!(Number.isInteger(randomOrders) && randomOrders >= FEWEST_RANDOM_ORDERS))
    refuse(`at least ${FEWEST_RANDOM_ORDERS} random orders`, `${randomOrders}`);
  if (new Set(variables.map(({ name }) => name)).size < p) refuse("names that differ", "one twice");
  for (const { name, columns } of variables)
    if (columns.some((j) => !(Number.isInteger(j) && j >= 0 && j < X.cols)))
      refuse(`columns from 0 to ${X.cols - 1} in "${name}"`, `${columns}`);
  const rising = counts.every(
    (count, k) =>
      Number.isInteger(count) && count <= p && count >= (k === 0 ? 0 : counts[k - 1] + 1),
  );
  if (counts.length === 0 || !rising) refuse(`increasing counts from 0 to ${p}`, `[${counts}]`);
  for (const order of orders)
    if (
      order.length !== p ||
      new Set(Array.from(order)).size < p ||
      Array.from(order).some((j) => !(j in variables))
    )
      refuse(`orders of all ${p} variables`, `[${Array.from(order)}]`);
}
