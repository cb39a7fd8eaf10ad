/**
 * Elementary functions on four singles at once, a few roundings from exact (coefficients of the
 * Cephes library by S. Moshier unless said). No tables: kernels keep no data in memory.
 */

// @ts-ignore: decorator
@inline
function s(value: f32): v128 {
  return f32x4.splat(value);
}

// @ts-ignore: decorator
@inline
function fma(a: v128, b: v128, c: f32): v128 {
  return f32x4.add(f32x4.mul(a, b), s(c));
}

/** eˣ, x cut to ±87. NaN stays NaN. */
export function exp4(x: v128): v128 {
  x = f32x4.max(f32x4.min(x, s(87.0)), s(-87.0));
  const whole = f32x4.floor(fma(x, s(1.44269504088896341), 0.5));
  x = f32x4.sub(x, f32x4.mul(whole, s(0.693359375)));
  x = f32x4.sub(x, f32x4.mul(whole, s(-2.12194440e-4)));
  let y = fma(s(1.9875691500e-4), x, 1.3981999507e-3);
  y = fma(y, x, 8.3334519073e-3);
  y = fma(y, x, 4.1665795894e-2);
  y = fma(y, x, 1.6666665459e-1);
  y = fma(y, x, 5.0000001201e-1);
  y = f32x4.add(f32x4.add(f32x4.mul(y, f32x4.mul(x, x)), x), s(1.0));
  const exponent = i32x4.add(i32x4.trunc_sat_f32x4_s(whole), i32x4.splat(127));
  return f32x4.mul(y, i32x4.shl(exponent, 23));
}

/** log x for normal positive x. */
export function log4(x: v128): v128 {
  let e = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shr_u(x, 23), i32x4.splat(126)));
  x = v128.or(v128.and(x, i32x4.splat(0x007fffff)), i32x4.splat(0x3f000000)); // in [½, 1)
  const low = f32x4.lt(x, s(0.707106781186547524));
  e = f32x4.sub(e, v128.and(low, s(1.0)));
  x = f32x4.sub(f32x4.add(x, v128.and(low, x)), s(1.0));
  const z = f32x4.mul(x, x);
  let y = fma(s(7.0376836292e-2), x, -1.1514610310e-1);
  y = fma(y, x, 1.1676998740e-1);
  y = fma(y, x, -1.2420140846e-1);
  y = fma(y, x, 1.4249322787e-1);
  y = fma(y, x, -1.6668057665e-1);
  y = fma(y, x, 2.0000714765e-1);
  y = fma(y, x, -2.4999993993e-1);
  y = fma(y, x, 3.3333331174e-1);
  y = f32x4.mul(f32x4.mul(y, x), z);
  y = f32x4.add(y, f32x4.mul(e, s(-2.12194440e-4)));
  y = f32x4.sub(y, f32x4.mul(s(0.5), z));
  return f32x4.add(f32x4.add(x, y), f32x4.mul(e, s(0.693359375)));
}

/** sin 2πu (`shift` 0) or cos 2πu (`shift` 1) for u in [0, 1): quadrants of u are exact. */
export function turn4(u: v128, shift: i32): v128 {
  const quarter = f32x4.floor(fma(u, s(4.0), 0.5));
  const x = f32x4.mul(f32x4.sub(u, f32x4.mul(quarter, s(0.25))), s(6.28318530717958648));
  const z = f32x4.mul(x, x);
  let sine = fma(s(-1.9515295891e-4), z, 8.3321608736e-3);
  sine = fma(sine, z, -1.6666654611e-1);
  sine = f32x4.add(f32x4.mul(f32x4.mul(sine, z), x), x);
  let cosine = fma(s(2.443315711809948e-5), z, -1.388731625493765e-3);
  cosine = fma(cosine, z, 4.166664568298827e-2);
  cosine = f32x4.sub(f32x4.mul(f32x4.mul(cosine, z), z), f32x4.mul(z, s(0.5)));
  cosine = f32x4.add(cosine, s(1.0));
  const quadrant = i32x4.add(i32x4.trunc_sat_f32x4_s(quarter), i32x4.splat(shift));
  const odd = i32x4.ne(v128.and(quadrant, i32x4.splat(1)), i32x4.splat(0));
  const sign = i32x4.shl(v128.and(quadrant, i32x4.splat(2)), 30);
  return v128.xor(v128.bitselect(cosine, sine, odd), sign);
}

/** tanh x: the rational approximation of the Eigen library, within 1e-6 of it relatively. */
export function tanh4(x: v128): v128 {
  x = f32x4.max(f32x4.min(x, s(9.0)), s(-9.0));
  const z = f32x4.mul(x, x);
  let p = fma(s(-2.76076847742355e-16), z, 2.00018790482477e-13);
  p = fma(p, z, -8.60467152213735e-11);
  p = fma(p, z, 5.12229709037114e-8);
  p = fma(p, z, 1.48572235717979e-5);
  p = fma(p, z, 6.37261928875436e-4);
  p = fma(p, z, 4.89352455891786e-3);
  let q = fma(s(1.19825839466702e-6), z, 1.18534705686654e-4);
  q = fma(q, z, 2.26843463243900e-3);
  q = fma(q, z, 4.89352518554385e-3);
  return f32x4.div(f32x4.mul(p, x), q);
}

/** 1/(1 + e^−x). */
export function sigmoid4(x: v128): v128 {
  return f32x4.div(s(1.0), f32x4.add(s(1.0), exp4(f32x4.neg(x))));
}

/** Φ(x) from e = e^(−x²/2), to 1e-7 (Abramowitz and Stegun 7.1.26). */
export function normal4(x: v128, e: v128): v128 {
  const t = f32x4.div(s(1.0), fma(f32x4.abs(x), s(0.3275911 * 0.70710678118654752), 1.0));
  let p = fma(s(1.061405429), t, -1.453152027);
  p = fma(p, t, 1.421413741);
  p = fma(p, t, -0.284496736);
  p = fma(p, t, 0.254829592);
  const tail = f32x4.mul(f32x4.mul(f32x4.mul(p, t), e), s(0.5)); // Φ(−|x|)
  return v128.bitselect(tail, f32x4.sub(s(1.0), tail), f32x4.lt(x, s(0.0)));
}

// @ts-ignore: decorator
@inline
export function exp1(x: f32): f32 {
  return f32x4.extract_lane(exp4(s(x)), 0);
}

// @ts-ignore: decorator
@inline
export function log1(x: f32): f32 {
  return f32x4.extract_lane(log4(s(x)), 0);
}
