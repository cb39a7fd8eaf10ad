import { RatewiseError } from "@ratewise/core";
import { parseLibsvm } from "@ratewise/core/data";
import { type SparseMatrix, sparseMatrix } from "@ratewise/core/learners";
import type { DataFolder } from "../study/data-folder.ts";

/** Reviews as counts of words, and whether they are positive. */
export interface Reviews {
  /** n×1,000 counts. */
  readonly counts: SparseMatrix;
  /** 1 positive (7 stars and more), 0 negative (4 and fewer). */
  readonly positive: Float64Array;
  readonly words: readonly string[];
}

/** The paper leaves the 20 commonest words out and takes the next 1,000. */
const FIRST = 20;
const END = 1020;
const POSITIVE_STARS = 7;

/** All 50,000 reviews of Maas and others (2011), both halves; the words are ranked by their counts in the first. */
export async function readReviews(data: DataFolder): Promise<Reviews> {
  const lines = (await data.text("imdb/imdb.vocab.tsv")).trimEnd().split("\n").slice(1);
  const words = lines.slice(FIRST, END).map((line) => line.split("\t")[1]);
  if (words.length < END - FIRST)
    throw new RatewiseError("parse", {
      at: "study imdb",
      what: `needs ${END} words in imdb.vocab.tsv, got ${lines.length}`,
    });
  const starts: number[] = [0];
  const columns: number[] = [];
  const values: number[] = [];
  const positive: number[] = [];
  for (const half of ["train", "test"]) {
    const path = `imdb/imdb_${half}.feat.gz`;
    const { labels, X } = parseLibsvm(await data.text(path), path);
    for (let i = 0; i < X.rows; i++) {
      for (let e = X.starts[i]; e < X.starts[i + 1]; e++) {
        const column = X.columns[e] - FIRST;
        if (column < 0 || column >= words.length) continue;
        columns.push(column);
        values.push(X.values[e]);
      }
      starts.push(columns.length);
      positive.push(labels[i] >= POSITIVE_STARS ? 1 : 0);
    }
  }
  const counts = sparseMatrix(
    positive.length,
    words.length,
    Int32Array.from(starts),
    Int32Array.from(columns),
    Float64Array.from(values),
  );
  return { counts, positive: Float64Array.from(positive), words };
}
