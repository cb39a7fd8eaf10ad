import { accuracy, rSquared } from "../evaluate/index.ts";
import type { Matrix } from "../linalg/index.ts";
import type { Layout } from "../network/layout.ts";
import { meanOutput } from "../network/output.ts";

/** How well a network does on rows that no step was made on, beside what needs no network. */
export interface StreamHeldOut {
  readonly metric: "r2" | "accuracy";
  readonly score: number;
  /** R² of the training rows' mean, or the accuracy of always naming their commonest class. */
  readonly baseline: number;
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
    return {
      metric: "r2",
      score: rSquared(
        Float64Array.from(validationRows, (row) => f[row]),
        truth,
      ),
      baseline: rSquared(guess(sum / trainingRows.length), truth),
      rows,
    };
  }
  const likeliest = (row: number): number =>
    outputs === 1 ? Number(f[row] > 0) : largest(f.subarray(row * outputs, (row + 1) * outputs));
  const counts = new Float64Array(Math.max(2, outputs));
  for (const row of trainingRows) counts[target[row]]++;
  return {
    metric: "accuracy",
    score: accuracy(Float64Array.from(validationRows, likeliest), truth),
    baseline: accuracy(guess(largest(counts)), truth),
    rows,
  };
}

function largest(values: Float64Array): number {
  return values.reduce((best, value, k) => (value > values[best] ? k : best), 0);
}
