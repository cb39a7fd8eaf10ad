import { exp, log } from "../elementary/index.ts";
import { RatewiseError } from "../errors.ts";

const LOG_ROOT_PI = 0.5723649429247001; // ln Γ(1/2)
const PRECISION = 2 ** -52;
const MOST_TERMS = 10_000;

/**
 * The chance that a chi-square of `degrees` exceeds `value`: the regularised upper incomplete gamma function Q(degrees/2, value/2),
 * by its series where that converges fast and else by its continued fraction (Lentz).
 */
export function chiSquareTail(value: number, degrees: number): number {
  if (!(Number.isInteger(degrees) && degrees > 0) || Number.isNaN(value))
    throw new RatewiseError("domain", {
      in: "chiSquareTail",
      what: `needs a number and whole degrees above 0, got ${value} and ${degrees}`,
    });
  if (value <= 0) return 1;
  if (value === Number.POSITIVE_INFINITY) return 0;
  const a = degrees / 2;
  const x = value / 2;
  const scale = exp(a * log(x) - x - logGamma(degrees));
  return x < a + 1 ? 1 - scale * series(a, x) : scale * fraction(a, x);
}

/** ln Γ(degrees/2) by Γ(a + 1) = aΓ(a). */
function logGamma(degrees: number): number {
  let sum = degrees % 2 === 0 ? 0 : LOG_ROOT_PI;
  for (let twice = degrees - 2; twice > 0; twice -= 2) sum += log(twice / 2);
  return sum;
}

/** Σ_k x^k / (a(a + 1)…(a + k)). */
function series(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let k = 1; k < MOST_TERMS && term > sum * PRECISION; k++) {
    term *= x / (a + k);
    sum += term;
  }
  return sum;
}

/** 1/(x + 1 − a − 1·(1 − a)/(x + 3 − a − 2·(2 − a)/(x + 5 − a − …))). */
function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Number.MAX_VALUE;
  let d = 1 / b;
  let h = d;
  for (let k = 1; k < MOST_TERMS; k++) {
    const an = -k * (k - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= c * d;
    if (Math.abs(c * d - 1) < PRECISION) break;
  }
  return h;
}
