import type { Gain } from "./gain.ts";

/**
 * `constant`: no column at all. `linear`: the linear part alone. `network`: hidden units alone. `blend`: both, fitted apart,
 * each with its share. `beside`: hidden units that learned what the linear part leaves.
 */
export type ModelForm = "constant" | "linear" | "network" | "blend" | "beside";

/** A model that was tried, judged by the rows held back. */
export interface Tried {
  readonly form: ModelForm;
  /** Units of its hidden layers; none without a network. */
  readonly layers: readonly number[];
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
