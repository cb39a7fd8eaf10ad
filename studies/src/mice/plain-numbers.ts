import type { TraitResult } from "./trait.ts";
import type { TraitAnswer } from "./trait-answer.ts";

export const count = (value: number): string => Math.round(value).toLocaleString("en");

export const probability = (value: number): string =>
  value < 1e-3 ? value.toExponential(1) : `${Number(value.toPrecision(2))}`;

/** "0.61 and 0.26", in the order of the traits. */
export const each = (traits: readonly TraitAnswer[], of: (trait: TraitResult) => string): string =>
  traits.map(({ result }) => of(result)).join(" and ");

/** "HDL and BMI". */
export const names = (traits: readonly TraitAnswer[]): string =>
  traits.map(({ plan }) => plan.name).join(" and ");

/** "one split", "5 splits". */
export const many = (number: number, what: string): string =>
  number === 1 ? `one ${what}` : `${count(number)} ${what}s`;

/** The value that `part` of all are below. */
export function quantile(values: Float64Array, part: number): number {
  return values.slice().sort()[Math.min(values.length - 1, Math.floor(part * values.length))];
}
