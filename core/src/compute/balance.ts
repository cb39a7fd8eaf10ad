/** How much of a new measurement enters what is known. */
const NEWS = 0.25;

/**
 * How work is shared while one thread also copies operands into kernel memory: by what a byte and a
 * multiply-add took lately. Shares decide who computes an entry, never its value.
 */
export class Balance {
  /** First guesses, in ms: 4 bytes copied and 20 multiply-adds of 4-byte numbers done in a nanosecond. */
  #copy = 2.5e-7;
  #multiply = 5e-8;

  /** The share of `work` for the thread that copies, so that all of `parts` threads end at the same time. */
  own(parts: number, work: number, bytes: number): number {
    const copying = (bytes * this.#copy) / (work * this.#multiply);
    return Math.max(0, (1 - (parts - 1) * copying) / parts);
  }

  /** What the thread that copies has measured. */
  learn(work: number, multiplyMs: number, bytes: number, copyMs: number): void {
    if (work > 0) this.#multiply += NEWS * (multiplyMs / work - this.#multiply);
    if (bytes > 0) this.#copy += NEWS * (copyMs / bytes - this.#copy);
  }
}
