import { type Expansion, placeAmong } from "../data/expansion.ts";
import { log } from "../elementary/index.ts";
import { weightedMean } from "../linalg/moments.ts";
import type { Rows } from "../linalg/rows.ts";
import { fold, type Key, subsample } from "../random/index.ts";
import { type Gain, gain } from "./gain.ts";
import type { RowWeights } from "./row-weights.ts";

/** What a model left unexplained in the rows of a split: n×outputs, a number or one for each class. */
export interface Leftover {
  readonly trainingRows: Uint32Array;
  readonly validationRows: Uint32Array;
  readonly training: Float64Array;
  readonly validation: Float64Array;
}

/** A column whose hats explain some of what the model left. */
export interface RoughColumn {
  readonly column: number;
  /** Of its hats, in units of X. */
  readonly knots: readonly number[];
  /** Mean squared leftover of held-back rows that they explain. */
  readonly gain: Gain;
  readonly kind: Expansion["kind"];
}

/** Up to this many different values each has a knot, more have {@link BENDS} at their quantiles. */
const MOST_VALUES = 32;
const BENDS = 16;
/** Fewer different values bend so seldom that any hidden unit or two will do. */
const FEWEST_VALUES = 5;
/** The least share of the leftover that hats explain. */
const LEAST_SHARE = 0.005;
/** Rows of each kind that are looked at. */
const MOST_ROWS = 20_000;

/**
 * Columns with an effect that the model is too smooth for. What it left of the training rows is regressed on the hats of one column
 * at a time, and judged by what that explains of the rows held back. p columns are tried, and the largest of p gains of nothing comes to
 * √(2 log p) standard errors: a column passes whose gain is a standard error above that. Best first. O(n·p).
 *
 * @param weights what each row of X counts; default the same
 */
export function roughColumns(
  X: Rows,
  columns: readonly number[],
  leftovers: readonly Leftover[],
  key: Key,
  weights: RowWeights = null,
): RoughColumn[] {
  const some = leftovers.map((leftover, s) => sampled(leftover, fold(key, "rough", s)));
  const errors = 1 + Math.sqrt(2 * log(Math.max(1, columns.length)));
  const held = some.flatMap(({ validationRows }) => [...validationRows]);
  const counts = weights && Float64Array.from(held, (row) => weights[row]);
  const found: RoughColumn[] = [];
  for (const column of columns) {
    const knots = knotsOf(X, column, some[0].trainingRows);
    if (!knots) continue;
    const parts = some.map((leftover) => explained(X, column, knots.at, leftover, weights));
    const before = joined(parts.map((part) => part.before));
    const after = joined(parts.map((part) => part.after));
    const gained = gain(before, after, {
      weights: counts,
      errors,
      share: LEAST_SHARE,
    });
    if (gained.convincing) found.push({ column, knots: knots.at, kind: knots.kind, gain: gained });
  }
  return found.sort((a, b) => b.gain.mean - a.gain.mean || a.column - b.column);
}

/** Different values where they are few, or else quantiles; null for too few. */
function knotsOf(
  X: Rows,
  column: number,
  rows: Uint32Array,
): { readonly at: readonly number[]; readonly kind: Expansion["kind"] } | null {
  const values = new Set<number>();
  for (let e = column; e < X.data.length && values.size <= MOST_VALUES; e += X.cols)
    values.add(X.data[e]);
  if (values.size < FEWEST_VALUES) return null;
  if (values.size <= MOST_VALUES) return { at: [...values].sort((a, b) => a - b), kind: "values" };
  const sorted = Float64Array.from(rows, (row) => X.data[row * X.cols + column]).sort();
  const at = Array.from({ length: BENDS }, (_, k) =>
    Math.round((k / (BENDS - 1)) * (sorted.length - 1)),
  );
  const knots = [...new Set(at.map((place) => sorted[place]))];
  return knots.length < FEWEST_VALUES ? null : { at: knots, kind: "bends" };
}

