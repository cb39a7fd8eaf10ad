import type { Rows } from "../linalg/rows.ts";

/**
 * Further columns of X made of one of them: a hat for each knot, 1 there and 0 at the knots beside it, straight between. Any
 * function that is straight between the knots is a sum of them; with a knot at each of few values they are indicators.
 * Centred, and divided by the root mean square of their standard deviations, as the levels of a category are.
 */
export interface Expansion {
  /** `values`: the knots are all values that the column has; `bends`: quantiles of them. */
  readonly kind: "values" | "bends";
  /** The column of X that it is made of. */
  readonly column: number;
  /** Its first column in X; as many follow as there are knots. */
  readonly first: number;
  /** Increasing, in units of X. */
  readonly knots: readonly number[];
  readonly means: readonly number[];
  readonly scale: number;
}

/**
 * Where a value lies among increasing knots: 2.25 is a quarter of the way from knot 2 to knot 3. Values beyond the first or the last
 * lie at it. The hat of knot k is max(0, 1 − |place − k|).
 */
export function placeAmong(knots: readonly number[], value: number): number {
  const last = knots.length - 1;
  if (value <= knots[0]) return 0;
  if (value >= knots[last]) return last;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (knots[middle] <= value) low = middle;
    else high = middle;
  }
  return low + (value - knots[low]) / (knots[high] - knots[low]);
}

/** The hats of a column, with their means and spread over all rows of X. */
export function fitExpansion(
  X: Rows,
  { column, first, knots, kind }: Pick<Expansion, "column" | "first" | "knots" | "kind">,
): Expansion {
  const sums = new Float64Array(knots.length);
  const squares = new Float64Array(knots.length);
  for (let i = 0; i < X.rows; i++) {
    const place = placeAmong(knots, X.data[i * X.cols + column]);
    const below = Math.floor(place);
    const part = place - below;
    sums[below] += 1 - part;
    squares[below] += (1 - part) ** 2;
    if (part === 0) continue;
    sums[below + 1] += part;
    squares[below + 1] += part ** 2;
  }
  const means = Array.from(sums, (sum) => sum / X.rows);
  const variance = means.reduce(
    (sum, mean, k) => sum + (squares[k] / X.rows - mean * mean) / knots.length,
    0,
  );
  return { kind, column, first, knots, means, scale: variance > 0 ? Math.sqrt(variance) : 1 };
}

/** X with the expansions' columns after its own. A missing value, which is 0 in X, is where the column's mean is. */
export function expandColumns<Own extends Rows>(X: Own, expansions: readonly Expansion[]): Own {
  if (expansions.length === 0) return X;
  const width = X.cols + expandedWidth(expansions);
  const data =
    X.data instanceof Float32Array
      ? new Float32Array(X.rows * width)
      : new Float64Array(X.rows * width);
  for (let i = 0; i < X.rows; i++) {
    data.set(X.data.subarray(i * X.cols, (i + 1) * X.cols), i * width);
    for (const expansion of expansions) expandInto(data, i * width, expansion);
  }
  return { ...X, data, cols: width };
}

/** Fills in the expansion's columns of the row that begins at `row`. */
export function expandInto(
  data: Float32Array | Float64Array,
  row: number,
  { column, first, knots, means, scale }: Expansion,
): void {
  const place = placeAmong(knots, data[row + column]);
  for (let k = 0; k < knots.length; k++)
    data[row + first + k] = (Math.max(0, 1 - Math.abs(place - k)) - means[k]) / scale;
}

/** Columns of all expansions together. */
export function expandedWidth(expansions: readonly Pick<Expansion, "knots">[]): number {
  return expansions.reduce((sum, { knots }) => sum + knots.length, 0);
}

/** The columns of a variable with those that were made of them. */
export function withExpansions(
  members: readonly number[],
  expansions: readonly Expansion[],
): number[] {
  return [
    ...members,
    ...expansions.flatMap(({ column, first, knots }) =>
      members.includes(column) ? knots.map((_, k) => first + k) : [],
    ),
  ];
}
