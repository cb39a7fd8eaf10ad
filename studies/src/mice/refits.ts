import { fold, type Key } from "@ratewise/core";
import { permutation } from "@ratewise/core/random";
import { adjustPValues } from "@ratewise/core/select";
import { groupBy } from "../group-by.ts";

/** Genes scored by a network trained on a permuted trait. */
export interface Refit {
  /** Divergences of groupRATE, and their shares. */
  readonly kld: Float64Array;
  readonly rate: Float64Array;
}

export interface RefitTest {
  readonly refits: number;
  /** Genes whose divergence is above that of every refit, and how many would be by chance. */
  readonly aboveAll: number;
  readonly expected: number;
  /** Genes at the rate asked for, by divergences and by shares. */
  readonly found: number;
  readonly foundByShares: number;
  readonly pValues: Float64Array;
}

/** p_g = (1 + #{refits with as much})/(1 + B), gene by gene. With B = 20 none is below 1/21: a check of the fast null, not its rival. */
export function refitTest(observed: Refit, refits: readonly Refit[], fdr: number): RefitTest {
  const pValuesOf = (which: keyof Refit): Float64Array =>
    observed[which].map(
      (own, g) =>
        (1 + refits.filter((refit) => refit[which][g] >= own).length) / (1 + refits.length),
    );
  const count = (pValues: Float64Array): number =>
    adjustPValues(pValues).filter((q) => q <= fdr).length;
  const pValues = pValuesOf("kld");
  const least = 1 / (1 + refits.length);
  return {
    refits: refits.length,
    aboveAll: pValues.filter((p) => p <= least).length,
    expected: pValues.length * least,
    found: count(pValues),
    foundByShares: count(pValuesOf("rate")),
    pValues,
  };
}

/** Which mouse gives its trait to each: any, or only one of the same label. */
export function permutedMice(key: Key, labels: readonly string[] | number): Uint32Array {
  if (typeof labels === "number") return permutation(key, labels);
  const members = groupBy(labels.keys(), (i) => labels[i]);
  const out = new Uint32Array(labels.length);
  let at = 0;
  for (const own of members.values()) {
    const order = permutation(fold(key, "litter", at++), own.length);
    own.forEach((i, k) => {
      out[i] = own[order[k]];
    });
  }
  return out;
}
