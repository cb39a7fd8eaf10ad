import { RatewiseError } from "../errors.ts";
import { type KernelCall, type KernelExports, kernelNames } from "./kernel-names.ts";
import { sleep } from "./sleep.ts";

/** Tasks that may have been posted and not be done, a power of two. */
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
/** What `failed` may say. */
const TRAPPED = 1;
const UNANSWERED = 2;

/** How long one polls before sleeping, ms: the line is open only while somebody is about to post. */
const POLL_MS = 2;
const POLLS_PER_LOOK = 500;
const NAP_MS = 1;
/** The longest that a task may take before its thread is taken for dead, ms. */
const PATIENCE_MS = 600_000;

export const LINE_BYTES: number = WORDS * 4 + LINE_LENGTH * MOST_ARGUMENTS * 8;

/**
 * Kernel calls that whoever is free takes, in turn: a thread on a slower core, or held up by another program, takes
 * fewer instead of being waited for. One thread posts them; it may take some itself. The last argument of a call, the
 * packing buffers, is left out: they belong to the taker.
 *
 * Tasks are counted on from one opening to the next, round through the 32-bit numbers: a taker that is late in
 * leaving finds the tasks of the next opening, or none. All words change by Atomics or before POSTED does, so that
 * who reads a number of POSTED reads its tasks.
 */
export class TaskLine {
  readonly #words: Int32Array;
  readonly #args: readonly Float64Array[];
  /** For the one who posts: the first task of this opening, one before which all are done, and the last error of its own. */
  #first = 0;
  #settled = 0;
  #error: unknown;

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer, 0, WORDS);
    this.#args = Array.from(
      { length: LINE_LENGTH },
      (_, i) => new Float64Array(buffer, WORDS * 4 + i * MOST_ARGUMENTS * 8, MOST_ARGUMENTS),
    );
  }

  /** Counts tasks from 0 again, once all of the last opening are done. */
  open(): void {
    this.#first = Atomics.load(this.#words, word.posted);
    this.#settled = this.#first;
    this.#error = undefined;
    Atomics.store(this.#words, word.failed, 0);
    Atomics.store(this.#words, word.closed, 0);
  }

  /** No more tasks will come: takers leave when there is none left. */
  close(): void {
    Atomics.store(this.#words, word.closed, 1);
    Atomics.notify(this.#words, word.posted);
  }

  /** Appends calls, of which task t is begun after task t − `lag` is done. */
  post(calls: readonly KernelCall[], lag: number): void {
    const words = this.#words;
    let task = words[word.posted];
    for (const [name, ...args] of calls) {
      if (!this.#isDone((task - LINE_LENGTH) | 0))
        throw new RatewiseError("domain", {
          in: "TaskLine",
          what: `needs at most ${LINE_LENGTH} tasks that are not done`,
        });
      const at = placeOf(task);
      words[at + place.after] = task - lag;
      words[at + place.kernel] = kernelNames.indexOf(name);
      words[at + place.count] = args.length;
      this.#argumentsOf(task).set(args);
      task = (task + 1) | 0;
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
      if (Atomics.compareExchange(words, word.taken, task, (task + 1) | 0) !== task) continue;
      const at = placeOf(task);
      try {
        const args = this.#argumentsOf(task).subarray(0, words[at + place.count]);
        if (this.#await(words[at + place.after]))
          kernels[kernelNames[words[at + place.kernel]]](...args, scratch);
        else Atomics.store(words, word.failed, UNANSWERED);
      } catch (error) {
        this.#error = error;
        Atomics.store(words, word.failed, TRAPPED);
      }
      Atomics.store(words, at + place.done, task + 1);
      Atomics.add(words, word.finished, 1);
      Atomics.notify(words, word.finished);
      return true;
    }
  }

  /** Takes tasks until the line is closed and empty. */
  takeAll(kernels: KernelExports, scratch: number): void {
    const words = this.#words;
    for (;;) {
      // Asked before: what was posted until it was closed is taken.
      const closed = Atomics.load(words, word.closed) === 1;
      if (this.take(kernels, scratch)) continue;
      if (closed) return;
      const taken = Atomics.load(words, word.taken);
      poll(words, word.posted, taken, () => Atomics.load(words, word.closed) === 1);
    }
  }

  /** For the one who posts: helps until all tasks before `end` are done. */
  finish(end: number, kernels: KernelExports, scratch: number): void {
    this.#settle((this.#first + end) | 0, kernels, scratch);
    const failed = Atomics.load(this.#words, word.failed);
    if (failed === UNANSWERED) throw noAnswer();
    if (failed === TRAPPED)
      throw new RatewiseError("worker", { what: "a kernel stopped on a trap", cause: this.#error });
  }

  /** For the one who posts: helps until all that was posted is done, whether or not it failed. */
  finishAll(kernels: KernelExports, scratch: number): void {
    this.#settle(this.#words[word.posted], kernels, scratch);
  }

  #settle(end: number, kernels: KernelExports, scratch: number): void {
    for (; ((end - this.#settled) | 0) > 0; this.#settled = (this.#settled + 1) | 0)
      while (!this.#isDone(this.#settled))
        if (!this.take(kernels, scratch) && !this.#await(this.#settled)) throw noAnswer();
  }

  #argumentsOf(task: number): Float64Array {
    return this.#args[task & (LINE_LENGTH - 1)];
  }

  #isDone(task: number): boolean {
    // A place is used again only after its task is done: a later number there says so too.
    return ((Atomics.load(this.#words, placeOf(task) + place.done) - task) | 0) > 0;
  }

  /** Waits until a task is done; false when it takes too long. */
  #await(task: number): boolean {
    const start = performance.now();
    while (!this.#isDone(task)) {
      if (performance.now() - start > PATIENCE_MS) return false;
      const finished = Atomics.load(this.#words, word.finished);
      poll(this.#words, word.finished, finished, () => this.#isDone(task));
    }
    return true;
  }
}

function placeOf(task: number): number {
  return word.places + (task & (LINE_LENGTH - 1)) * PLACE_WORDS;
}

/** Returns when `words[at]` is no longer `value`, or `isOver`, or after polling and a nap. */
function poll(words: Int32Array, at: number, value: number, isOver: () => boolean): void {
  const end = performance.now() + POLL_MS;
  do {
    for (let look = 0; look < POLLS_PER_LOOK; look++) if (Atomics.load(words, at) !== value) return;
    if (isOver()) return;
  } while (performance.now() < end);
  sleep(words, at, value, NAP_MS);
}

function noAnswer(): RatewiseError {
  return new RatewiseError("worker", {
    what: "a kernel thread does not answer",
    advice: "restart the run",
  });
}
