import { type CalibrationTest, calibrationTest, confusionCounts } from "../../evaluate/index.ts";
import { toLogScale } from "../../network/log-scale.ts";
import { likeliestClasses } from "../fit/model.ts";
import type { Unseen } from "../fit/unseen.ts";

/** How often the central interval of a given level held the value that came. */
export interface IntervalCoverage {
  readonly level: number;
  /** Share of the held-out rows inside. */
  readonly covered: number;
  /** Where that share may lie given so few rows: its 95% interval of Wilson (1927). */
  readonly between: readonly [low: number, high: number];
}

/** Held-out rows whose probability fell between two bounds. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Mean probability, and share of the rows where it happened; null in an empty bin. */
  readonly predicted: number | null;
  readonly observed: number | null;
}

/** Does the model know how much it does not know? Measured on the held-out rows. */
export interface Calibration {
  /** null for classes. */
  readonly intervals: readonly IntervalCoverage[] | null;
  /** Of the second of two classes, or of the likeliest of several; null for a regression. */
  readonly probabilities: {
    /** The class whose probability it is; null: the likeliest of several. */
    readonly class: string | null;
    readonly bins: readonly ReliabilityBin[];
    /** Σ count·|observed − predicted| / Σ count: the expected calibration error. */
    readonly error: number;
    /** Whether the probabilities of all classes may be what they say; by independent rows. */
    readonly test: CalibrationTest;
  } | null;
  /** Held-out rows by class (outer) and class predicted (inner); null for a regression and for more than 30 classes. */
  readonly confusion: readonly (readonly number[])[] | null;
}

/** Half widths of the central intervals of a Gaussian, Φ⁻¹((1 + level)/2). */
const INTERVALS: readonly (readonly [level: number, width: number])[] = [
  [0.5, 0.674489750196082],
  [0.8, 1.2815515655446],
  [0.9, 1.64485362695147],
  [0.95, 1.95996398454005],
];
const BINS = 10;
const MOST_CONFUSED = 30;

/** Predictions of the held-out rows beside what came. O(n·C). */
export function calibrationOf(
  {
    y,
    weights = null,
    classWeights = null,
    prediction: { mean, sd, probabilities, logarithm },
  }: Pick<Unseen, "y" | "weights" | "classWeights" | "prediction">,
  classes: readonly string[] | null,
): Calibration {
  // Intervals are central where the prediction is Gaussian; a logarithm keeps what is inside inside.
  if (logarithm) {
    const covered = coverage(logarithm.mean, logarithm.sd, toLogScale(logarithm, y), weights);
    return { intervals: covered, probabilities: null, confusion: null };
  }
  if (mean && sd)
    return { intervals: coverage(mean, sd, y, weights), probabilities: null, confusion: null };
  const C = classes!.length;
  const likeliest = likeliestClasses(probabilities!, C);
  const asked = (i: number): number => (C === 2 ? 1 : likeliest[i]);
  const bins = reliability(
    Float64Array.from(y, (_, i) => probabilities![i * C + asked(i)]),
    Uint8Array.from(y, (label, i) => Number(label === asked(i))),
    weights,
  );
  return {
    intervals: null,
    probabilities: {
      class: C === 2 ? classes![1] : null,
      ...bins,
      test: calibrationTest(probabilities!, y, weights && { rows: weights, classes: classWeights }),
    },
    confusion: C > MOST_CONFUSED ? null : confusionOf(confusionCounts(likeliest, y, C), C),
  };
}

function coverage(
  mean: Float64Array,
  sd: Float64Array,
  y: Float64Array,
  weights: Float64Array | null,
): IntervalCoverage[] {
  const weight = (i: number) => (weights ? weights[i] : 1);
  const total = y.reduce((sum, _, i) => sum + weight(i), 0);
  // As many rows that count the same tell as much: (Σw)²/Σw².
  const rows = (total * total) / y.reduce((sum, _, i) => sum + weight(i) ** 2, 0);
  return INTERVALS.map(([level, width]) => {
    let inside = 0;
    for (let i = 0; i < y.length; i++)
      if (Math.abs(y[i] - mean[i]) <= width * sd[i]) inside += weight(i);
    const held = weights ? (inside / total) * rows : inside;
    return { level, covered: inside / total, between: wilson(held, rows) };
  });
}

/** (k + z²/2 ± z√(k(n−k)/n + z²/4)) / (n + z²), z of 95%: the interval of a share k/n. */
function wilson(k: number, n: number): [number, number] {
  const [, z] = INTERVALS[3];
  const half = z * Math.sqrt((k * (n - k)) / n + (z * z) / 4);
  const middle = k + (z * z) / 2;
  return [Math.max(0, (middle - half) / (n + z * z)), Math.min(1, (middle + half) / (n + z * z))];
}

/** Ten bins of equal width, and how far apart the two shares are on average; a probability of 1 belongs to the last. */
function reliability(
  probability: Float64Array,
  cameTrue: Uint8Array,
  weights: Float64Array | null,
): { bins: ReliabilityBin[]; error: number } {
  const total = new Float64Array(BINS);
  const count = new Float64Array(BINS);
  const predicted = new Float64Array(BINS);
  const observed = new Float64Array(BINS);
  probability.forEach((p, i) => {
    const bin = Math.min(BINS - 1, Math.floor(p * BINS));
    const weight = weights ? weights[i] : 1;
    count[bin]++;
    total[bin] += weight;
    predicted[bin] += weight * p;
    observed[bin] += weight * cameTrue[i];
  });
  const bins = Array.from(count, (rows, bin) => ({
    from: bin / BINS,
    to: (bin + 1) / BINS,
    count: rows,
    predicted: rows > 0 ? predicted[bin] / total[bin] : null,
    observed: rows > 0 ? observed[bin] / total[bin] : null,
  }));
  const apart = bins.reduce(
    (sum, { count: rows, predicted: p, observed: o }, bin) =>
      rows === 0 ? sum : sum + total[bin] * Math.abs(o! - p!),
    0,
  );
  return { bins, error: apart / total.reduce((sum, weight) => sum + weight, 0) };
}

function confusionOf(counts: Float64Array, C: number): number[][] {
  return Array.from({ length: C }, (_, c) => [...counts.subarray(c * C, (c + 1) * C)]);
}
