import { fold, type Key } from "@ratewise/core";
import { splitRows } from "@ratewise/core/data";
import type { SparseMatrix } from "@ratewise/core/learners";
import { permutation } from "@ratewise/core/random";
import type { Reviews } from "./reviews.ts";
import { selectSparseRows } from "./sparse-rows.ts";
import { applyTfIdf, fitTfIdf } from "./tf-idf.ts";

export interface ReviewRows {
  readonly X: SparseMatrix;
  readonly positive: Float64Array;
}

export interface PreparedReviews {
  readonly train: ReviewRows;
  readonly test: ReviewRows;
}

export interface PrepareOptions {
  readonly key: Key;
  /** Reviews to take, drawn at random; all of them where there are fewer. */
  readonly most: number;
  readonly permuted: boolean;
}

/** 70% of the reviews to train, 30% to test; how rare words are is known from the first alone. */
export function prepareReviews(
  { counts, positive }: Reviews,
  { key, most, permuted }: PrepareOptions,
): PreparedReviews {
  const drawn = permutation(fold(key, "drawn"), counts.rows).slice(0, most).sort();
  const labels = permuted
    ? permutation(fold(key, "permuted"), drawn.length)
    : drawn.map((_, i) => i);
  const split = splitRows(fold(key, "split"), drawn.length, 0.3);
  const part = (rows: Uint32Array) => ({
    counts: selectSparseRows(
      counts,
      rows.map((row) => drawn[row]),
    ),
    positive: Float64Array.from(rows, (row) => positive[drawn[labels[row]]]),
  });
  const [train, test] = [part(split.train), part(split.test)];
  const tfIdf = fitTfIdf(train.counts);
  return {
    train: { X: applyTfIdf(tfIdf, train.counts), positive: train.positive },
    test: { X: applyTfIdf(tfIdf, test.counts), positive: test.positive },
  };
}
