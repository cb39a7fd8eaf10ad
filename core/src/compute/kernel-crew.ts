import { RatewiseError } from "../errors.ts";
import { type Lease, leaseWorkers } from "../parallel/index.ts";
import { type KernelCall, kernelNames } from "./kernel-names.ts";
import {
  kernelThread,
  LINE,
  SEAT_BYTES,
  SPINS,
  seatArguments,
  seatWords,
  type ThreadPayload,
  word,
} from "./kernel-thread.ts";

/** The longest a single order may take before its thread is taken for dead, ms. */
const PATIENCE_MS = 600_000;
/** DONE before the thread has come up. */
const ABSENT = -1;

/** Kernel threads leased from the pool, and the giving of orders to them. */
export class KernelCrew {
  readonly lease: Lease;
  readonly #words: readonly Int32Array[];
  readonly #args: readonly (readonly Float64Array[])[];
  readonly #posted: number[];

  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory, count: number) {
    const payload: ThreadPayload = {
      module,
      memory,
      orders: new SharedArrayBuffer(count * SEAT_BYTES),
    };
    const seats = Array.from({ length: count }, (_, seat) => seat);
    this.#words = seats.map((seat) => seatWords(payload.orders, seat));
    this.#args = seats.map((seat) => seatArguments(payload.orders, seat));
    this.#posted = seats.map(() => 0);
    for (const words of this.#words) words[word.done] = ABSENT;
    this.lease = leaseWorkers(kernelThread, count, payload);
  }

  /** How many threads have come up, counted from the first: those that may be given orders. */
  get ready(): number {
    const absent = this.#words.findIndex((words) => Atomics.load(words, word.done) === ABSENT);
    return absent < 0 ? this.#words.length : absent;
  }

  /** Whether all threads poll for orders, so that giving one costs next to nothing. */
  get awake(): boolean {
    return this.#words.every((words) => Atomics.load(words, word.asleep) === 0);
  }

  /**
   * Gives an order and returns at once, unless the line is full: its number, to wait for. About a microsecond
   * when the thread is polling.
   */
  post(seat: number, [name, ...args]: KernelCall): number {
    const words = this.#words[seat];
    const before = this.#posted[seat];
    const order = (before + 1) | 0;
    this.wait(seat, order - LINE);
    const place = before & (LINE - 1);
    this.#args[seat][place].set(args);
    words[word.kernel + place] = kernelNames.indexOf(name);
    words[word.count + place] = args.length;
    this.#posted[seat] = order;
    Atomics.store(words, word.posted, order);
    if (Atomics.load(words, word.asleep) === 1) Atomics.notify(words, word.posted);
    return order;
  }

  /** Returns when an order of this seat has been carried out; the last one unless told which. */
  wait(seat: number, order: number = this.#posted[seat]): void {
    const words = this.#words[seat];
    for (let spin = 0; spin < SPINS; spin++) if (hasDone(words, order)) break;
    const start = performance.now();
    while (!hasDone(words, order)) {
      sleep(words, order);
      if (performance.now() - start > PATIENCE_MS)
        throw new RatewiseError("worker", `kernel thread ${seat} does not answer; restart the run`);
    }
    this.#check(seat);
  }

  #check(seat: number): void {
    if (this.#words[seat][word.failed] === 1)
      throw new RatewiseError("worker", `kernel thread ${seat} stopped on a trap in a kernel`);
  }
}

/** Whether DONE has come to `order`; both count round through the 32-bit numbers. */
function hasDone(words: Int32Array, order: number): boolean {
  return ((order - Atomics.load(words, word.done)) | 0) <= 0;
}

/** Sleeps until DONE changes, unless it has come to `order`; a page's main thread may not sleep, and polls. */
function sleep(words: Int32Array, order: number): void {
  const before = Atomics.load(words, word.done);
  if (((order - before) | 0) <= 0) return;
  try {
    Atomics.wait(words, word.done, before, 1000);
  } catch {
    for (let spin = 0; spin < SPINS; spin++) if (Atomics.load(words, word.done) !== before) return;
  }
}
