import type { ResidentKind } from "../parallel/index.ts";
import { type KernelExports, kernelNames } from "./kernel-names.ts";

/** What a kernel thread is given: the code, the memory it works on, and the words it takes orders from. */
export interface ThreadPayload {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** One seat of SEAT_BYTES a thread. */
  readonly orders: SharedArrayBuffer;
}

/** Orders that may wait in line at a seat, a power of two. */
export const LINE = 8;
const MOST_ARGUMENTS = 30;
/** Of a seat: its words, then a line of orders. Whole cache lines, so seats do not disturb each other. */
const WORD_BYTES = 128;
export const SEAT_BYTES: number = WORD_BYTES + LINE * MOST_ARGUMENTS * 8;

/**
 * The words of a seat. Orders are given by counting POSTED up and carried out in turn, DONE counting after it.
 * Order i has place i mod LINE in the line: its kernel, and how many arguments it has.
 */
export const word = {
  posted: 0,
  done: 1,
  asleep: 2,
  failed: 3,
  stop: 4,
  kernel: 8,
  count: 16,
} as const;

/**
 * Polls before sleeping, some 0.3 ms: as long as it takes to wake a thread. Measured on two cores under
 * KVM: an order to a thread that polls comes back after 2.7 µs, to one that sleeps after 400 µs.
 */
export const SPINS = 200_000;

export function seatWords(orders: SharedArrayBuffer, seat: number): Int32Array {
  return new Int32Array(orders, seat * SEAT_BYTES, WORD_BYTES / 4);
}

/** The arguments of each place in the line. */
export function seatArguments(orders: SharedArrayBuffer, seat: number): Float64Array[] {
  const start = seat * SEAT_BYTES + WORD_BYTES;
  return Array.from(
    { length: LINE },
    (_, place) => new Float64Array(orders, start + place * MOST_ARGUMENTS * 8, MOST_ARGUMENTS),
  );
}

/**
 * A worker that runs kernels on shared memory. It polls for orders for a moment, then sleeps in
 * Atomics.wait. Its first act is to set DONE to 0 from −1: it is there.
 */
export const kernelThread: ResidentKind<ThreadPayload> = {
  kind: "kernel-thread",

  enter({ module, memory, orders }, { index }) {
    const instance = new WebAssembly.Instance(module, { env: { memory, abort: () => {} } });
    const kernels = instance.exports as unknown as KernelExports;
    const words = seatWords(orders, index);
    const args = seatArguments(orders, index);
    let seen = 0;
    Atomics.store(words, word.done, seen);
    Atomics.notify(words, word.done);
    for (;;) {
      awaitChange(words, word.posted, seen, word.asleep);
      if (Atomics.load(words, word.stop) === 1) return;
      const place = seen & (LINE - 1);
      seen = (seen + 1) | 0;
      try {
        const name = kernelNames[words[word.kernel + place]];
        kernels[name](...args[place].subarray(0, words[word.count + place]));
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
