import { exp } from "./exp.ts";
import { log1p } from "./log1p.ts";

/** 1/(1 + e^−z) without overflow. */
export function sigmoid(z: number): number {
  if (z >= 0) return 1 / (1 + exp(-z));
  const e = exp(z);
  return e / (1 + e);
}

/** log(1 + e^z) without overflow. */
export function softplus(z: number): number {
  return Math.max(z, 0) + log1p(exp(-Math.abs(z)));
}
