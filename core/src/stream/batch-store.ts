import type { ScratchBytes } from "../host/byte-source.ts";
import type { RunOptions } from "../run.ts";
import {
  type BlockRoom,
  type BlockSource,
  type BlockSpan,
  blockError,
  type ColumnBlock,
  isGenotypes,
} from "./block-source.ts";
import type { ColumnScales } from "./column-scales.ts";
import { packGenotypes, unpackGenotypes } from "./genotype-batch.ts";
import { packNumbers, unpackNumbers } from "./number-batch.ts";
import { blockSpans, type StreamPlan } from "./plan.ts";
import { readAhead } from "./read-ahead.ts";

/**
 * X rearranged for training: a batch of rows after the other, each with all columns, two bits a genotype. Batches are composed
 * once; a step then reads one stretch of bytes instead of a little of every column.
 */
export interface BatchStore {
  readonly columns: number;
  /** The rows of X in each batch. */
  readonly batches: readonly Uint32Array[];
  readonly scales: ColumnScales;
  /** Bytes of one column of a batch. */
  readonly columnBytes: (batch: number) => number;
  readonly read: (batch: number, span: BlockSpan, room: BlockRoom) => Promise<Uint8Array>;
  /** Columns `span` of a batch, standardised, columns×rows, from bytes that begin at `from`. */
  readonly unpackInto: (
    out: Float32Array,
    bytes: Uint8Array,
    batch: number,
    span: BlockSpan,
    from: number,
  ) => void;
  readonly close: () => Promise<void>;
}

export interface BatchStoreOptions extends RunOptions {
  readonly plan: Pick<StreamPlan, "blockSize" | "blocks">;
  readonly batches: readonly Uint32Array[];
  /** How many of the batches, from the first, are trained on: columns are centred and scaled by their rows. */
  readonly trained: number;
  readonly scratch: (size: number) => Promise<ScratchBytes>;
}

function bytesOfColumn(format: BlockSource["format"], rows: number): number {
  return format === "bed" ? Math.ceil(rows / 4) : 4 * rows;
}

/** Goes through the file once, in blocks of columns. */
export async function batchStore(
  source: BlockSource,
  { plan, batches, trained, scratch, signal, onProgress }: BatchStoreOptions,
): Promise<BatchStore> {
  const { columns: p, format } = source;
  const columnBytes = (batch: number): number => bytesOfColumn(format, batches[batch].length);
  const starts = [0];
  for (let b = 0; b < batches.length; b++) starts.push(starts[b] + p * columnBytes(b));
  const scales: ColumnScales = { mean: new Float32Array(p), scale: new Float32Array(p) };
  const file = await scratch(starts[batches.length]);
  const spans = blockSpans(plan, p);
  const fail = (index: number, error: unknown) =>
    blockError(source, "columns", spans[index], index, spans.length, error);
  try {
    const order = spans.map((_, index) => index);
    for await (const { span, index, block } of readAhead(spans, order, source.readColumns, fail)) {
      signal?.throwIfAborted();
      try {
        await storeBlock(block, span);
      } catch (error) {
        throw fail(index, error);
      }
      onProgress?.({ phase: "arrange", done: index + 1, total: spans.length });
    }
  } catch (error) {
    await file.close();
    throw error;
  }

  async function storeBlock(block: ColumnBlock, span: BlockSpan): Promise<void> {
    const mean = scales.mean.subarray(span.start, span.end);
    const scale = scales.scale.subarray(span.start, span.end);
    const packed = isGenotypes(block)
      ? packGenotypes(block, batches, trained, { mean, scale })
      : packNumbers(block, batches, trained, { mean, scale }, span.start);
    for (let b = 0; b < batches.length; b++)
      await file.write(packed(b), starts[b] + span.start * columnBytes(b));
  }

  const unpack = format === "bed" ? unpackGenotypes : unpackNumbers;
  return {
    columns: p,
    batches,
    scales,
    columnBytes,
    read: async (batch, { start, end }, room) => {
      const bytes = room.bytes((end - start) * columnBytes(batch));
      await file.readInto(bytes, starts[batch] + start * columnBytes(batch));
      return bytes;
    },
    unpackInto: (out, bytes, batch, { start, end }, from) => {
      const each = columnBytes(batch);
      const part = bytes.subarray((start - from) * each, (end - from) * each);
      unpack(out, part, batches[batch].length, scales, start, end);
    },
    close: () => file.close(),
  };
}
