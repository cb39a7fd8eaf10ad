import { binaryExponent } from "../elementary/index.ts";
import type { Matrix } from "./matrix.ts";

/**
 * The power of two that brings the largest entry of A to about 1, so that squares neither overflow
 * nor underflow; 1 for a zero matrix. Multiplying by it is exact.
 */
export function powerOfTwoScale(A: Matrix): number {
  let largest = 0;
  for (const value of A.data) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return 1;
  return 2 ** Math.min(1000, -binaryExponent(largest));
}
