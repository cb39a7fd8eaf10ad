import { type Matrix, matrix } from "../linalg/index.ts";
import { fold, type Key, permutation } from "../random/index.ts";
import { completePartition, type Partition } from "./partition.ts";

/**
 * Copies of columns that are independent of each other: every column (or group of columns, whole rows of it) in an order of its own.
 * They have the very values of the originals, so that no shape of distribution matters; with dependent columns
 * they are no knockoffs and nothing is guaranteed.
 */
export function drawPermutedKnockoffs(X: Matrix, key: Key, groups?: Partition): Matrix {
  const { data, rows: n, cols: p } = X;
  const out = matrix(n, p);
  completePartition("drawPermutedKnockoffs", groups, p).forEach((members) => {
    // By column, so that a group of one is the plain copy.
    const order = permutation(fold(key, "permuted", members[0]), n);
    for (const j of members)
      for (let i = 0; i < n; i++) out.data[i * p + j] = data[order[i] * p + j];
  });
  return out;
}
