import { RatewiseError } from "../errors.ts";
import type { SparseMatrix } from "../linalg/sparse-matrix.ts";

export interface LabelledRows {
  readonly labels: Float64Array;
  readonly X: SparseMatrix;
  /** What the file calls its first column: 0 where an index 0 occurs, 1 otherwise. */
  readonly base: 0 | 1;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Reads LIBSVM (SVMlight) text: one line per row, `label index:value index:value …`, what is not there being 0.
 * `qid:…` and what follows `#` are ignored. `where` names the file in messages, which give the line.
 * Source: https://www.csie.ntu.edu.tw/~cjlin/libsvm/
 */
export function parseLibsvm(text: string, where: string): LabelledRows {
  const labels: number[] = [];
  const starts: number[] = [0];
  const indices: number[] = [];
  const values: number[] = [];
  let smallest = 1;
  let largest = -1;
  let line = 0;
  const fail = (needed: string, got: string): RatewiseError =>
    new RatewiseError("parse", {
      at: `${where}, line ${line}`,
      what: `needs ${needed}, got "${got.slice(0, 40)}"`,
      line,
    });
  for (let at = 0; at < text.length; ) {
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    line++;
    const words = text.slice(at, end).replace(/#.*/, "").trim().split(/\s+/);
    at = end + 1;
    if (words[0] === "") continue;
    if (!NUMBER.test(words[0])) throw fail("a number as the label", words[0]);
    labels.push(Number(words[0]));
    let last = -1;
    for (let w = 1; w < words.length; w++) {
      const word = words[w];
      const colon = word.indexOf(":");
      const name = word.slice(0, colon);
      if (colon > 0 && name === "qid") continue;
      const value = word.slice(colon + 1);
      if (colon <= 0 || !/^\d+$/.test(name) || !NUMBER.test(value))
        throw fail("index:value with numbers on both sides", word);
      const index = Number(name);
      if (index >= 2 ** 31) throw fail("an index below 2^31", word);
      if (index <= last) throw fail(`indices that increase, after ${last}`, word);
      last = index;
      if (index < smallest) smallest = index;
      if (index > largest) largest = index;
      indices.push(index);
      values.push(Number(value));
    }
    starts.push(indices.length);
  }
  if (labels.length === 0)
    throw new RatewiseError("parse", { at: where, what: "the file is empty" });
  if (largest < 0)
    throw new RatewiseError("parse", {
      at: where,
      what: "needs index:value somewhere, got labels alone",
    });
  const base = smallest === 0 ? 0 : 1;
  return {
    labels: Float64Array.from(labels),
    X: {
      ...{ rows: labels.length, cols: largest + 1 - base },
      starts: Int32Array.from(starts),
      columns: Int32Array.from(indices, (index) => index - base),
      values: Float64Array.from(values),
    },
    base,
  };
}

/** The columns of sparse rows, written out. */
export function denseColumns({
  rows,
  cols,
  starts,
  columns,
  values,
}: SparseMatrix): Float64Array[] {
  const dense = Array.from({ length: cols }, () => new Float64Array(rows));
  for (let i = 0; i < rows; i++)
    for (let k = starts[i]; k < starts[i + 1]; k++) dense[columns[k]][i] = values[k];
  return dense;
}
