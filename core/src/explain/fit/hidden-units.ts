import { activations, type Network, networkAfter, type Rows } from "../../network/index.ts";
import type { RateResult } from "../../rate/index.ts";
import { rateOfNetworks } from "./column-rates.ts";

export interface HiddenUnitOptions {
  /** The layer whose units are ranked, 0 the first. */
  readonly layer: number;
  /** One per unit; default unit1, unit2, … */
  readonly names?: readonly string[];
}

/**
 * RATE of the units of an inner layer: their activations on the rows of X stand in place of the variables, and
 * the rest of the network in place of the network. One result a class of a softmax, otherwise one. A unit that
 * is the same on all rows has RATE 0 and a diagnostic.
 */
export function rateHiddenUnits(
  network: Network,
  X: Rows,
  y: Float64Array,
  { layer, names }: HiddenUnitOptions,
): readonly RateResult[] {
  const { data, rows, cols } = activations(network, X, layer);
  const units = { data: Float32Array.from(data), rows, cols };
  const columnNames = names ?? Array.from({ length: cols }, (_, k) => `unit${k + 1}`);
  return rateOfNetworks([networkAfter(network, layer)], units, y, { columnNames, groups: [] })
    .results;
}
