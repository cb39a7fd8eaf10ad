import { RatewiseError, shapeError } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";

/**
 * |Pearson's correlation| of every column with the target; for classes the largest with the indicator of a class. 0 for a constant
 * column. O(n·p·classes), one column after another, so that permuting columns permutes the scores exactly.
 *
 * @param classes number of classes of y; left out where y holds numbers
 */
export function marginalCorrelation(X: Matrix, y: Float64Array, classes?: number): Float64Array {
  const targets = targetsOf("marginalCorrelation", X, y, classes);
  return scoreColumns(X, (column) =>
    targets.reduce((most, target) => Math.max(most, Math.abs(correlation(column, target))), 0),
  );
}

/**
 * |t| of every column. For numbers the t statistic of the slope, r√((n − 2)/(1 − r²)). For two classes Welch's (1947) two-sample
 * statistic (x̄₁ − x̄₀)/√(s₁²/n₁ + s₀²/n₀); for more the largest of a class against the rest. 0 for a constant column.
 */
export function marginalTStatistic(X: Matrix, y: Float64Array, classes?: number): Float64Array {
  const targets = targetsOf("marginalTStatistic", X, y, classes);
  const n = X.rows;
  if (n < 3) throw shapeError("marginalTStatistic", "at least 3 rows", `${n}`);
  if (classes !== undefined)
    return scoreColumns(X, (column) =>
      targets.reduce((most, target) => Math.max(most, Math.abs(welch(column, target))), 0),
    );
  return scoreColumns(X, (column) => {
    const r = correlation(column, targets[0]);
    // A perfect line has no residual; the rounding unit stands for it, so that ranks and JSON stay finite.
    return Math.abs(r) * Math.sqrt((n - 2) / Math.max(1 - r * r, Number.EPSILON));
  });
}

/** The target, or an indicator a class; of two classes the second tells all. */
function targetsOf(
  where: string,
  X: Matrix,
  y: Float64Array,
  classes: number | undefined,
): Float64Array[] {
  if (y.length !== X.rows) throw shapeError(where, `one target per row (${X.rows})`, `${y.length}`);
  if (classes !== undefined && !(Number.isInteger(classes) && classes >= 1))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs the number of classes, or nothing where the target holds numbers, got ${JSON.stringify(classes)}`,
    });
  const wrong = y.findIndex((value) =>
    classes === undefined
      ? !Number.isFinite(value)
      : !(Number.isInteger(value) && value >= 0 && value < classes),
  );
  if (wrong >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs ${classes === undefined ? "finite targets" : `classes from 0 to ${classes - 1}`}, got ${y[wrong]} in row ${wrong}`,
      advice: "leave such rows out",
      row: wrong,
    });
  if (classes === undefined) return [y];
  if (y.every((label) => label === y[0]))
    throw new RatewiseError("domain", {
      in: where,
      what: "needs rows of at least 2 classes, got one only",
    });
  const shown = classes === 2 ? [1] : Array.from({ length: classes }, (_, c) => c);
  return shown.map((c) => y.map((label) => (label === c ? 1 : 0)));
}

function scoreColumns(X: Matrix, score: (column: Float64Array) => number): Float64Array {
  const column = new Float64Array(X.rows);
  return Float64Array.from({ length: X.cols }, (_, j) => {
    for (let i = 0; i < X.rows; i++) column[i] = X.data[i * X.cols + j];
    return column.every((value) => value === column[0]) ? 0 : score(column);
  });
}

function correlation(x: Float64Array, y: Float64Array): number {
  const n = x.length;
  let [meanX, meanY] = [0, 0];
  for (let i = 0; i < n; i++) {
    meanX += x[i] / n;
    meanY += y[i] / n;
  }
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    xx += (x[i] - meanX) * (x[i] - meanX);
    yy += (y[i] - meanY) * (y[i] - meanY);
    xy += (x[i] - meanX) * (y[i] - meanY);
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}

/** Welch's t of x between indicator 1 and 0. A class of one row has no variance: the other's stands for both. */
function welch(x: Float64Array, indicator: Float64Array): number {
  const count = [0, 0];
  const mean = [0, 0];
  const squares = [0, 0];
  for (let i = 0; i < x.length; i++) {
    const c = indicator[i];
    const delta = x[i] - mean[c]; // Welford
    mean[c] += delta / ++count[c];
    squares[c] += delta * (x[i] - mean[c]);
  }
  if (count[0] === 0 || count[1] === 0) return 0;
  const variance = [0, 1].map((c) =>
    count[c] > 1 ? squares[c] / (count[c] - 1) : squares[1 - c] / (count[1 - c] - 1),
  );
  const difference = mean[1] - mean[0];
  const error = variance[0] / count[0] + variance[1] / count[1];
  const least = Number.EPSILON * difference * difference;
  return difference === 0 ? 0 : difference / Math.sqrt(Math.max(error, least));
}
