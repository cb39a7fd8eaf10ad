import { RatewiseError } from "../errors.ts";

const PAGE = 65_536;
/** Of every block: a cache line. */
const ALIGN = 64;
/** Memory grows by at least this much, so that growth is rare. */
const STEP = 16 * 2 ** 20;

/**
 * The memory that kernels see: one shared WebAssembly.Memory with a first-fit list of free blocks.
 * It grows in steps to at most 4 GB, and never shrinks: what is released is used again. Views stay
 * valid when it grows, because shared memory is not detached.
 */
export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  readonly #maximum: number;
  /** Free blocks [start, end), by address, never adjacent. The first line is kept out: no block is 0. */
  readonly #free: { start: number; end: number }[];
  readonly #sizes = new Map<number, number>();
  readonly #buffers = new WeakSet<ArrayBufferLike>();

  constructor({ maximumPages = 65_536 }: { maximumPages?: number } = {}) {
    this.#maximum = maximumPages * PAGE;
    this.memory = new WebAssembly.Memory({ initial: 1, maximum: maximumPages, shared: true });
    this.#free = [{ start: ALIGN, end: PAGE }];
  }

  /** Bytes held from the system, free blocks included. */
  get size(): number {
    return this.memory.buffer.byteLength;
  }

  /** The whole memory as it is now, to make views on. */
  get buffer(): ArrayBufferLike {
    const { buffer } = this.memory;
    this.#buffers.add(buffer);
    return buffer;
  }

  /** Whether an array lies in this memory, so that kernels can take its `byteOffset` as address. */
  owns(array: ArrayBufferView): boolean {
    return this.#buffers.has(array.buffer);
  }

  /** The address of a block of at least `bytes`, not cleared. */
  allocate(bytes: number): number {
    const size = Math.max(ALIGN, Math.ceil(bytes / ALIGN) * ALIGN);
    let block = this.#free.find(({ start, end }) => end - start >= size);
    if (!block) {
      this.#grow(size);
      block = this.#free.at(-1)!;
    }
    const at = block.start;
    block.start += size;
    if (block.start === block.end) this.#free.splice(this.#free.indexOf(block), 1);
    this.#sizes.set(at, size);
    return at;
  }

  /** Gives a block back. */
  release(at: number): void {
    const size = this.#sizes.get(at);
    if (size === undefined)
      throw new RatewiseError("memory", {
        in: "release",
        what: `needs the address of a block, got ${at}`,
      });
    this.#sizes.delete(at);
    const after = this.#free.findIndex(({ start }) => start > at);
    this.#insert(after < 0 ? this.#free.length : after, at, at + size);
  }

  #insert(index: number, start: number, end: number): void {
    const before = this.#free[index - 1];
    const after = this.#free[index];
    if (before?.end === start) {
      before.end = end;
      if (after?.start === end) {
        before.end = after.end;
        this.#free.splice(index, 1);
      }
    } else if (after?.start === end) after.start = start;
    else this.#free.splice(index, 0, { start, end });
  }

  /** Makes the last free block hold at least `size`. */
  #grow(size: number): void {
    const top = this.size;
    const last = this.#free.at(-1);
    const missing = size - (last?.end === top ? top - last.start : 0);
    const wanted = Math.min(Math.max(missing, STEP), Math.max(missing, this.#maximum - top));
    const pages = Math.ceil(wanted / PAGE);
    try {
      this.memory.grow(pages);
    } catch (cause) {
      throw new RatewiseError("memory", {
        at: "kernel memory",
        what: `needs ${megabytes(missing)} MB more than its ${megabytes(top)} MB, and may hold ${megabytes(this.#maximum)} MB`,
        advice: "work in smaller pieces or free what is no longer used",
        bytes: size,
        held: top,
        limit: this.#maximum,
        cause,
      });
    }
    this.#insert(this.#free.length, top, top + pages * PAGE);
  }
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(bytes < 2 ** 20 ? 2 : 0);
}

let own: KernelMemory | undefined;

/** The kernel memory of this thread; both builds of the kernels run on it. */
export function kernelMemory(): KernelMemory {
  own ??= new KernelMemory();
  return own;
}
