/** A share: 48.5%; less than a tenth of a percent, but something: < 0.1%. As in the report. */
export function percent(value: number): string {
  if (value > 0 && value < 0.0005) return "< 0.1%";
  return withMinus(`${(100 * value).toFixed(1)}%`.replace(/^-0\.0%$/, "0.0%"));
}

/** p- and q-values. */
export function small(value: number): string {
  return value < 0.001 ? withMinus(value.toExponential(0)) : value.toFixed(3);
}

/** Up to `digits` digits, as many as the eye takes in. */
export function short(value: number, digits = 3): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 0.001 && size < 1e6))
    return withMinus(`${Number(value.toPrecision(size >= 10 ** digits ? 6 : digits))}`);
  return withMinus(value.toExponential(digits - 1));
}

/** The same with its sign in front. */
export function signed(value: number): string {
  return value > 0 ? `+${short(value)}` : short(value);
}

/** The sign of a negative number as print has it; that of an exponent stays. */
function withMinus(text: string): string {
  return text.replace(/^-/, "−");
}
