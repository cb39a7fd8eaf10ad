/** Polls of a thread that may not sleep, some 2 ms. */
const POLLS = 200_000;

/** Sleeps until `words[at]` changes from `value`, at most so long; a page's main thread may not sleep, and polls. */
export function sleep(words: Int32Array, at: number, value: number, milliseconds: number): void {
  try {
    Atomics.wait(words, at, value, milliseconds);
  } catch {
    for (let poll = 0; poll < POLLS; poll++) if (Atomics.load(words, at) !== value) return;
  }
}
