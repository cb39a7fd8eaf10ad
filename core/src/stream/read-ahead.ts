import { type BlockRoom, type BlockSpan, blockRoom } from "./block-source.ts";

export interface ReadBlock<Block> {
  readonly span: BlockSpan;
  /** Place in the list of spans. */
  readonly index: number;
  readonly block: Block;
}

/**
 * Reads the spans one after the other, each while the one before is being used: what is read next goes into the
 * other of two rooms. `fail` names the block of an error.
 */
export async function* readAhead<Block>(
  spans: readonly BlockSpan[],
  order: readonly number[],
  read: (span: BlockSpan, room: BlockRoom) => Promise<Block>,
  fail: (index: number, error: unknown) => unknown,
): AsyncGenerator<ReadBlock<Block>> {
  const rooms = [blockRoom(), blockRoom()];
  const start = (at: number): Promise<Block> => {
    const reading = read(spans[order[at]], rooms[at % 2]);
    // Looked at when its turn comes, or never if the work stops before: not an unhandled rejection.
    reading.catch(() => {});
    return reading;
  };
  let next = order.length > 0 ? start(0) : undefined;
  for (let at = 0; at < order.length; at++) {
    const index = order[at];
    let block: Block;
    try {
      block = await next!;
    } catch (error) {
      throw fail(index, error);
    }
    next = at + 1 < order.length ? start(at + 1) : undefined;
    yield { span: spans[index], index, block };
  }
}
