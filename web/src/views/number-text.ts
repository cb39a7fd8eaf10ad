import { formats } from "@ratewise/report";

type Print = (value: number) => string;

/** Shares, p- and q-values, effects and what stands after their ±, as the report prints them. */
export const percent: Print = formats.percent;
export const small: Print = formats.small;
export const signed: Print = formats.signed;
export const spread: Print = formats.short;

/** Up to `digits` digits, as many as the eye takes in. */
export function short(value: number, digits = 3): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 0.001 && size < 1e6))
    return withMinus(`${Number(value.toPrecision(size >= 10 ** digits ? 6 : digits))}`);
  return withMinus(value.toExponential(digits - 1));
}

/** The sign of a negative number as print has it; that of an exponent stays. */
function withMinus(text: string): string {
  return text.replace(/^-/, "−");
}
