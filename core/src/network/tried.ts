import type { Gain } from "./gain.ts";

/** A model that was tried, judged by the rows held back. */
export interface Tried {
  /** Units of its hidden layers; none for the linear part alone. */
  readonly layers: readonly number[];
  /** Whether a linear part stands beside them; of none at all only a constant is left. */
  readonly linear: boolean;
  /** How many columns it takes with an expansion, so that it can follow rough effects. */
  readonly expanded: number;
  /** Whether it learned the logarithm of the response. */
  readonly log: boolean;
  /** Mean loss of the rows held back: squared error in units of the variance of what was learned, or −log p. */
  readonly loss: number;
  /** What it gains over the one taken before; null for the first. */
  readonly gain: Gain | null;
  readonly taken: boolean;
}
