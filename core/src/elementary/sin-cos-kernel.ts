/**
 * sin(x + tail) for |x| ≤ π/4, in error by less than 1 ulp: a polynomial of degree 13 that errs by less
 * than 2⁻⁵⁸. After k_sin of FreeBSD's msun (Sun Microsystems 1993).
 */
export function sinKernel(x: number, tail: number): number {
  const z = x * x;
  const w = z * z;
  const r =
    8.33333333332249e-3 +
    z * (-1.984126982985795e-4 + z * 2.7557313707070068e-6) +
    z * w * (-2.5050760253406863e-8 + z * 1.58969099521155e-10);
  const cube = z * x;
  return x - (z * (0.5 * tail - cube * r) - tail - cube * -0.16666666666666632);
}

/**
 * cos(x + tail) for |x| ≤ π/4, in error by less than 1 ulp: a polynomial of degree 14 that errs by less
 * than 2⁻⁵⁸. After k_cos of FreeBSD's msun (Sun Microsystems 1993).
 */
export function cosKernel(x: number, tail: number): number {
  const z = x * x;
  const w = z * z;
  const r =
    z * (0.0416666666666666 + z * (-1.388888888887411e-3 + z * 2.480158728947673e-5)) +
    w * w * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11));
  const halfSquare = 0.5 * z;
  const head = 1 - halfSquare;
  return head + (1 - head - halfSquare + (z * r - x * tail));
}
