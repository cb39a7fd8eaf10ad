import {
  effectsFromFactor,
  fold,
  fromRows,
  type Key,
  type Matrix,
  matrix,
  normals,
  rate,
} from "@ratewise/core";
import { projectCovariance } from "@ratewise/core/effects";
import { spearman } from "@ratewise/core/evaluate";
import { marginalTStatistic } from "@ratewise/core/importance";
import { dot } from "@ratewise/core/linalg";

/** Three statements of the paper, each with data on which it does not hold. */
export interface CounterExamples {
  /** Spearman of |covariance| with |t|: columns of one variance, and columns of several. */
  readonly rankingEqual: number;
  readonly rankingUnequal: number;
  /** The largest difference of the covariance effects of f and g, and of f − g from a constant. */
  readonly effectDifference: number;
  readonly functionDifference: number;
  /** RATE of an effect of mean 10 that goes along with no other, beside two of mean 1 that do. */
  readonly aloneRate: number;
}

const ROWS = 500;
const COLUMNS = 20;

export function counterExamples(key: Key): CounterExamples {
  const equal = tRanking(fold(key, "equal"), () => 1);
  const unequal = tRanking(fold(key, "unequal"), (j) => (j % 2 === 0 ? 1 : 0.1));
  return {
    rankingEqual: equal,
    rankingUnequal: unequal,
    ...sameEffects(fold(key, "null space")),
    aloneRate: aloneRate(),
  };
}

/** "Covariances rank like t-tests": true of columns of equal variance only. Columns are set to sample variance scale² exactly. */
function tRanking(key: Key, scale: (j: number) => number): number {
  const next = normals(key);
  const X = matrix(ROWS, COLUMNS);
  for (let e = 0; e < X.data.length; e++) X.data[e] = next();
  const y = new Float64Array(ROWS);
  for (let i = 0; i < ROWS; i++) {
    for (let j = 0; j < COLUMNS; j++) y[i] += (X.data[i * COLUMNS + j] * (j + 1)) / COLUMNS;
    y[i] += 2 * next();
  }
  standardise(X, scale);
  const { hidden } = projectCovariance(X, matrix(ROWS, 1, y));
  return spearman(hidden.data.map(Math.abs), marginalTStatistic(X, y).map(Math.abs));
}

function standardise(X: Matrix, scale: (j: number) => number): void {
  for (let j = 0; j < X.cols; j++) {
    let mean = 0;
    let square = 0;
    for (let i = 0; i < X.rows; i++) mean += X.data[i * X.cols + j] / X.rows;
    for (let i = 0; i < X.rows; i++) square += (X.data[i * X.cols + j] - mean) ** 2;
    const factor = scale(j) / Math.sqrt(square / (X.rows - 1));
    for (let i = 0; i < X.rows; i++)
      X.data[i * X.cols + j] = (X.data[i * X.cols + j] - mean) * factor;
  }
}

/** "Two effect sizes are equal only if f₁ = f₂ + c": f and f + r with r orthogonal to every centred column have the same effects. */
function sameEffects(key: Key): { effectDifference: number; functionDifference: number } {
  const next = normals(key);
  const n = 40;
  const X = matrix(n, 2);
  for (let e = 0; e < X.data.length; e++) X.data[e] = next();
  standardise(X, () => 1);
  const f = Float64Array.from({ length: n }, (_, i) => X.data[2 * i] + X.data[2 * i + 1] ** 2);
  const r = Float64Array.from({ length: n }, () => next());
  const [one, two] = [0, 1].map((j) =>
    Float64Array.from({ length: n }, (_, i) => X.data[2 * i + j]),
  );
  const second = takeOut(two, one);
  const rest = takeOut(takeOut(takeOut(r, new Float64Array(n).fill(1)), one), second);
  const g = f.map((value, i) => value + rest[i]);
  const effects = [f, g].map((values) => projectCovariance(X, matrix(n, 1, values)).hidden.data);
  const mean = rest.reduce((sum, value) => sum + value, 0) / n;
  return {
    effectDifference: Math.max(...effects[0].map((value, j) => Math.abs(value - effects[1][j]))),
    functionDifference: Math.max(...rest.map((value) => Math.abs(value - mean))),
  };
}

/** v less its part along u. */
function takeOut(v: Float64Array, u: Float64Array): Float64Array {
  const share = dot(u, v) / dot(u, u);
  return v.map((value, i) => value - share * u[i]);
}

/** "Important variables have large RATE": an effect uncorrelated with all others has RATE 0 at any mean. */
function aloneRate(): number {
  const factor = fromRows([
    [1, 0],
    [0, 1],
    [0, 0.8],
  ]);
  const noise = new Float64Array(3).fill(0.1);
  return rate(effectsFromFactor(Float64Array.of(10, 1, 1), factor, { noise })).variables.rate[0];
}
