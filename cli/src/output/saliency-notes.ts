import type { Diagnostic, Matrix } from "@ratewise/core";
import { diagnostic } from "@ratewise/core/diagnostic";
import type { SaliencyMethod } from "@ratewise/core/network";
import { mention, say } from "@ratewise/core/words";

/** Ranges further apart than this, largest to smallest, are of different units, as far as anybody can tell. */
const SAME_UNITS = 3;
const LISTED = 3;

/** What a reader of the ranks should know, from the method and the rows it was given. */
export function saliencyNotes(
  method: SaliencyMethod,
  baseline: "zero" | "mean",
  X: Matrix,
  columns: readonly string[],
): Diagnostic[] {
  if (method === "gradient") return unitsNote(X);
  if (method === "gradient-x-input" || (method === "integrated-gradients" && baseline === "zero"))
    return zeroNote(method, X, columns);
  return [];
}

/** What contributions add up to where the network learned a logarithm. */
export function logarithmNote(logarithm: string | null): Diagnostic[] {
  if (logarithm === null) return [];
  return [
    diagnostic(
      "target-logarithm",
      `The network learned ${logarithm}. Gradients and contributions are about that, and contributions add up on its scale.`,
    ),
  ];
}

/** A gradient is per unit: ranks of columns of different spread follow their units. */
function unitsNote(X: Matrix): Diagnostic[] {
  const spreads = rangesOf(X)
    .map(({ low, high }) => high - low)
    .filter((spread) => spread > 0);
  const apart = Math.max(...spreads) / Math.min(...spreads);
  if (X.rows > 1 && !(apart > SAME_UNITS)) return [];
  return [
    diagnostic(
      "gradient-units",
      say`A gradient is the change of the output for one unit of its column. You cannot compare columns with different units by it; use integrated-gradients with ${mention("baseline", "mean")} for that.`,
    ),
  ];
}

/** Measured from zero, a column that is never near it is credited with being where it always is. */
function zeroNote(method: SaliencyMethod, X: Matrix, columns: readonly string[]): Diagnostic[] {
  const far = rangesOf(X).flatMap(({ low, high }, j) =>
    low > 0 || high < 0 ? [{ name: columns[j], low, high }] : [],
  );
  if (X.rows < 2 || far.length === 0) return [];
  const named = far
    .slice(0, LISTED)
    .map(({ name, low, high }) => `${name}: ${short(low)} to ${short(high)}`)
    .join(", ");
  const more = far.length > LISTED ? `, and ${far.length - LISTED} more` : "";
  const [measured, instead] =
    method === "gradient-x-input"
      ? [
          "Gradient × input measures from zero",
          say`integrated-gradients with ${mention("baseline", "mean")} measures from the average row`,
        ]
      : [
          "The path starts at a row of zeros",
          say`${mention("baseline", "mean")} starts at the average row`,
        ];
  return [
    diagnostic(
      "zero-outside-the-data",
      say`${measured}, in the units of the columns. Zero lies outside the given rows in ${far.length === 1 ? "1 column" : `${far.length} columns`} (${named}${more}); ${instead}.`,
      { columns: far.length },
    ),
  ];
}

function rangesOf({ data, cols }: Matrix): { low: number; high: number }[] {
  const ranges = Array.from({ length: cols }, () => ({
    low: Number.POSITIVE_INFINITY,
    high: Number.NEGATIVE_INFINITY,
  }));
  for (let e = 0; e < data.length; e++) {
    const range = ranges[e % cols];
    range.low = Math.min(range.low, data[e]);
    range.high = Math.max(range.high, data[e]);
  }
  return ranges;
}

function short(value: number): string {
  return `${Number(value.toPrecision(3))}`;
}
