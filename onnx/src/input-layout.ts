import { RatewiseError } from "@ratewise/core";
import type { ValueInfo } from "./model.ts";

/** How a row of numbers becomes one entry of the network's input. */
export interface InputLayout {
  /** Rows that the network takes at once; null for any number. */
  readonly batch: number | null;
  /** The dimensions after the rows; null in places that the file leaves open. */
  readonly shape: readonly (number | null)[];
  /** Numbers per row; null where the file leaves it open. */
  readonly width: number | null;
}

/** The first dimension are the rows; the others, in the order of the file, are the columns of a table. */
export function inputLayout({ name, shape }: ValueInfo): InputLayout {
  if (shape === null) return { batch: null, shape: [null], width: null };
  if (shape.length < 2)
    throw new RatewiseError("domain", {
      what: `needs an input of rows and columns, got "${name}" with ${shape.length} dimensions`,
    });
  const [first, ...rest] = shape;
  const fixed = rest.map((d) => (typeof d === "number" ? d : null));
  const width = fixed.every((d) => d !== null)
    ? fixed.reduce((product, d) => product * d, 1)
    : null;
  return { batch: typeof first === "number" ? first : null, shape: fixed, width };
}

/**
 * The dimensions of one row of `columns` numbers; throws unless they fit.
 *
 * @param shape of a row of the data, where it has one of its own
 */
export function rowShape(
  layout: InputLayout,
  columns: number,
  shape: readonly number[] = [columns],
): readonly number[] {
  const open = layout.shape.filter((d) => d === null).length;
  const fits = (found: readonly number[]) =>
    found.length === layout.shape.length &&
    found.every((d, k) => layout.shape[k] === null || layout.shape[k] === d);
  if (fits(shape)) return shape;
  if (open <= 1) {
    const known = layout.shape.reduce<number>((product, d) => product * (d ?? 1), 1);
    const filled = layout.shape.map((d) => d ?? columns / known);
    if (filled.every(Number.isInteger) && filled.reduce((product, d) => product * d, 1) === columns)
      return filled;
  }
  throw new RatewiseError("shape", {
    what: `needs rows of ${layout.shape.map((d) => d ?? "?").join("×")}${layout.width !== null && layout.shape.length > 1 ? ` = ${layout.width}` : ""} numbers, got ${shape.length > 1 ? shape.join("×") : columns}`,
  });
}
