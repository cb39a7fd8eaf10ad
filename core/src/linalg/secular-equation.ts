/** Bisection alone needs about this many evaluations for a root next to its pole; six are usual. */
const MOST_STEPS = 300;

/**
 * Root j of 1 + ρ Σ_i z_i²/(d_i − λ) = 0, the one between d_j and d_{j+1} (above d_j for the last), for
 * ascending distinct d and ρ > 0. Rational interpolation with the two nearest poles (Li 1993, "Solving
 * secular equations stably and efficiently"; LAPACK's dlaed4), inside a bracket.
 *
 * λ is found as distance from the nearer pole, and `delta[i]` ← d_i − λ keeps the digits that λ itself
 * would lose. Stops when the residual is rounding: what Gu and Eisenstat's vectors need.
 * @returns λ.
 */
export function secularRoot(
  j: number,
  d: Float64Array,
  squares: Float64Array,
  rho: number,
  delta: Float64Array,
): number {
  const n = d.length;
  const last = j === n - 1;
  let origin = d[j];
  let low = 0;
  let high: number;
  if (last) {
    let norm = 0;
    for (let i = 0; i < n; i++) norm += squares[i];
    high = rho * norm;
  } else {
    high = (d[j + 1] - d[j]) / 2;
    if (valueAt(d, squares, rho, d[j], high) < 0) {
      origin = d[j + 1];
      low = -high;
      high = 0;
    }
  }
  // Poles whose terms the interpolation keeps: those around the root, or the last two.
  const right = last ? j : j + 1;
  const left = Math.max(0, right - 1);
  let tau = last ? high : (low + high) / 2;
  for (let step = 0; ; step++) {
    let below = 0;
    let belowSlope = 0;
    let above = 0;
    let aboveSlope = 0;
    for (let i = 0; i < n; i++) {
      const distance = d[i] - origin - tau;
      delta[i] = distance;
      const term = squares[i] / distance;
      if (i <= left) {
        below += term;
        belowSlope += term / distance;
      } else {
        above += term;
        aboveSlope += term / distance;
      }
    }
    const value = 1 + rho * (below + above);
    const slope = rho * (belowSlope + aboveSlope);
    const noise = 1 + rho * (Math.abs(below) + Math.abs(above)) + Math.abs(tau) * slope;
    if (Math.abs(value) <= Number.EPSILON * noise || step === MOST_STEPS) break;
    if (value < 0) low = tau;
    else high = tau;
    const next = tau + interpolate(delta[left], delta[right], value, belowSlope, aboveSlope, rho);
    const inside = next > low && next < high;
    const following = inside ? next : (low + high) / 2;
    if (following === tau || following <= low || following >= high) break;
    tau = following;
  }
  return origin + tau;
}

/** The step η with c + s/(δ₁ − η) + S/(δ₂ − η) = 0, the model that matches values and slopes; NaN if none. */
function interpolate(
  delta1: number,
  delta2: number,
  value: number,
  belowSlope: number,
  aboveSlope: number,
  rho: number,
): number {
  const c = value - rho * (delta1 * belowSlope + delta2 * aboveSlope);
  const a = (delta1 + delta2) * value - delta1 * delta2 * rho * (belowSlope + aboveSlope);
  const b = delta1 * delta2 * value;
  const root = Math.sqrt(Math.max(0, a * a - 4 * b * c));
  // Both roots of c η² − a η + b, without cancellation; the step goes against the sign of the value.
  const q = a >= 0 ? (a + root) / 2 : (a - root) / 2;
  const first = q / c;
  const second = b / q;
  const wanted = value < 0 ? 1 : -1;
  if (first * wanted > 0 && !(second * wanted > 0 && Math.abs(second) < Math.abs(first)))
    return first;
  return second * wanted > 0 ? second : Number.NaN;
}

function valueAt(
  d: Float64Array,
  squares: Float64Array,
  rho: number,
  origin: number,
  tau: number,
): number {
  let sum = 0;
  for (let i = 0; i < d.length; i++) sum += squares[i] / (d[i] - origin - tau);
  return 1 + rho * sum;
}
