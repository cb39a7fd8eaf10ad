import { notFiniteError } from "../effects/block.ts";
import type { Rows } from "../linalg/rows.ts";

import type { ColumnScales } from "./column-scales.ts";

/**
 * Numbers of some rows, standardised by the rows of the batches that are trained on, columns×rows in single precision: for each
 * batch when it is asked for. Fills `scales`.
 */
export function packNumbers(
  block: Rows,
  batches: readonly Uint32Array[],
  trained: number,
  { mean, scale }: ColumnScales,
  first: number,
): (batch: number) => Uint8Array {
  const { data, cols } = block;
  const sums = new Float64Array(cols);
  const squares = new Float64Array(cols);
  let n = 0;
  const each = (visit: (row: number) => void): void => {
    for (let b = 0; b < trained; b++) for (const row of batches[b]) visit(row * cols);
  };
  each((at) => {
    n++;
    for (let j = 0; j < cols; j++) sums[j] += data[at + j];
  });
  const means = sums.map((sum) => sum / n);
  each((at) => {
    for (let j = 0; j < cols; j++) squares[j] += (data[at + j] - means[j]) ** 2;
  });
  // Of all rows: those held back are used too.
  let nothing = 0;
  for (let e = 0; e < data.length; e++) nothing += 0 * data[e];
  if (nothing !== 0 || !squares.every(Number.isFinite))
    throw notFiniteError("batchStore", "X", block, 0, first);
  for (let j = 0; j < cols; j++) {
    mean[j] = means[j];
    scale[j] = squares[j] > 0 ? Math.sqrt((n - 1) / squares[j]) : 0;
  }
  return (batch) => {
    const rows = batches[batch];
    const out = new Float32Array(cols * rows.length);
    rows.forEach((row, i) => {
      for (let j = 0; j < cols; j++)
        out[j * rows.length + i] = (data[row * cols + j] - means[j]) * scale[j];
    });
    return new Uint8Array(out.buffer);
  };
}

/** They stand there as they are wanted. */
export function unpackNumbers(
  out: Float32Array,
  bytes: Uint8Array,
  rows: number,
  _scales: ColumnScales,
  start: number,
  end: number,
): void {
  out.set(new Float32Array(bytes.buffer, bytes.byteOffset, (end - start) * rows));
}
