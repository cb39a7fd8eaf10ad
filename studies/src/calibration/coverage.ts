/** The standard normal's 95% point: mean ± this many standard deviations hold 90%. */
const REACH = 1.6448536269514722;

/** The share of true values within their 90% intervals. */
export function coverage(mean: Float64Array, variance: Float64Array, truth: Float64Array): number {
  let within = 0;
  for (let i = 0; i < mean.length; i++)
    if (Math.abs(truth[i] - mean[i]) <= REACH * Math.sqrt(variance[i])) within++;
  return within / mean.length;
}

/** One posterior's coverage on one simulated data set. */
export interface CoverageRow {
  /** Whether the data come from the model itself, or from the paper's generator. */
  readonly setting: "model holds" | "paper's simulation";
  readonly posterior: string;
  /** What the intervals are of: the function at new rows, new responses, a difference of two logits. */
  readonly of: "f" | "response" | "contrast";
  readonly seed: number;
  readonly coverage: number;
}
