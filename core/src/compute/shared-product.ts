import {
  callOf,
  DEPTH,
  isByRows,
  type Part,
  partsOf,
  type Strided,
  workOf,
} from "./kernel-product.ts";
import type { Kernels } from "./kernels.ts";
import {
  bytesOfStep,
  depthOf,
  type ProductBlock,
  pieceOfA,
  pieceOfB,
  productOf,
  type Steps,
} from "./product-piece.ts";
import { splitEvenly } from "./split.ts";
import type { Region, Staging } from "./staging.ts";
import { LINE_LENGTH } from "./task-line.ts";

/** Pieces are small, since the others begin when the first has been copied. */
const PIECE_BYTES = 2 * 2 ** 20;
/**
 * Tasks of a piece for each thread: the last to end is waited for, but B is read again for each. Measured with two threads
 * on 20,000×2,000×128: 8 tasks a piece take 2% less time than 15, 32 take 4% more; 8 to 32 make no difference to 1024³ and 2048³.
 */
const FEW_TASKS = 4;
const MANY_TASKS = 8;
/** A transposed A is packed in groups of so many rows at once: large parts have whole ones. */
const ROW_GROUP = 16;
/** Two pieces of them must fit into the line. */
const MOST_TASKS: number = LINE_LENGTH / 2;
/** Multiply-adds of a task below which taking it costs too much, and from which there may be many. */
const LEAST_WORK = 2 ** 22;
const AMPLE_WORK = 2 ** 23;
/** Columns below which packing A again for each task costs too much. */
const LEAST_COLUMNS = 256;
/** A packed panel of B is as wide as a cache line. */
const PANEL_BYTES = 64;

/** Of the first piece, for which all wait, A is copied in so many parts, the tasks of each posted at once. */
const FIRST_COPIES = 4;

/**
 * Pieces are copied to so many places in turn, where that is at most so many bytes, or to two. Two would do; but a place that
 * another core has just read must be taken from its cache line by line before it is written, which is dear where the
 * cores do not share one. Measured on XᵀH of 20,000×2,000×128, float32, two threads: there 136, 130 and 121 ms with
 * 2, 4 and 8 places, with a shared cache 112, 114 and 116, since more places do not stay near the core.
 */
const MOST_PLACES = 8;
const PLACES_BYTES = 18 * 2 ** 20;

/** Of one product, in this order: B before it is packed, places for what tasks read of B, for the first of A in parts, for A. */
export const STAGES: number = 1 + MOST_PLACES + FIRST_COPIES + MOST_PLACES;
const PLACES_OF_B = 1;
const FIRST_OF_A: number = PLACES_OF_B + MOST_PLACES;
const PLACES_OF_A: number = FIRST_OF_A + FIRST_COPIES;

/**
 * A block of a product on several threads. This one copies the pieces, always one ahead of the multiplication, packs
 * B for all, and posts the parts of C as tasks, which it takes as the others do when it has nothing to copy.
 */
export function sharedProduct(
  kernels: Kernels,
  block: ProductBlock,
  threads: number,
  stages: readonly Staging[],
  drain?: (region: Region) => void,
): void {
  const byRows = isByRows(block);
  const depth = depthOf(block, PIECE_BYTES);
  const tasks = tasksOf(block, Math.min(depth, block.k), threads);
  const inGroups = block.a.transpose && block.m >= 4 * ROW_GROUP * tasks;
  const parts = partsOf(block, tasks, inGroups ? ROW_GROUP : undefined);
  const places = Math.floor(PLACES_BYTES / (depth * bytesOfStep(block)));
  const turns = Math.max(2, Math.min(MOST_PLACES, places));
  kernels.withTasks(threads, (line) => {
    const finish = (end: number) => line.finish(end, kernels.exports, kernels.scratch(0));
    let posted = 0;
    for (let q = 0; q < block.k; q += depth) {
      // Of what was posted all but the last piece is done. The places of this turn were read by a piece before that.
      finish(posted - parts.length);
      const turn = (q / depth) % turns;
      const steps: Steps = [q, Math.min(depth, block.k - q)];
      const raw = pieceOfB(block, steps, stages[byRows ? 0 : PLACES_OF_B + turn]);
      const b = byRows ? packed(kernels, block, steps, raw, stages[PLACES_OF_B + turn]) : raw;
      const inParts = q === 0 && byRows;
      for (const [copy, some] of chunks(parts, inParts ? FIRST_COPIES : 1).entries()) {
        const rows: Part | undefined = byRows ? [some[0][0], some.at(-1)![1]] : undefined;
        const stage = stages[inParts ? FIRST_OF_A + copy : PLACES_OF_A + turn];
        const a = pieceOfA(block, steps, stage, rows);
        const product = productOf(block, steps, a, b);
        // Parts of C are added to in the order of q: each waits for the same part of the piece before.
        line.post(
          some.map((part) => callOf(product, part)),
          parts.length,
        );
      }
      posted += parts.length;
    }
    for (const [i, part] of parts.entries()) {
      finish(posted - parts.length + i + 1);
      drain?.(regionOf(block, part));
    }
  });
}

/** A list in at most `count` pieces. */
function chunks<Item>(items: readonly Item[], count: number): Item[][] {
  return splitEvenly(items.length, count, 1).map(([start, end]) => items.slice(start, end));
}

/** Into how many tasks a piece is best cut. */
function tasksOf(block: ProductBlock, depth: number, threads: number): number {
  const work = workOf({ ...block, k: depth });
  const tasks = isByRows(block)
    ? Math.max(Math.min(FEW_TASKS * threads, work / LEAST_WORK), work / AMPLE_WORK)
    : block.n / LEAST_COLUMNS;
  const most = Math.min(MANY_TASKS * threads, MOST_TASKS);
  return Math.max(Math.min(threads, MOST_TASKS), Math.min(most, Math.floor(tasks)));
}

/** B as the kernel packs it, for tasks that are rows of C. */
function packed(
  kernels: Kernels,
  { a, n }: ProductBlock,
  [, k]: Steps,
  b: Strided,
  stage: Staging,
): Strided {
  const size = a.array.BYTES_PER_ELEMENT;
  const pack = kernels.exports[size === 8 ? "packBF64" : "packBF32"];
  const wide = PANEL_BYTES / size;
  const columns = Math.ceil(n / wide) * wide;
  const at = stage.bytes(k * columns * size);
  for (let q = 0; q < k; q += DEPTH)
    pack(
      ...([n, Math.min(DEPTH, k - q), b.at + q * b.row * size, b.row, b.column] as const),
      at + q * columns * size,
    );
  return { at, row: 0, column: columns };
}

function regionOf(block: ProductBlock, [start, end]: Part): Region {
  return isByRows(block)
    ? { top: start, bottom: end, left: 0, right: block.n }
    : { top: 0, bottom: block.m, left: start, right: end };
}
