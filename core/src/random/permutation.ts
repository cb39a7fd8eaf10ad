import { RatewiseError } from "../errors.ts";
import type { Key } from "./key.ts";
import { uniformInteger, uniforms } from "./uniform.ts";

/** A uniformly random order of 0 … n − 1 (Fisher–Yates). */
export function permutation(key: Key, n: number): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  const next = uniforms(key);
  for (let i = n - 1; i > 0; i--) swap(order, i, uniformInteger(next, i + 1));
  return order;
}

/** `size` of 0 … n − 1 without replacement, in increasing order. */
export function subsample(key: Key, n: number, size: number): Uint32Array {
  if (!(size >= 0 && size <= n))
    throw new RatewiseError("domain", {
      in: "subsample",
      what: `needs a size from 0 to ${n}, got ${size}`,
    });
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  const next = uniforms(key);
  for (let i = 0; i < size; i++) swap(order, i, i + uniformInteger(next, n - i));
  return order.slice(0, size).sort();
}

function swap(a: Uint32Array, i: number, j: number): void {
  const t = a[i];
  a[i] = a[j];
  a[j] = t;
}
