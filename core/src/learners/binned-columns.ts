import { Arena } from "../compute/arena.ts";
import { MISSING_BIN } from "../compute/best-splits.ts";
import { binValuesInto } from "../compute/bins.ts";
import { featureStart, GROUP } from "../compute/histogram.ts";
import { isSparse } from "../linalg/sparse-matrix.ts";
import { fold, type Key, subsample } from "../random/index.ts";
import { binCuts, binOf, VALUE_BINS } from "./bin-cuts.ts";
import type { TreeInput } from "./table-rows.ts";

/**
 * A table in bytes: the bin of row i in the c-th column by name, 255 where its value is missing, is {@link binAt}.
 * Columns stand in the order of their names, so that a tree grown on them does not
 * depend on the order in which they came; without names they keep it.
 */
export interface BinnedColumns {
  readonly bins: Uint8Array;
  readonly rows: number;
  /** For each column by name, which column of the input it is. */
  readonly order: Int32Array;
  /** Where column c is cut: cuts[starts[c]] … cuts[starts[c + 1] − 1]. */
  readonly cuts: Float64Array;
  readonly starts: Int32Array;
}

/** The bin of row i in the c-th column by name. */
export function binAt({ bins, rows }: BinnedColumns, c: number, i: number): number {
  return bins[featureStart(c, rows) + GROUP * i];
}

/** Rows that the cuts are taken from, at most. */
const CUT_ROWS = 10_000;
/** Columns gathered at a time: the numbers of a cache line are read together. */
const BLOCK = 8;
/** Rows gathered at a time, so that those lines are still at hand for the next column. */
const TILE = 1024;

/** Bins every column into `bins` (a byte an entry, in whole groups of columns). O(n·p·log 255), and a sort of each column. `rangeShare` is that of {@link binCuts}. */
export function binColumnsInto(
  bins: Uint8Array,
  X: TreeInput,
  names: readonly string[] | undefined,
  key: Key,
  rangeShare = 0,
): BinnedColumns {
  const { rows, cols } = X;
  const order = Int32Array.from({ length: cols }, (_, j) => j);
  if (names) order.sort((a, b) => (names[a] < names[b] ? -1 : 1));
  const place = new Int32Array(cols);
  order.forEach((column, c) => {
    place[column] = c;
  });
  const cuts = new Array<Float64Array>(cols);
  if (isSparse(X)) {
    const byColumn = transposed(X.columns, X.starts, X.values, cols);
    for (let j = 0; j < cols; j++) {
      const [start, end] = [byColumn.starts[j], byColumn.starts[j + 1]];
      const present = byColumn.values.slice(start, end).filter((value) => !Number.isNaN(value));
      const own = binCuts(present.sort(), rows - (end - start), rangeShare);
      const from = featureStart(place[j], rows);
      const zero = binOf(own, 0);
      for (let i = 0; i < rows; i++) bins[from + GROUP * i] = zero;
      for (let k = start; k < end; k++)
        bins[from + GROUP * byColumn.rows[k]] = binOrMissing(own, byColumn.values[k]);
      cuts[place[j]] = own;
    }
    return { bins, rows, order, ...joined(cuts) };
  }
  const sample = rows > CUT_ROWS ? subsample(fold(key, "cuts"), rows, CUT_ROWS) : undefined;
  const room = new Arena();
  const block = Array.from({ length: Math.min(BLOCK, cols) }, () => room.float64(rows));
  const padded = room.float64(VALUE_BINS);
  const out = room.bytes(rows);
  for (let first = 0; first < cols; first += BLOCK) {
    const width = Math.min(BLOCK, cols - first);
    for (let top = 0; top < rows; top += TILE)
      for (let b = 0; b < width; b++)
        gatherInto(block[b], X.data, first + b, cols, top, Math.min(top + TILE, rows));
    for (let b = 0; b < width; b++) {
      const at = place[first + b];
      const own = binCuts(sortedSample(block[b], sample), 0, rangeShare);
      padded.fill(Number.POSITIVE_INFINITY).set(own);
      binValuesInto(out, block[b], padded);
      const from = featureStart(at, rows);
      for (let i = 0; i < rows; i++) bins[from + GROUP * i] = out[i];
      cuts[at] = own;
    }
  }
  room.free();
  return { bins, rows, order, ...joined(cuts) };
}

function gatherInto(
  out: Float64Array,
  data: Float64Array,
  column: number,
  cols: number,
  top: number,
  bottom: number,
): void {
  for (let i = top; i < bottom; i++) out[i] = data[i * cols + column];
}

/** The values of some rows, or of all, that are not missing, in order. */
function sortedSample(values: Float64Array, rows: Uint32Array | undefined): Float64Array {
  const chosen = new Float64Array(rows ? rows.length : values.length);
  if (rows) for (let k = 0; k < rows.length; k++) chosen[k] = values[rows[k]];
  else chosen.set(values);
  chosen.sort();
  let end = chosen.length; // NaN comes last
  while (end > 0 && Number.isNaN(chosen[end - 1])) end--;
  return chosen.subarray(0, end);
}

function joined(cuts: readonly Float64Array[]): Pick<BinnedColumns, "cuts" | "starts"> {
  const starts = new Int32Array(cuts.length + 1);
  cuts.forEach((own, c) => {
    starts[c + 1] = starts[c] + own.length;
  });
  const all = new Float64Array(starts[cuts.length]);
  cuts.forEach((own, c) => {
    all.set(own, starts[c]);
  });
  return { cuts: all, starts };
}

/** The highest value that goes left where column c is cut after `bin`; past the last cut, any. */
export function thresholdOf({ cuts, starts }: BinnedColumns, c: number, bin: number): number {
  const at = starts[c] + bin;
  return at < starts[c + 1] ? cuts[at] : Number.POSITIVE_INFINITY;
}

function binOrMissing(cuts: Float64Array, value: number): number {
  return Number.isNaN(value) ? MISSING_BIN : binOf(cuts, value);
}

/** The kept entries of a sparse matrix by columns. */
function transposed(
  columns: Int32Array,
  rowStarts: Int32Array,
  values: Float64Array,
  cols: number,
): { readonly starts: Int32Array; readonly rows: Int32Array; readonly values: Float64Array } {
  const starts = new Int32Array(cols + 1);
  for (const j of columns) starts[j + 1]++;
  for (let j = 0; j < cols; j++) starts[j + 1] += starts[j];
  const next = starts.slice();
  const out = {
    starts,
    rows: new Int32Array(columns.length),
    values: new Float64Array(values.length),
  };
  for (let i = 0; i + 1 < rowStarts.length; i++)
    for (let k = rowStarts[i]; k < rowStarts[i + 1]; k++) {
      const at = next[columns[k]]++;
      out.rows[at] = i;
      out.values[at] = values[k];
    }
  return out;
}
