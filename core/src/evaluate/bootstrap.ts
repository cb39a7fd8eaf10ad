import { RatewiseError } from "../errors.ts";
import { type Key, uniformInteger, uniforms } from "../random/index.ts";
import type { Numbers } from "./ranks.ts";

/** The quantile at `level` by linear interpolation between order statistics (Hyndman and Fan's type 7). */
export function quantile(values: Numbers, level: number): number {
  if (values.length === 0 || !(level >= 0 && level <= 1))
    throw new RatewiseError("domain", {
      in: "quantile",
      what: `needs values and a level from 0 to 1, got ${values.length} values, level ${level}`,
    });
  const sorted = Float64Array.from(values).sort();
  const at = level * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: Numbers): number {
  return quantile(values, 0.5);
}

export interface BootstrapOptions {
  readonly key: Key;
  /** Default 2000. */
  readonly repeats?: number;
  /** Coverage of the interval, default 0.95. */
  readonly level?: number;
}

export interface BootstrapInterval {
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
  /** The statistic of every resample, in the order drawn. */
  readonly draws: Float64Array;
}

/** Percentile bootstrap (Efron 1979) of a statistic of independent values: `bootstrap(aucs, median, { key })`. */
export function bootstrap(
  values: Numbers,
  statistic: (sample: Float64Array) => number,
  options: BootstrapOptions,
): BootstrapInterval {
  const { key, repeats = 2000, level = 0.95 } = options;
  if (!(level > 0 && level < 1) || !(repeats >= 1) || values.length === 0)
    throw new RatewiseError("domain", {
      in: "bootstrap",
      what: `needs values, repeats ≥ 1 and a level inside (0, 1), got ${values.length} values, ${repeats} repeats, level ${level}`,
    });
  const next = uniforms(key);
  const all = Float64Array.from(values);
  const sample = new Float64Array(all.length);
  const draws = new Float64Array(repeats);
  for (let r = 0; r < repeats; r++) {
    for (let i = 0; i < sample.length; i++) sample[i] = all[uniformInteger(next, all.length)];
    draws[r] = statistic(sample);
  }
  return {
    estimate: statistic(all),
    lower: quantile(draws, (1 - level) / 2),
    upper: quantile(draws, (1 + level) / 2),
    draws,
  };
}
