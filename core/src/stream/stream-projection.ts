import { notFiniteError } from "../effects/block.ts";
import { variableNames } from "../effects/names.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { matrix } from "../linalg/index.ts";
import type { Rows } from "../linalg/rows.ts";
import type { RunOptions } from "../run.ts";
import { type BlockSource, blockError } from "./block-source.ts";
import { type ColumnMoments, columnMoments } from "./column-moments.ts";
import { unknownVariants } from "./genotype-rows.ts";
import type { KeptBlocks } from "./kept-blocks.ts";
import { blockSpans, type StreamPlan } from "./plan.ts";
import { readAhead } from "./read-ahead.ts";
import { rowMoments } from "./row-moments.ts";
import type { StreamedProjection } from "./streamed-projection.ts";

export interface StreamOptions extends RunOptions {
  /** How to go through the file: see planStream. */
  readonly plan: Pick<StreamPlan, "by" | "blockSize" | "blocks">;
  /** Of the products of genotypes; numbers are always multiplied in double precision. Default double. */
  readonly precision?: "double" | "single";
  /** Blocks by their place, in the order to go through them; default from the first to the last. */
  readonly order?: readonly number[];
  /** Finished blocks are put here, and those that are here already are not computed again. */
  readonly keep?: KeptBlocks;
  /** One per column; default the source's own, else x1 … xp. */
  readonly names?: readonly string[];
}

/**
 * The covariance projection of an X that is never in memory whole: B = XᵀCH/(n−1), p×l, and diag(P Pᵀ). As projectCovariance
 * of the same numbers, to rounding, whatever the format, the blocks and their order. Missing genotypes
 * count as their variant's mean. 2·n·p·l operations; the next block is read while one is multiplied; memory p·l numbers
 * and two blocks. A block that cannot be read is named by the error, and those before it are kept.
 */
export async function streamProjection(
  source: BlockSource,
  H: Rows,
  options: StreamOptions,
): Promise<StreamedProjection> {
  const where = "streamProjection";
  const { plan } = options;
  const names = variableNames(where, source.columns, options.names ?? source.names ?? undefined);
  if (H.rows !== source.rows)
    throw shapeError(where, `H for the ${source.rows} rows of ${source.where}`, `${H.rows} rows`);
  if (H.rows < 2) throw shapeError(where, "at least 2 rows", `${H.rows}`);
  if (!H.data.every(Number.isFinite)) throw notFiniteError(where, "H", H);
  const total = plan.by === "columns" ? source.columns : source.rows;
  const spans = blockSpans(plan, total);
  const order = checkOrder(where, options.order, spans.length);
  return plan.by === "columns"
    ? byColumns(source, H, spans, order, names, options)
    : byRows(source, H, spans, order, names, options);
}

type Spans = ReturnType<typeof blockSpans>;

async function byColumns(
  source: BlockSource,
  H: Rows,
  spans: Spans,
  order: readonly number[],
  names: readonly string[],
  { keep, precision, signal, onProgress }: StreamOptions,
): Promise<StreamedProjection> {
  const [n, p, l] = [source.rows, source.columns, H.cols];
  const B = matrix(p, l);
  const squaredNorms = new Float64Array(p);
  const columnMeans = new Float64Array(p);
  const place = (first: number, { product, squares, means }: ColumnMoments): void => {
    const from = first * l;
    for (let e = 0; e < product.length; e++) B.data[from + e] = product[e] / (n - 1);
    for (let j = 0; j < squares.length; j++) squaredNorms[first + j] = squares[j] / (n - 1) ** 2;
    columnMeans.set(means, first);
  };
  const id = (index: number): string => `columns-${spans[index].start}-${spans[index].end}`;
  const missing: number[] = [];
  for (const index of order) {
    const { start, end } = spans[index];
    const found = (await keep?.get(id(index))) ?? null;
    const columns = end - start;
    if (found?.length === columns * (l + 2))
      place(start, {
        product: found.subarray(0, columns * l),
        squares: found.subarray(columns * l, columns * (l + 1)),
        means: found.subarray(columns * (l + 1)),
      });
    else missing.push(index);
  }
  let done = spans.length - missing.length;
  const moments = columnMoments(H, precision ?? "double");
  const fail = (index: number, error: unknown) =>
    blockError(source, "columns", spans[index], index, spans.length, error);
  for await (const { span, index, block } of readAhead(spans, missing, source.readColumns, fail)) {
    signal?.throwIfAborted();
    let made: ColumnMoments;
    try {
      made = moments(block, span.start);
    } catch (error) {
      throw fail(index, error);
    }
    place(span.start, made);
    if (keep) await keep.put(id(index), joined(made));
    onProgress?.({ phase: "stream", done: ++done, total: spans.length });
  }
  return { names, hidden: B, squaredNorms, columnMeans };
}

function joined({ product, squares, means }: ColumnMoments): Float64Array {
  const out = new Float64Array(product.length + 2 * squares.length);
  out.set(product);
  out.set(squares, product.length);
  out.set(means, product.length + squares.length);
  return out;
}

/** Blocks between two writings of what all rows so far come to: p·l numbers each time. */
const KEEP_EVERY = 16;

async function byRows(
  source: BlockSource,
  H: Rows,
  spans: Spans,
  order: readonly number[],
  names: readonly string[],
  { keep, signal, onProgress }: StreamOptions,
): Promise<StreamedProjection> {
  const id = `rows-${source.rows}-${source.columns}`;
  const moments = rowMoments(source.columns, H, (await keep?.get(id)) ?? null);
  const missing = order.filter((index) => !moments.has(spans[index]));
  let done = spans.length - missing.length;
  let unkept = 0;
  const fail = (index: number, error: unknown) =>
    blockError(source, "rows", spans[index], index, spans.length, error);
  try {
    for await (const { span, index, block } of readAhead(spans, missing, source.readRows, fail)) {
      signal?.throwIfAborted();
      try {
        moments.add(span, block);
      } catch (error) {
        throw fail(index, error);
      }
      unkept++;
      if (keep && unkept === KEEP_EVERY) {
        await keep.put(id, moments.state());
        unkept = 0;
      }
      onProgress?.({ phase: "stream", done: ++done, total: spans.length });
    }
  } catch (error) {
    if (keep && unkept > 0) await keep.put(id, moments.state());
    throw error;
  }
  const finished = moments.finish();
  if (source.format === "bed") await forgetUnknown(source, finished);
  return { names, ...finished };
}

/** Variants with no genotype that is known stood at 0 in every row, and have no mean. */
async function forgetUnknown(
  source: BlockSource,
  { columnMeans, squaredNorms }: Pick<StreamedProjection, "columnMeans" | "squaredNorms">,
): Promise<void> {
  const zeros: number[] = [];
  for (let j = 0; j < columnMeans.length; j++)
    if (columnMeans[j] === 0 && squaredNorms[j] === 0) zeros.push(j);
  for (const j of await unknownVariants(source, zeros)) columnMeans[j] = Number.NaN;
}

function checkOrder(
  where: string,
  order: readonly number[] | undefined,
  blocks: number,
): readonly number[] {
  const every = Array.from({ length: blocks }, (_, b) => b);
  if (!order) return every;
  if (order.length !== blocks || new Set(order).size !== blocks || !order.every((b) => b in every))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs every one of ${blocks} blocks once in the order, got ${order.slice(0, 8).join(", ")}…`,
    });
  return order;
}
