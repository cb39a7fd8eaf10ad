import { RatewiseError } from "../../errors.ts";
import { MOST_PROCESS_ROWS } from "../../posterior/gaussian-process.ts";
import { fold, type Key, subsample } from "../../random/index.ts";
import { mention, say } from "../../words/words.ts";
import type { Prepared } from "./prepared.ts";

/** The training rows that a Gaussian process is fitted to: `count` drawn at random, or all of them where it can take so many. */
export function processRows(prepared: Prepared, key: Key, count: number | undefined): Prepared {
  if (prepared.task !== "regression")
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs a numeric target for a Gaussian process, but "${prepared.target}" has classes`,
      option: "model",
      advice: "use a network",
    });
  const { X, y, weights } = prepared.train;
  if (weights)
    throw new RatewiseError("domain", {
      in: "explain",
      what: "needs rows that count the same for a Gaussian process, got weights",
      advice: say`use a network, or leave ${mention("weights")} out`,
    });
  if (count === undefined || count >= X.rows) {
    if (X.rows <= MOST_PROCESS_ROWS) return prepared;
    throw new RatewiseError("memory", {
      in: "explain",
      what: `needs at most ${MOST_PROCESS_ROWS} training rows for a Gaussian process, got ${X.rows}`,
      option: "model",
      advice: say`${mention("subsample", MOST_PROCESS_ROWS / 2)} draws fewer, or use a network`,
      rows: X.rows,
    });
  }
  const rows = subsample(fold(key, "subsample"), X.rows, count);
  const data = new Float32Array(count * X.cols);
  rows.forEach((row, i) => {
    data.set(X.data.subarray(row * X.cols, (row + 1) * X.cols), i * X.cols);
  });
  const own = Float64Array.from(rows, (row) => y[row]);
  const train = { X: { ...X, data, rows: count }, y: own, weights: null };
  return { ...prepared, train };
}
