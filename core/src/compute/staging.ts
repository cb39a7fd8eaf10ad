import type { FloatArray } from "./contract.ts";
import type { KernelMemory } from "./kernel-memory.ts";

/** Where a matrix lies in kernel memory: the address of its first entry, elements between its rows. */
export interface Placed {
  readonly at: number;
  readonly row: number;
}

/** Rows top…bottom−1 and columns left…right−1 of a matrix. */
export interface Region {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** A block of kernel memory that pieces of an operand pass through. */
export class Staging {
  readonly #memory: KernelMemory;
  #at = 0;
  #bytes = 0;

  constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  /** Room for rows × columns like those of `A`; A itself when it lies in kernel memory. */
  room(A: FloatArray, offset: number, rows: number, columns: number, ld: number): Placed {
    if (this.#memory.owns(A)) return { at: A.byteOffset + offset * A.BYTES_PER_ELEMENT, row: ld };
    return { at: this.bytes(rows * columns * A.BYTES_PER_ELEMENT), row: columns };
  }

  /** The address of room for so many bytes. */
  bytes(count: number): number {
    if (count > this.#bytes || this.#at === 0) {
      this.release();
      this.#at = this.#memory.allocate(count);
      this.#bytes = count;
    }
    return this.#at;
  }

  /** The same, filled with A's entries. */
  fill(A: FloatArray, offset: number, rows: number, columns: number, ld: number): Placed {
    const placed = this.room(A, offset, rows, columns, ld);
    if (this.#memory.owns(A)) return placed;
    const view = viewLike(A, this.#memory, placed.at, rows * columns);
    if (ld === columns) view.set(A.subarray(offset, offset + rows * columns));
    else
      for (let i = 0; i < rows; i++)
        view.set(A.subarray(offset + i * ld, offset + i * ld + columns), i * columns);
    return placed;
  }

  /** Copies what the kernels left here back to A, all of it or a region. */
  drain(
    A: FloatArray,
    offset: number,
    rows: number,
    columns: number,
    ld: number,
    { top, bottom, left, right }: Region = { top: 0, bottom: rows, left: 0, right: columns },
  ): void {
    if (this.#memory.owns(A)) return;
    const view = viewLike(A, this.#memory, this.#at, rows * columns);
    if (ld === columns && right - left === columns)
      A.set(view.subarray(top * columns, bottom * columns), offset + top * ld);
    else
      for (let i = top; i < bottom; i++)
        A.set(view.subarray(i * columns + left, i * columns + right), offset + i * ld + left);
  }

  release(): void {
    if (this.#at !== 0) this.#memory.release(this.#at);
    this.#at = 0;
  }
}

/** Kernel memory seen as numbers of A's precision. */
export function viewLike(
  A: FloatArray,
  { buffer }: KernelMemory,
  at: number,
  length: number,
): FloatArray {
  return A instanceof Float64Array
    ? new Float64Array(buffer, at, length)
    : new Float32Array(buffer, at, length);
}

/** Runs `work` with `count` stagings and gives their memory back. */
export function withStaging<Result>(
  memory: KernelMemory,
  count: number,
  work: (...stagings: Staging[]) => Result,
): Result {
  const stagings = Array.from({ length: count }, () => new Staging(memory));
  try {
    return work(...stagings);
  } finally {
    for (const staging of stagings) staging.release();
  }
}

/** The end of a kernel's name. */
export function precision(A: FloatArray): "F32" | "F64" {
  return A instanceof Float64Array ? "F64" : "F32";
}
