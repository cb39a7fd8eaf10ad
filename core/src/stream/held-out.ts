import { accuracy, rSquared } from "../evaluate/index.ts";
import type { Matrix } from "../linalg/index.ts";
import { errorOfMean, squaresOf } from "../linalg/moments.ts";
import type { Layout } from "../network/layout.ts";
import { meanOutput } from "../network/output.ts";

/** How well a network does on rows that no step was made on, beside what needs no network. */
export interface StreamHeldOut {
  readonly metric: "r2" | "accuracy";
  readonly score: number;
  /** R² of the training rows' mean, or the accuracy of always naming their commonest class. */
  readonly baseline: number;
  /** Of score − baseline, over rows like these: what is not some of these above 0 may be chance. */
  readonly standardError: number;
  /** How many rows. They chose the penalty and the epoch, so that the score is a little too good. */
  readonly rows: number;
}

/** The score of the rows held back, from every row's last hidden layer and what comes after it. */
export function heldOutOf(
  layout: Layout,
  head: Float64Array,
  hidden: Matrix,
  target: Float64Array,
  validationRows: Uint32Array,
  trainingRows: Uint32Array,
): StreamHeldOut {
  const { link, outputs } = layout;
  const f = meanOutput(layout, head, hidden.data, hidden.rows);
  const truth = Float64Array.from(validationRows, (row) => target[row]);
  const rows = truth.length;
  const guess = (value: number): Float64Array => new Float64Array(rows).fill(value);
  if (link === "identity") {
    let sum = 0;
    for (const row of trainingRows) sum += target[row];
    const own = Float64Array.from(validationRows, (row) => f[row]);
    const mean = guess(sum / trainingRows.length);
    const variance = squaresOf(truth) / rows;
    const gains = truth.map((value, i) => (mean[i] - value) ** 2 - (own[i] - value) ** 2);
    return {
      ...{ metric: "r2", score: rSquared(own, truth), baseline: rSquared(mean, truth), rows },
      standardError: variance > 0 ? (rows > 1 ? errorOfMean(gains) : 0) / variance : 0,
    };
  }
  const likeliest = (row: number): number =>
    outputs === 1 ? Number(f[row] > 0) : largest(f.subarray(row * outputs, (row + 1) * outputs));
  const counts = new Float64Array(Math.max(2, outputs));
  for (const row of trainingRows) counts[target[row]]++;
  const own = Float64Array.from(validationRows, likeliest);
  const commonest = guess(largest(counts));
  const gains = truth.map((label, i) => Number(own[i] === label) - Number(commonest[i] === label));
  return {
    ...{
      metric: "accuracy",
      score: accuracy(own, truth),
      baseline: accuracy(commonest, truth),
      rows,
    },
    standardError: rows > 1 ? errorOfMean(gains) : 0,
  };
}

function largest(values: Float64Array): number {
  return values.reduce((best, value, k) => (value > values[best] ? k : best), 0);
}