/** Squares of what was left of each held-back row, before and after. */
function explained(
  X: Rows,
  column: number,
  knots: readonly number[],
  { trainingRows, validationRows, training, validation }: Leftover,
  weights: RowWeights,
): { readonly before: Float64Array; readonly after: Float64Array } {
  const outputs = training.length / trainingRows.length;
  const placesOf = (rows: Uint32Array) =>
    Float64Array.from(rows, (row) => placeAmong(knots, X.data[row * X.cols + column]));
  const [from, to] = [placesOf(trainingRows), placesOf(validationRows)];
  const counts = weights && Float64Array.from(trainingRows, (row) => weights[row]);
  const before = new Float64Array(to.length);
  const after = new Float64Array(to.length);
  for (let c = 0; c < outputs; c++) {
    const heights = hatHeights(
      from,
      Float64Array.from(trainingRows, (_, i) => training[i * outputs + c]),
      knots.length,
      counts,
    );
    to.forEach((place, i) => {
      const left = validation[i * outputs + c];
      const below = Math.floor(place);
      const part = place - below;
      const height = heights[below] + (part > 0 ? part * (heights[below + 1] - heights[below]) : 0);
      before[i] += left * left;
      after[i] += (left - height) ** 2;
    });
  }
  return { before, after };
}

/**
 * Heights a of K hats H, (HᵀH + λI)a = Hᵀr with λ = σ²/σ_a²: σ² the variance of r, and σ_a² by moments from what unshrunk heights explain,
 * A = (K − 1)σ² + σ_a² tr HᵀH. Zeros where that leaves nothing for σ_a². HᵀH is tridiagonal: O(n + K). In all sums rows count as
 * often as they weigh.
 */
function hatHeights(
  places: Float64Array,
  r: Float64Array,
  K: number,
  counts: RowWeights,
): Float64Array {
  const n = counts ? counts.reduce((sum, count) => sum + count, 0) : r.length;
  const mean = weightedMean(r, counts);
  const diagonal = new Float64Array(K);
  const beside = new Float64Array(K);
  const right = new Float64Array(K);
  let squares = 0;
  places.forEach((place, i) => {
    const value = r[i] - mean;
    const below = Math.floor(place);
    const part = place - below;
    const count = counts ? counts[i] : 1;
    squares += count * value * value;
    diagonal[below] += count * (1 - part) ** 2;
    right[below] += count * (1 - part) * value;
    if (part === 0) return;
    diagonal[below + 1] += count * part ** 2;
    right[below + 1] += count * part * value;
    beside[below] += count * part * (1 - part);
  });
  const variance = squares / Math.max(1, n - 1);
  const trace = diagonal.reduce((sum, value) => sum + value, 0);
  const free = solveTridiagonal(diagonal, beside, right, 1e-9 * trace);
  const fitted = free.reduce((sum, height, k) => sum + height * right[k], 0);
  const spread = (fitted - (K - 1) * variance) / trace;
  if (!(spread > 0)) return new Float64Array(K);
  return solveTridiagonal(diagonal, beside, right, variance / spread);
}

/** (T + λI)x = b of a symmetric tridiagonal T ≥ 0, λ > 0. */
function solveTridiagonal(
  diagonal: Float64Array,
  beside: Float64Array,
  b: Float64Array,
  lambda: number,
): Float64Array {
  const K = b.length;
  const pivot = diagonal.map((value) => value + lambda);
  const x = b.slice();
  for (let k = 1; k < K; k++) {
    const factor = beside[k - 1] / pivot[k - 1];
    pivot[k] -= factor * beside[k - 1];
    x[k] -= factor * x[k - 1];
  }
  x[K - 1] /= pivot[K - 1];
  for (let k = K - 2; k >= 0; k--) x[k] = (x[k] - beside[k] * x[k + 1]) / pivot[k];
  return x;
}

function joined(parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0];
  return Float64Array.from(parts.flatMap((part) => [...part]));
}

/** The same of at most {@link MOST_ROWS} training rows, and of as many held back. */
function sampled(leftover: Leftover, key: Key): Leftover {
  const { trainingRows, validationRows, training, validation } = leftover;
  const pick = (rows: Uint32Array, values: Float64Array, label: string) => {
    if (rows.length <= MOST_ROWS) return { rows, values };
    const outputs = values.length / rows.length;
    const places = subsample(fold(key, label), rows.length, MOST_ROWS).sort();
    const own = new Float64Array(places.length * outputs);
    places.forEach((place, i) => {
      own.set(values.subarray(place * outputs, (place + 1) * outputs), i * outputs);
    });
    return { rows: places.map((place) => rows[place]), values: own };
  };
  const from = pick(trainingRows, training, "training");
  const to = pick(validationRows, validation, "held back");
  return {
    trainingRows: from.rows,
    training: from.values,
    validationRows: to.rows,
    validation: to.values,
  };
}
