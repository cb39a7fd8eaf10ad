import type { Workspace } from "./contract.ts";
import { type KernelMemory, kernelMemory } from "./kernel-memory.ts";

/**
 * Arrays in kernel memory, freed together. Engines and kernels use them where they lie, by their
 * `byteOffset`, without the copy in and out that other arrays cost. Using one after `free` is an error
 * that nobody notices. Not cleared unless said.
 */
export class Arena implements Workspace {
  readonly #memory: KernelMemory;
  readonly #blocks: number[] = [];

  constructor(memory: KernelMemory = kernelMemory()) {
    this.#memory = memory;
  }

  /** Zeros. */
  float64(length: number): Float64Array {
    const at = this.room(length * 8);
    return new Float64Array(this.#memory.buffer, at, length).fill(0);
  }

  /** Zeros. */
  float32(length: number): Float32Array {
    const at = this.room(length * 4);
    return new Float32Array(this.#memory.buffer, at, length).fill(0);
  }

  /** Zeros. */
  int32(length: number): Int32Array {
    const at = this.room(length * 4);
    return new Int32Array(this.#memory.buffer, at, length).fill(0);
  }

  /** Zeros. */
  bytes(length: number): Uint8Array {
    const at = this.room(length);
    return new Uint8Array(this.#memory.buffer, at, length).fill(0);
  }

  /** The address of `bytes` that are not cleared. */
  room(bytes: number): number {
    const at = this.#memory.allocate(bytes);
    this.#blocks.push(at);
    return at;
  }

  /** Gives everything back. The arena can be filled again. */
  free(): void {
    for (const at of this.#blocks.splice(0)) this.#memory.release(at);
  }
}
