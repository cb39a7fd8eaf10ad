import type { ResidentKind } from "../parallel/index.ts";
import { type KernelCall, type KernelExports, kernelNames } from "./kernel-names.ts";
import { TaskLine } from "./task-line.ts";

/** What a kernel thread is given: the code, the memory it works on, and the words it takes orders from. */
export interface ThreadPayload {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** One seat of SEAT_BYTES a thread. */
  readonly orders: SharedArrayBuffer;
  /** Of LINE_BYTES. */
  readonly line: SharedArrayBuffer;
}

/** As an order: take tasks from the line until it is closed, with these packing buffers. */
export const TAKE_TASKS = "take tasks";
/** What a thread is told to do. */
export type ThreadOrder = KernelCall | readonly [typeof TAKE_TASKS, scratch: number];

/** The orders by their numbers: those of their places here. */
export const orderNames: readonly ThreadOrder[0][] = [...kernelNames, TAKE_TASKS];

const MOST_ARGUMENTS = 30;
/** Of a seat: its words, then the arguments of its order. Whole cache lines, so seats do not disturb each other. */
const WORD_BYTES = 64;
export const SEAT_BYTES: number = WORD_BYTES + Math.ceil(MOST_ARGUMENTS / 8) * 64;

/**
 * The words of a seat. An order, the number of what to do and how many arguments it has, is given by counting POSTED up;
 * DONE counts after it. The one before must have been carried out, unless both are to take tasks.
 */
export const word = {
  posted: 0,
  done: 1,
  asleep: 2,
  failed: 3,
  stop: 4,
  order: 5,
  count: 6,
} as const;

/**
 * Polls before sleeping, some 2 ms, several times what it takes to wake a thread. Measured on two cores under
 * KVM: so many polls take 1.7 to 3.7 ms, an order to a thread that polls comes back after 2.7 µs, to one that sleeps after 400 µs.
 */
export const SPINS = 200_000;

export function seatWords(orders: SharedArrayBuffer, seat: number): Int32Array {
  return new Int32Array(orders, seat * SEAT_BYTES, WORD_BYTES / 4);
}

export function seatArguments(orders: SharedArrayBuffer, seat: number): Float64Array {
  return new Float64Array(orders, seat * SEAT_BYTES + WORD_BYTES, MOST_ARGUMENTS);
}

/**
 * A worker that runs kernels on shared memory. It polls for orders for a moment, then sleeps in
 * Atomics.wait. Its first act is to set DONE to 0 from −1: it is there.
 */
export const kernelThread: ResidentKind<ThreadPayload> = {
  kind: "kernel-thread",

  enter({ module, memory, orders, line }, { index }) {
    const instance = new WebAssembly.Instance(module, { env: { memory, abort: () => {} } });
    const kernels = instance.exports as unknown as KernelExports;
    const words = seatWords(orders, index);
    const args = seatArguments(orders, index);
    const tasks = new TaskLine(line);
    let seen = 0;
    Atomics.store(words, word.done, seen);
    Atomics.notify(words, word.done);
    for (;;) {
      awaitChange(words, word.posted, seen, word.asleep);
      if (Atomics.load(words, word.stop) === 1) return;
      seen = (seen + 1) | 0;
      try {
        const name = orderNames[words[word.order]];
        if (name === TAKE_TASKS) tasks.takeAll(kernels, args[0]);
        else kernels[name](...args.subarray(0, words[word.count]));
      } catch {
        words[word.failed] = 1;
      }
      Atomics.store(words, word.done, seen);
      Atomics.notify(words, word.done);
    }
  },

  stop({ orders }) {
    for (let seat = 0; (seat + 1) * SEAT_BYTES <= orders.byteLength; seat++) {
      const words = seatWords(orders, seat);
      Atomics.store(words, word.stop, 1);
      Atomics.add(words, word.posted, 1);
      Atomics.notify(words, word.posted);
    }
  },
};

/** Returns when `words[at]` is no longer `value`; `words[asleep]` is 1 while it may need a notify. */
function awaitChange(words: Int32Array, at: number, value: number, asleep: number): void {
  for (let spin = 0; spin < SPINS; spin++) if (Atomics.load(words, at) !== value) return;
  Atomics.store(words, asleep, 1);
  while (Atomics.load(words, at) === value) Atomics.wait(words, at, value);
  Atomics.store(words, asleep, 0);
}
