import type { TraitResult } from "./trait.ts";

/** Sets that the paper's rule seems to enrich, of every permuted trait. */
export const setsOnNothing = ({ control }: TraitResult): number[] =>
  control.enriched.map((sets) => sets.length);

/** Permuted traits with as many sets or more. */
export const asManySets = (result: TraitResult): number =>
  setsOnNothing(result).filter((sets) => sets >= result.enriched.length).length;

/** Whether permuted traits give as many sets often enough, a tenth of them, that sets say nothing. */
export const enrichmentIsUsual = (result: TraitResult): boolean =>
  asManySets(result) >= result.control.above.length / 10;
