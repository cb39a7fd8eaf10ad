import { RatewiseError } from "../errors.ts";
import type { Lease } from "../parallel/index.ts";
import { leaseWorkers } from "../parallel/run-tasks.ts";
import {
  kernelThread,
  orderNames,
  SEAT_BYTES,
  SPINS,
  seatArguments,
  seatWords,
  TAKE_TASKS,
  type ThreadOrder,
  type ThreadPayload,
  word,
} from "./kernel-thread.ts";
import { sleep } from "./sleep.ts";
import { LINE_BYTES, TaskLine } from "./task-line.ts";

/** The longest a single order may take before its thread is taken for dead, ms. */
const PATIENCE_MS = 600_000;
/** DONE before the thread has come up. */
const ABSENT = -1;

/** Kernel threads leased from the pool, and the giving of orders to them. */
export class KernelCrew {
  readonly lease: Lease;
  /** Where tasks are posted for threads that were told to take them. */
  readonly line: TaskLine;
  readonly #words: readonly Int32Array[];
  readonly #args: readonly Float64Array[];
  readonly #posted: number[];

  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory, count: number) {
    const payload: ThreadPayload = {
      module,
      memory,
      orders: new SharedArrayBuffer(count * SEAT_BYTES),
      line: new SharedArrayBuffer(LINE_BYTES),
    };
    this.line = new TaskLine(payload.line);
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
   * Gives an order and returns at once, about a microsecond when the thread is polling. A thread that is late in
   * leaving the line may be told to take tasks again; before any other order it is waited for.
   */
  post(seat: number, [name, ...args]: ThreadOrder): void {
    const words = this.#words[seat];
    if (name !== TAKE_TASKS) {
      this.#wait(seat);
      words[word.failed] = 0;
    }
    this.#args[seat].set(args);
    words[word.order] = orderNames.indexOf(name);
    words[word.count] = args.length;
    this.#posted[seat] = (this.#posted[seat] + 1) | 0;
    Atomics.store(words, word.posted, this.#posted[seat]);
    if (Atomics.load(words, word.asleep) === 1) Atomics.notify(words, word.posted);
  }

  /** Returns when the first `count` threads have carried out their orders. */
  waitFor(count: number): void {
    for (let seat = 0; seat < count; seat++) this.#wait(seat);
    const trapped = this.#words.slice(0, count).findIndex((words) => words[word.failed] === 1);
    if (trapped >= 0)
      throw new RatewiseError("worker", {
        what: `kernel thread ${trapped} stopped on a trap in a kernel`,
      });
  }

  #wait(seat: number): void {
    const words = this.#words[seat];
    const order = this.#posted[seat];
    for (let spin = 0; spin < SPINS; spin++) if (Atomics.load(words, word.done) === order) return;
    const start = performance.now();
    for (;;) {
      const done = Atomics.load(words, word.done);
      if (done === order) return;
      sleep(words, word.done, done, 1000);
      if (performance.now() - start > PATIENCE_MS)
        throw new RatewiseError("worker", {
          what: `kernel thread ${seat} does not answer`,
          advice: "restart the run",
        });
    }
  }
}
