import { RatewiseError } from "../errors.ts";
import { type KernelCall, type KernelExports, kernelNames } from "./kernel-names.ts";
import { sleep } from "./sleep.ts";

/** Tasks that may have been posted and not be done. */
export const LINE_LENGTH = 512;
const MOST_ARGUMENTS = 16;

/**
 * The words of the line, then some for each place in it, which task t has with t + LINE_LENGTH and so on: the task it
 * waits for, its kernel, its count of arguments, and the number after that of the last task done there.
 */
const word = { posted: 0, taken: 1, finished: 2, closed: 3, failed: 4, places: 16 } as const;
const PLACE_WORDS = 4;
const place = { after: 0, kernel: 1, count: 2, done: 3 } as const;
const WORDS = word.places + PLACE_WORDS * LINE_LENGTH;

/** Polls before sleeping, some 2 ms: the line is open only while somebody is about to post. */
const SPINS = 1_000_000;
const NAP_MS = 1;
/** The longest that a task may take before its thread is taken for dead, ms. */
const PATIENCE_MS = 600_000;

export const LINE_BYTES: number = WORDS * 4 + LINE_LENGTH * MOST_ARGUMENTS * 8;

/**
 * Kernel calls that whoever is free takes, in turn: a thread on a slower core, or held up by another program, takes
 * fewer instead of being waited for. One thread posts them, numbered from 0; it may take some itself. The last
 * argument of a call, the packing buffers, is left out: they belong to the taker.
 *
 * All words change by Atomics or before POSTED does, so that who reads a number of POSTED reads its tasks.
 */
export class TaskLine {
  readonly #words: Int32Array;
  readonly #args: readonly Float64Array[];
  /** For the one who posts: all tasks before this one are done. */
  #settled = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer, 0, WORDS);
    this.#args = Array.from(
      { length: LINE_LENGTH },
      (_, i) => new Float64Array(buffer, WORDS * 4 + i * MOST_ARGUMENTS * 8, MOST_ARGUMENTS),
    );
  }

  /** Begins again at task 0, once everybody has left. */
  open(): void {
    this.#words.fill(0);
    this.#settled = 0;
  }

  /** No more tasks will come: takers leave when there is none left. */
  close(): void {
    Atomics.store(this.#words, word.closed, 1);
    Atomics.notify(this.#words, word.posted);
  }

  /** Appends calls, of which task t is begun after task t − `lag` is done. Task t − LINE_LENGTH must be. */
  post(calls: readonly KernelCall[], lag: number): void {
    const words = this.#words;
    let task = words[word.posted];
    for (const [name, ...args] of calls) {
      const at = placeOf(task);
      words[at + place.after] = task - lag;
      words[at + place.kernel] = kernelNames.indexOf(name);
      words[at + place.count] = args.length;
      this.#args[task % LINE_LENGTH].set(args);
      task++;
    }
    Atomics.store(words, word.posted, task);
    Atomics.notify(words, word.posted);
  }

  /** Carries out the next task if there is one. */
  take(kernels: KernelExports, scratch: number): boolean {
    const words = this.#words;
    for (;;) {
      const task = Atomics.load(words, word.taken);
      if (task === Atomics.load(words, word.posted)) return false;
      if (Atomics.compareExchange(words, word.taken, task, task + 1) !== task) continue;
      try {
        this.#await(words[placeOf(task) + place.after]);
        const count = words[placeOf(task) + place.count];
        const name = kernelNames[words[placeOf(task) + place.kernel]];
        kernels[name](...this.#args[task % LINE_LENGTH].subarray(0, count), scratch);
      } catch {
        Atomics.store(words, word.failed, 1);
      }
      Atomics.store(words, placeOf(task) + place.done, task + 1);
      Atomics.add(words, word.finished, 1);
      Atomics.notify(words, word.finished);
      return true;
    }
  }

  /** Takes tasks until the line is closed and empty. */
  takeAll(kernels: KernelExports, scratch: number): void {
    const words = this.#words;
    for (;;) {
      if (this.take(kernels, scratch)) continue;
      if (Atomics.load(words, word.closed) === 1) {
        // What was posted before it was closed is seen now.
        if (!this.take(kernels, scratch)) return;
        continue;
      }
      const posted = Atomics.load(words, word.taken);
      pause(words, word.posted, posted, () => Atomics.load(words, word.closed) === 1);
    }
  }

  /** For the one who posts: helps until all tasks before `end` are done. */
  finish(end: number, kernels: KernelExports, scratch: number): void {
    for (; this.#settled < end; this.#settled++)
      while (!this.#isDone(this.#settled))
        if (!this.take(kernels, scratch)) this.#await(this.#settled);
    if (Atomics.load(this.#words, word.failed) === 1)
      throw new RatewiseError("worker", "a kernel thread stopped on a trap in a kernel");
  }

  #isDone(task: number): boolean {
    // A place is used again only after its task is done: a later number there says so too.
    return task < 0 || Atomics.load(this.#words, placeOf(task) + place.done) > task;
  }

  #await(task: number): void {
    const start = performance.now();
    while (!this.#isDone(task)) {
      if (performance.now() - start > PATIENCE_MS)
        throw new RatewiseError("worker", "a kernel thread does not answer; restart the run");
      const finished = Atomics.load(this.#words, word.finished);
      pause(this.#words, word.finished, finished, () => this.#isDone(task));
    }
  }
}

function placeOf(task: number): number {
  return word.places + (task % LINE_LENGTH) * PLACE_WORDS;
}

/** Returns when `words[at]` is no longer `value`, or `isOver`, or after a nap. */
function pause(words: Int32Array, at: number, value: number, isOver: () => boolean): void {
  for (let spin = 0; spin < SPINS; spin++)
    if (Atomics.load(words, at) !== value || isOver()) return;
  sleep(words, at, value, NAP_MS);
}
