import { columnsOf, type Encoding, OTHER_LEVEL, type VariableEncoding } from "./encoding.ts";
import { type CategoryColumn, columnNamed, type NumberColumn, type Table } from "./table.ts";

/** Levels beyond the most frequent ones share one column. */
export const MOST_LEVELS = 30;

/**
 * Learns means, scales and levels of the named variables from `rows`.
 * Numbers become (x − mean)/sd. Two values, numbers or texts, are 0 for the commoner and 1 for the other before that. A
 * category of more becomes one indicator per level, centred, all divided by the root mean square of their standard
 * deviations: unit variance on average, without blowing up rare levels. Nothing depends on what the texts are:
 * levels lie by how often they are met, then by their first row.
 */
export function fitEncoding(source: Table, names: readonly string[], rows: Uint32Array): Encoding {
  const variables: VariableEncoding[] = [];
  let first = 0;
  for (const name of names) {
    const column = columnNamed(source, name);
    const own =
      column.kind === "number" ? numberEncoding(column, rows) : textEncoding(column, rows);
    const variable = { ...own, name, first };
    variables.push(variable);
    first += columnsOf(variable);
  }
  return { variables, width: first };
}

type Unplaced<Variable> = Variable extends VariableEncoding
  ? Omit<Variable, "name" | "first">
  : never;

function numberEncoding({ values }: NumberColumn, rows: Uint32Array): Unplaced<VariableEncoding> {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const value = values[row];
    if (Number.isNaN(value)) continue;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (counts.size > 2) return { kind: "number", ...momentsOf(rows, (at) => values[at]) };
  }
  if (counts.size < 2) return { kind: "number", ...momentsOf(rows, (at) => values[at]) };
  const [zero, one] = commonestFirst(counts);
  const pair = momentsOf(rows, (at) =>
    Number.isNaN(values[at]) ? Number.NaN : +(values[at] === one),
  );
  return { kind: "pair", values: [zero, one], ...pair };
}

function textEncoding(
  { levels, codes }: CategoryColumn,
  rows: Uint32Array,
): Unplaced<VariableEncoding> {
  const counts = new Map<number, number>();
  let present = 0;
  for (const row of rows) {
    if (codes[row] < 0) continue;
    counts.set(codes[row], (counts.get(codes[row]) ?? 0) + 1);
    present++;
  }
  const byCount = commonestFirst(counts);
  if (byCount.length === 2) {
    const [zero, one] = byCount;
    const pair = momentsOf(rows, (at) => (codes[at] < 0 ? Number.NaN : +(codes[at] === one)));
    return { kind: "pair", values: [levels[zero], levels[one]], ...pair };
  }
  const kept = byCount.length > MOST_LEVELS ? byCount.slice(0, MOST_LEVELS - 1) : byCount;
  const names = kept.map((code) => levels[code]);
  const shares = kept.map((code) => counts.get(code)! / present);
  if (kept.length < byCount.length) {
    names.push(OTHER_LEVEL);
    shares.push(1 - shares.reduce((sum, share) => sum + share, 0));
  }
  const variance = shares.reduce((sum, share) => sum + share * (1 - share), 0) / shares.length;
  const scale = variance > 0 ? Math.sqrt(variance) : 1;
  return { kind: "category", levels: names, shares, scale };
}

/** By how often they are met; those met as often keep the order of their first rows. */
function commonestFirst(counts: ReadonlyMap<number, number>): number[] {
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
}

/** Mean and standard deviation (n − 1) over the rows present; scale 1 where nothing varies. */
function momentsOf(
  rows: Uint32Array,
  valueAt: (row: number) => number,
): { mean: number; scale: number } {
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const row of rows) {
    const value = valueAt(row);
    if (Number.isNaN(value)) continue;
    const delta = value - mean; // Welford
    mean += delta / ++count;
    squares += delta * (value - mean);
  }
  const sd = Math.sqrt(squares / (count - 1));
  return { mean, scale: sd > 0 ? sd : 1 };
}
