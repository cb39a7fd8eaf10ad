import { expect } from "vitest";
import type { FloatArray } from "../../src/compute/index.ts";
import { naive } from "../../src/compute/naive.ts";
import { fold, keyFromSeed, normalInto } from "../../src/random/index.ts";

export type Precision = "f32" | "f64";

export function zeros(precision: Precision, length: number): FloatArray {
  return precision === "f64" ? new Float64Array(length) : new Float32Array(length);
}

/** Standard normals, another draw for every label. */
export function gaussian(precision: Precision, length: number, label: string): FloatArray {
  const out = zeros(precision, length);
  normalInto(out, fold(keyFromSeed(7), label));
  return out;
}

/** A well-conditioned positive definite matrix: G Gᵀ/n + I, n×n with leading dimension ld. */
export function positiveDefinite(precision: Precision, n: number, ld: number): FloatArray {
  const G = gaussian(precision, n * n, `definite ${n}`);
  const A = gaussian(precision, n * ld, "gaps");
  naive.syrk(false, n, n, 1 / Math.max(1, n), G, n, 0, A, ld);
  for (let i = 0; i < n; i++) A[i * ld + i] += 1;
  return A;
}

export function largest(values: FloatArray): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

/** The tolerance of every kernel, relative to the largest entry. */
export function within(precision: Precision, values: FloatArray): { rtol: 0; atol: number } {
  return { rtol: 0, atol: (precision === "f64" ? 1e-12 : 1e-5) * largest(values) };
}

export function expectSameBytes(actual: ArrayBufferView, expected: ArrayBufferView): void {
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  expect(bytes(actual).equals(bytes(expected))).toBe(true);
}
