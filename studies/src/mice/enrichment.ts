import * as elementary from "@ratewise/core/elementary";
import { adjustPValues } from "@ratewise/core/select";
import type { Gene } from "./genes.ts";

export interface Enrichment {
  readonly set: string;
  /** Chosen genes in the set, genes of the universe in it. */
  readonly overlap: number;
  readonly size: number;
  readonly pValue: number;
  readonly qValue: number;
  readonly genes: readonly string[];
}

/**
 * Sets that hold more of the chosen genes than chance would: the hypergeometric tail P(overlap or more) with the genes on the array as the
 * universe, adjusted after Benjamini and Hochberg over the sets that hold a gene of it. Most likely first.
 */
export function enrichedSets(
  chosen: readonly Gene[],
  universe: readonly Gene[],
  sets: ReadonlyMap<string, ReadonlySet<string>>,
): Enrichment[] {
  const found = [...sets].flatMap(([name, set]) => {
    const size = universe.filter((gene) => inSet(gene, set)).length;
    if (size === 0) return [];
    const genes = chosen.filter((gene) => inSet(gene, set)).map((gene) => gene.name);
    const pValue = hypergeometricTail(universe.length, size, chosen.length, genes.length);
    return [{ set: name, overlap: genes.length, size, pValue, genes }];
  });
  const qValues = adjustPValues(found.map(({ pValue }) => pValue));
  return found
    .map((row, i) => ({ ...row, qValue: qValues[i] }))
    .sort((a, b) => a.pValue - b.pValue || (a.set < b.set ? -1 : 1));
}

function inSet({ symbols }: Gene, set: ReadonlySet<string>): boolean {
  return symbols.some((symbol) => set.has(symbol.toUpperCase()));
}

/** P(X ≥ k) for X the marked among `drawn` of `total`, of which `marked` are. */
export function hypergeometricTail(
  total: number,
  marked: number,
  drawn: number,
  k: number,
): number {
  const most = Math.min(marked, drawn);
  if (k <= Math.max(0, drawn + marked - total)) return 1;
  const whole = logChoose(total, drawn);
  let sum = 0;
  for (let x = k; x <= most; x++)
    sum += elementary.exp(logChoose(marked, x) + logChoose(total - marked, drawn - x) - whole);
  return Math.min(1, sum);
}

const logFactorials: number[] = [0];

function logChoose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY;
  for (let i = logFactorials.length; i <= n; i++)
    logFactorials.push(logFactorials[i - 1] + elementary.log(i));
  return logFactorials[n] - logFactorials[k] - logFactorials[n - k];
}
