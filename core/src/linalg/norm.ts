/** ‖x‖ without overflow or underflow, always by the largest entry: `rate` has a form of its own, faster and with other last bits. */
export function norm(x: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i]));
  if (largest === 0) return 0;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/** √(x² + y²) likewise; our own, because Math.hypot may round differently in another browser. */
export function hypotenuse(x: number, y: number): number {
  const a = Math.max(Math.abs(x), Math.abs(y));
  const b = Math.min(Math.abs(x), Math.abs(y));
  return a === 0 ? 0 : a * Math.sqrt(1 + (b / a) ** 2);
}
