import { log } from "../elementary/index.ts";
/** Δ and ESS of the shares: how far they are from equal. */
export interface Entropy {
  /** Δ = Σ RATE·log(p·RATE), the divergence of the shares from 1/p; 0·log 0 = 0. */
  readonly delta: number;
  /** 100/(1 + Δ). */
  readonly ess: number;
}

/** p counts the shares that are not NaN; null when all of them are 0. */
export function entropy(rate: Float64Array): Entropy | null {
  let p = 0;
  for (let j = 0; j < rate.length; j++) if (!Number.isNaN(rate[j])) p++;
  let delta = 0;
  let total = 0;
  for (let j = 0; j < rate.length; j++) {
    const share = rate[j];
    if (!(share > 0)) continue;
    total += share;
    delta += share * log(p * share);
  }
  return total > 0 ? { delta, ess: 100 / (1 + delta) } : null;
}

/** Shares of the total; zeros when the total is. NaN (a nullified variable) stays NaN and counts nowhere. */
export function shares(kld: Float64Array): Float64Array {
  let total = 0;
  for (let j = 0; j < kld.length; j++) if (!Number.isNaN(kld[j])) total += kld[j];
  return total > 0 ? kld.map((value) => value / total) : kld.map((value) => value * 0);
}
