import { chosenBuild } from "../../compute/chosen-kernels.ts";
import { engine, type GenotypeBlock, multiplyGenotypes, withEngine } from "../../compute/index.ts";
import { mergeAccumulators } from "../../effects/accumulator.ts";
import { addColumns, columnAccumulator } from "../../effects/column-accumulator.ts";
import {
  type Block,
  type ColumnAccumulator,
  type CovarianceAccumulator,
  type EffectSizes,
  type FinishOptions,
  finishAccumulator,
  type GaussianWeights,
  type Piece,
} from "../../effects/index.ts";
import { matrix } from "../../linalg/index.ts";
import type { Rows } from "../../linalg/rows.ts";
import { defineTask, executorInUse, runTasks, type TaskKind } from "../../parallel/index.ts";
import type { RunOptions } from "../../run.ts";

/** All rows of some columns: numbers, or genotypes in two bits, of which a missing one counts as its column's mean. */
export type ColumnBlock = Block | GenotypeBlock;

interface ColumnBlockPayload {
  readonly X: ColumnBlock;
  readonly hidden: Rows;
  /** The kernels to use: a worker would otherwise take the best it has. */
  readonly engine: string;
}

/** XᵀCH and the sums of squares of a block of columns: what the covariance effects of a network need of them. */
export const columnBlock: TaskKind<ColumnBlockPayload, Piece> = defineTask(
  "column-block",
  ({ X, hidden, engine: name }: ColumnBlockPayload): Promise<Piece> =>
    withEngine(name, () => covariancePiece(X, hidden)),
);

/** XᵀCH and the sums of squares of some columns; of genotypes straight from their two bits. O(n·cols·l). */
export function covariancePiece(X: ColumnBlock, hidden: Rows): Piece {
  if (!("bed" in X)) {
    const accumulator = columnAccumulator({ columns: X.cols, hidden });
    addColumns(accumulator, 0, X);
    return accumulator.pieces[0];
  }
  const { product, sum, sumOfSquares, missing } = multiplyGenotypes(X, hidden.data, hidden.cols, {
    centred: true,
  });
  return {
    first: 0,
    product: matrix(X.snps, hidden.cols, Float64Array.from(product)),
    squares: sumOfSquares.map((square, j) => {
      const seen = X.samples - missing[j];
      return seen > 0 ? Math.max(0, square - sum[j] ** 2 / seen) : 0;
    }),
  };
}

export interface ColumnBlocksOptions extends RunOptions, FinishOptions {
  /** Worker threads; the result does not depend on them. */
  readonly workers?: number;
}

/**
 * Covariance effects of a table that comes in blocks of columns, one task a block, wherever tasks run. H is the same for all blocks and reaches each worker once; no
 * sum crosses blocks, so the result is that of {@link finishAccumulator} to the byte. O(n·p·l) in all, p·(l + 1) numbers come back.
 */
export async function effectsOfColumnBlocks(
  blocks: readonly ColumnBlock[],
  hidden: Rows,
  weights: GaussianWeights,
  { workers, signal, onProgress, ...options }: ColumnBlocksOptions = {},
): Promise<EffectSizes> {
  const { name } = engine();
  const tasks = blocks.map((X) => columnBlock.task({ X, hidden, engine: name }));
  // Threads know our own kernels alone.
  const lanes = name === chosenBuild() || executorInUse() ? workers : 0;
  const pieces = await runTasks(tasks, {
    ...(lanes !== undefined && { workers: lanes }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  return effectsOfPieces(pieces, hidden, weights, options);
}

/** The effects of all columns from the pieces of their blocks, in the order of the columns. */
export function effectsOfPieces(
  pieces: readonly Piece[],
  hidden: Rows,
  weights: GaussianWeights,
  options: FinishOptions = {},
): EffectSizes {
  const columns = pieces.reduce((sum, { product }) => sum + product.rows, 0);
  const whole: ColumnAccumulator = columnAccumulator({ columns, hidden });
  let first = 0;
  const parts = pieces.map((piece): CovarianceAccumulator => {
    const span = { start: first, end: first + piece.product.rows };
    first = span.end;
    return { ...whole, spans: [span], pieces: [{ ...piece, first: span.start }] };
  });
  return finishAccumulator(mergeAccumulators(parts), weights, options);
}
