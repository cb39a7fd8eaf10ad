import * as elementary from "@ratewise/core/elementary";
import type { SparseMatrix } from "@ratewise/core/learners";

/** What training rows say about words: how rare each is, and how far its values spread. */
export interface TfIdf {
  readonly weights: Float64Array;
}

/**
 * (1 + log count)·log(1 + n/(1 + rows that have the word)), as Keras' Tokenizer has it, each column over its standard
 * deviation. Columns are not centred, so what is 0 stays 0; the first layer's biases take the means up.
 */
export function fitTfIdf({ rows, cols, starts, columns, values }: SparseMatrix): TfIdf {
  const frequency = new Float64Array(cols);
  for (const j of columns) frequency[j]++;
  const sums = new Float64Array(cols);
  const squares = new Float64Array(cols);
  const idf = frequency.map((df) => elementary.log(1 + rows / (1 + df)));
  for (let e = starts[0]; e < starts[rows]; e++) {
    const value = (1 + elementary.log(values[e])) * idf[columns[e]];
    sums[columns[e]] += value;
    squares[columns[e]] += value ** 2;
  }
  const weights = idf.map((weight, j) => {
    const variance = (squares[j] - sums[j] ** 2 / rows) / (rows - 1);
    return variance > 0 ? weight / Math.sqrt(variance) : 0;
  });
  return { weights };
}

export function applyTfIdf({ weights }: TfIdf, counts: SparseMatrix): SparseMatrix {
  const values = counts.values.map(
    (count, e) => (1 + elementary.log(count)) * weights[counts.columns[e]],
  );
  return { ...counts, values };
}
