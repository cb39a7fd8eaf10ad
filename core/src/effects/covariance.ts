import type { Rows } from "../linalg/rows.ts";
import { accumulatedProjection } from "./accumulator.ts";
import type { Block } from "./block.ts";
import { addColumns, columnAccumulator } from "./column-accumulator.ts";
import type { Projected } from "./projected.ts";

/**
 * The covariance projection P = XᵀC/(n−1): row j of B holds the covariances of variable j with the
 * hidden units, and diag(P Pᵀ)_j = Var(x_j)/(n−1). A marginal question: does x_j go along with f?
 * O(n·p·l); CSR O(stored values·l). Streaming this is what the accumulators are for.
 */
export function projectCovariance(X: Block, H: Rows, names?: readonly string[]): Projected {
  const accumulator = columnAccumulator({ columns: X.cols, hidden: H });
  addColumns(accumulator, 0, X);
  return accumulatedProjection(accumulator, names);
}
