import { expect } from "vitest";

interface Shown {
  readonly text: string;
  readonly value: number;
  /** Half a unit of the last digit shown. */
  readonly half: number;
}

/** Numbers of a text in their order: 1,594, −0.064, 2.0e-7, 7.8%. Those within names, as in Apoa2, are none. */
function numbersIn(text: string): Shown[] {
  const found = text.matchAll(/(?<![\w.])(−?)(\d+(?:,\d{3})*)(\.\d+)?(e-\d+)?(%?)(?![\d\w])/g);
  return Array.from(found, ([whole, sign, digits, decimals = "", exponent = "", percent]) => {
    const scale = Number(`1${exponent}`) * (percent === "" ? 1 : 0.01);
    return {
      text: whole,
      value: Number(`${sign === "" ? "" : "-"}${digits.replaceAll(",", "")}${decimals}`) * scale,
      half: (10 ** -Math.max(0, decimals.length - 1) / 2) * scale,
    };
  });
}

/** The numbers of a text are these, in this order, to the digits that it shows. */
export function expectNumbers(text: string, values: readonly number[]): void {
  const shown = numbersIn(text);
  const expected = shown.map(({ text: as, value, half }, k) => {
    const near = Math.abs(values[k] - value) <= half * (1 + 1e-9);
    return near ? as : `${values[k]}`;
  });
  expect(shown.map(({ text: as }) => as)).toEqual(expected);
  expect(values).toHaveLength(shown.length);
}

/** The numbers of a cell, as 0.608 and 0.014 of "0.608 ± 0.014". */
export const numbersOf = (cell: unknown): number[] =>
  typeof cell === "number" ? [cell] : numbersIn(`${cell}`).map(({ value }) => value);
