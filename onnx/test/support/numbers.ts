import { keyFromSeed, normals } from "@ratewise/core";

/** Normal numbers, the same at every run. */
export function normalNumbers(count: number, seed: number, scale = 1): number[] {
  const next = normals(keyFromSeed(seed));
  return Array.from({ length: count }, () => scale * next());
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = Math.abs(a[k] - b[k]);
    if (!(difference <= most)) most = difference;
  }
  return most;
}
