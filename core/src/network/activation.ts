import { exp, sigmoid, tanh } from "../elementary/index.ts";

/** Elementwise functions between layers. `gelu` is z·Φ(z), the exact one. */
export const activationNames = ["relu", "tanh", "gelu", "sigmoid", "identity"] as const;
export type Activation = (typeof activationNames)[number];

/** a(z). */
export function activate(kind: Activation, z: number): number {
  switch (kind) {
    case "relu":
      return Math.max(z, 0);
    case "tanh":
      return tanh(z);
    case "gelu":
      return 0.5 * z * (1 + erf(z * Math.SQRT1_2));
    case "sigmoid":
      return sigmoid(z);
    case "identity":
      return z;
  }
  return kind satisfies never;
}

/** a′(z), from z and a = a(z); at the kink of `relu` it is 0. */
export function activationSlope(kind: Activation, z: number, a: number): number {
  switch (kind) {
    case "relu":
      return z > 0 ? 1 : 0;
    case "tanh":
      return 1 - a * a;
    case "gelu":
      return 0.5 * (1 + erf(z * Math.SQRT1_2)) + z * NORMAL_PEAK * exp(-0.5 * z * z);
    case "sigmoid":
      return a * (1 - a);
    case "identity":
      return 1;
  }
  return kind satisfies never;
}

/** 1/√(2π). */
const NORMAL_PEAK = 0.3989422804014327;

/**
 * The error function to about 1e-15: its Maclaurin series with all terms positive,
 * erf x = 2/√π e^(−x²) Σ 2^k x^(2k+1)/(1·3·…·(2k+1)), up to |x| = 6, beyond which it is ±1 in double precision.
 * `@ratewise/onnx` has another that is exact to 4e-16; this one keeps the bits of networks trained before.
 */
export function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let k = 1; Math.abs(term) > 1e-17 * Math.abs(sum); k++) {
    term *= (2 * x * x) / (2 * k + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * exp(-x * x) * sum;
}
