/** A share: 48.5%; less than a tenth of a percent, but something: < 0.1%. As in the report. */
export function percent(value: number): string {
  if (value > 0 && value < 0.0005) return "< 0.1%";
  return `${(100 * value).toFixed(1)}%`.replace(/^-0\.0%$/, "0.0%").replace("-", "−");
}

/** p- and q-values. */
export function small(value: number): string {
  return value < 0.001 ? value.toExponential(0) : value.toFixed(3);
}

/** Four digits, as many as the eye takes in. */
export function short(value: number): string {
  if (value === 0 || (Math.abs(value) >= 0.001 && Math.abs(value) < 1e6))
    return `${Number(value.toPrecision(4))}`;
  return value.toExponential(2);
}
