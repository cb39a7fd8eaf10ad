import { type Reduced, reduceInto } from "./quarter-turns.ts";
import { cosKernel, sinKernel } from "./sin-cos-kernel.ts";

const reduced: Reduced = { head: 0, tail: 0 };

/**
 * The sine of `x` radians, in error by less than 1 ulp at any size, with the same bits everywhere: the
 * nearest multiple of π/2 off, then a polynomial, as in FreeBSD's msun (Sun Microsystems 1993).
 */
export function sin(x: number): number {
  if (Math.abs(x) <= Math.PI / 4) return Math.abs(x) < 2 ** -27 ? x : sinKernel(x, 0);
  if (!Number.isFinite(x)) return Number.NaN;
  return ofQuarter(reduceInto(reduced, x), reduced);
}

/** The cosine of `x` radians; as {@link sin}. */
export function cos(x: number): number {
  if (Math.abs(x) <= Math.PI / 4) return cosKernel(x, 0);
  if (!Number.isFinite(x)) return Number.NaN;
  return ofQuarter(reduceInto(reduced, x) + 1, reduced);
}

/** sin(n·π/2 + head + tail) */
function ofQuarter(n: number, { head, tail }: Reduced): number {
  const value = (n & 1) === 0 ? sinKernel(head, tail) : cosKernel(head, tail);
  return (n & 2) === 0 ? value : -value;
}
