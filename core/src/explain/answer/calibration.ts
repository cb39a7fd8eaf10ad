import { toLogScale } from "../../network/log-scale.ts";
import type { ModelPrediction } from "../fit/model.ts";
import { likeliestClasses } from "../fit/model.ts";
import type { Prepared } from "../prepare/prepared.ts";

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
  { mean, sd, probabilities, logarithm }: ModelPrediction,
  { classes, test: { y } }: Pick<Prepared, "classes" | "test">,
): Calibration {
  // Intervals are central where the prediction is Gaussian; a logarithm keeps what is inside inside.
  if (logarithm) {
    const covered = coverage(logarithm.mean, logarithm.sd, toLogScale(logarithm, y));
    return { intervals: covered, probabilities: null, confusion: null };
  }
  if (mean && sd) return { intervals: coverage(mean, sd, y), probabilities: null, confusion: null };
  const C = classes!.length;
  const likeliest = likeliestClasses(probabilities!, C);
  const asked = (i: number): number => (C === 2 ? 1 : likeliest[i]);
  const bins = reliability(
    Float64Array.from(y, (_, i) => probabilities![i * C + asked(i)]),
    Uint8Array.from(y, (label, i) => Number(label === asked(i))),
  );
  const apart = bins.reduce(
    (sum, { count, predicted, observed }) =>
      count === 0 ? sum : sum + count * Math.abs(observed! - predicted!),
    0,
  );
  return {
    intervals: null,
    probabilities: { class: C === 2 ? classes![1] : null, bins, error: apart / y.length },
    confusion: C > MOST_CONFUSED ? null : confusionOf(y, likeliest, C),
  };
}

function coverage(mean: Float64Array, sd: Float64Array, y: Float64Array): IntervalCoverage[] {
  return INTERVALS.map(([level, width]) => {
    let inside = 0;
    for (let i = 0; i < y.length; i++) if (Math.abs(y[i] - mean[i]) <= width * sd[i]) inside++;
    return { level, covered: inside / y.length, between: wilson(inside, y.length) };
  });
}

/** (k + z²/2 ± z√(k(n−k)/n + z²/4)) / (n + z²), z of 95%: the interval of a share k/n. */
function wilson(k: number, n: number): [number, number] {
  const [, z] = INTERVALS[3];
  const half = z * Math.sqrt((k * (n - k)) / n + (z * z) / 4);
  const middle = k + (z * z) / 2;
  return [Math.max(0, (middle - half) / (n + z * z)), Math.min(1, (middle + half) / (n + z * z))];
}

/** Ten bins of equal width; a probability of 1 belongs to the last. */
function reliability(probability: Float64Array, cameTrue: Uint8Array): ReliabilityBin[] {
  const count = new Float64Array(BINS);
  const predicted = new Float64Array(BINS);
  const observed = new Float64Array(BINS);
  probability.forEach((p, i) => {
    const bin = Math.min(BINS - 1, Math.floor(p * BINS));
    count[bin]++;
    predicted[bin] += p;
    observed[bin] += cameTrue[i];
  });
  return Array.from(count, (rows, bin) => ({
    from: bin / BINS,
    to: (bin + 1) / BINS,
    count: rows,
    predicted: rows > 0 ? predicted[bin] / rows : null,
    observed: rows > 0 ? observed[bin] / rows : null,
  }));
}

function confusionOf(y: Float64Array, likeliest: Uint32Array, C: number): number[][] {
  const counts = Array.from({ length: C }, () => new Array<number>(C).fill(0));
  y.forEach((label, i) => {
    counts[label][likeliest[i]]++;
  });
  return counts;
}
