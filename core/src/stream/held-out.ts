import { log } from "../elementary/index.ts";
import { accuracy, rSquared } from "../evaluate/index.ts";
import type { Matrix } from "../linalg/index.ts";
import { errorOfMean, meanOf, squaresOf } from "../linalg/moments.ts";
import type { Layout } from "../network/layout.ts";
import { meanOutput } from "../network/output.ts";
import { rowLosses } from "../network/validation-score.ts";

/** How well a network does on rows that no step was made on, beside what needs no network. */
export interface StreamHeldOut {
  readonly metric: "r2" | "accuracy";
  readonly score: number;
  /** R² of the training rows' mean, or the accuracy of always naming their commonest class. */
  readonly baseline: number;
  /** Of score − baseline, over rows like these. */
  readonly standardError: number;
  /**
   * What the network gains over what needs none, which is chance unless it is some standard errors above 0: in R², or in log loss over the
   * classes' shares. Where one class is rare, naming the commonest is no measure.
   */
  readonly gain: { readonly value: number; readonly standardError: number };
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
    const [score, baseline] = [rSquared(own, truth), rSquared(mean, truth)];
    const standardError = variance > 0 ? (rows > 1 ? errorOfMean(gains) : 0) / variance : 0;
    const gain = { value: score - baseline, standardError };
    return { metric: "r2", score, baseline, rows, standardError, gain };
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
    gain: lossGain(layout, f, target, validationRows, counts),
  };
}

/** Mean of −log of the classes' shares in training, less that of the network's probabilities. */
function lossGain(
  layout: Layout,
  f: Float64Array,
  target: Float64Array,
  rows: Uint32Array,
  counts: Float64Array,
): StreamHeldOut["gain"] {
  const { outputs } = layout;
  const own = new Float64Array(rows.length * outputs);
  rows.forEach((row, at) => {
    own.set(f.subarray(row * outputs, (row + 1) * outputs), at * outputs);
  });
  const losses = rowLosses(layout, own, target, rows);
  // A class that training lacks counts as half a row, so that it is not impossible.
  const some = counts.map((count) => Math.max(count, 0.5));
  const total = some.reduce((sum, count) => sum + count, 0);
  const gains = losses.map((loss, i) => -log(some[target[rows[i]]] / total) - loss);
  return { value: meanOf(gains), standardError: rows.length > 1 ? errorOfMean(gains) : 0 };
}

function largest(values: Float64Array): number {
  return values.reduce((best, value, k) => (value > values[best] ? k : best), 0);
}
