import { RatewiseError } from "../errors.ts";
import { workersHere } from "../parallel/workers-here.ts";
import { type KernelBuild, kernelModule } from "./kernel-build.ts";
import { KernelCrew } from "./kernel-crew.ts";
import { type KernelMemory, kernelMemory } from "./kernel-memory.ts";
import type { KernelCall, KernelExports } from "./kernel-names.ts";
import { TAKE_TASKS } from "./kernel-thread.ts";
import type { TaskLine } from "./task-line.ts";

/**
 * Multiply-adds from which a call is split over threads. Measured with products of squares in float32, two
 * threads beside one (relaxed, 20 multiply-adds a nanosecond at best): polling threads made 2.6·10⁵ faster by
 * 1.3, 5·10⁵ by 1.5 and 2·10⁶ by 1.8. Threads that sleep lost at 2·10⁶ (0.6), were even at 7·10⁶ (1.1) and won
 * at 1.7·10⁷ (1.3). A thread starts in 1 to 11 ms.
 */
const SPLIT_WORK = 5e5;
const WAKE_WORK = 1e7;
const START_WORK = 2e8;

/** Each holds its own packing buffers and takes seconds to start where there are more than cores. */
const MOST_THREADS = 256;

let wantedThreads: number | undefined;

/** One build of the kernels in this thread: its functions, its memory, and its helpers. */
export class Kernels {
  readonly build: KernelBuild;
  readonly memory: KernelMemory;
  readonly exports: KernelExports;
  readonly #scratch: number[] = [];
  #crew: KernelCrew | undefined;

  constructor(build: KernelBuild, memory: KernelMemory = kernelMemory()) {
    this.build = build;
    this.memory = memory;
    const imports = { env: { memory: memory.memory, abort: () => {} } };
    const instance = new WebAssembly.Instance(kernelModule(build), imports);
    this.exports = instance.exports as unknown as KernelExports;
  }

  /** The packing buffers of thread `index`, 0 being this one. */
  scratch(index: number): number {
    while (this.#scratch.length <= index)
      this.#scratch.push(this.memory.allocate(this.exports.gemmScratchBytes()));
    return this.#scratch[index];
  }

  /** Into how many parts `work` multiply-adds are best cut now. */
  threadsFor(work: number): number {
    if (work < SPLIT_WORK || threads() === 1) return 1;
    if (!this.#crew && work >= START_WORK) this.#start(threads() - 1);
    const crew = this.#crew;
    if (!crew || (work < WAKE_WORK && !crew.awake)) return 1;
    return Math.min(threads(), 1 + crew.ready);
  }

  /** Carries out calls at the same time, the first in this thread. At most `threadsFor` of them. */
  run(calls: readonly KernelCall[]): void {
    const crew = this.#crew;
    try {
      for (let i = 1; i < calls.length; i++) crew!.post(i - 1, calls[i]);
      if (calls.length > 0) this.here(calls[0]);
    } finally {
      // The others still read the memory that an error here would give back.
      crew?.waitFor(calls.length - 1);
    }
  }

  /** Carries out a call in this thread. */
  here([name, ...args]: KernelCall): void {
    this.exports[name](...args);
  }

  /**
   * Runs `work`, which posts tasks that this and the other threads take in turn; all are done when it returns. The
   * others may leave the line later: nobody waits for a thread that has no task.
   */
  withTasks(threads: number, work: (line: TaskLine) => void): void {
    const crew = this.#crew!;
    const { line } = crew;
    const scratch = Array.from({ length: threads }, (_, i) => this.scratch(i));
    line.open();
    try {
      for (let i = 1; i < threads; i++) crew.post(i - 1, [TAKE_TASKS, scratch[i]]);
      work(line);
    } finally {
      line.close();
      // The others still read the memory that an error here would give back.
      line.finishAll(this.exports, scratch[0]);
    }
  }

  /** Brings up the helpers and waits for them. */
  async start(count: number): Promise<void> {
    const before = this.#crew;
    if (before && before.lease.count !== count) {
      // Forgotten at once: products of other code in between are to give it no more orders.
      this.#crew = undefined;
      await before.lease.release();
    }
    if (count > 0 && this.#start(count)) {
      await this.#crew?.lease.started;
      while (this.#crew && this.#crew.ready < count)
        await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  #start(count: number): boolean {
    if (this.#crew) return true;
    try {
      const crew = new KernelCrew(kernelModule(this.build), this.memory.memory, count);
      this.#crew = crew;
      const forget = (): void => {
        if (this.#crew === crew) this.#crew = undefined;
      };
      crew.lease.ended.then(forget, forget);
      return true;
    } catch {
      return false; // no worker can be had here: one thread does it
    }
  }
}

const loaded = new Map<KernelBuild, Kernels>();

/** The kernels of a build, loaded once a thread. */
export function loadKernels(build: KernelBuild): Kernels {
  let kernels = loaded.get(build);
  if (!kernels) {
    kernels = new Kernels(build);
    loaded.set(build, kernels);
  }
  return kernels;
}

/** Threads to compute on, this one included: as many as cores, one in a worker or without shared memory. */
function threads(): number {
  wantedThreads ??= typeof SharedArrayBuffer === "undefined" ? 1 : Math.max(1, workersHere());
  return wantedThreads;
}

/**
 * Sets how many threads the wasm engines compute on, and waits until those of engines in use are there. Left alone, they
 * start at the first large product, as many as cores. The results are the same bytes for any number.
 * Does nothing in a worker, or on a page that is not cross-origin isolated.
 * @returns how many there are.
 */
export async function useThreads(count: number): Promise<number> {
  if (!Number.isInteger(count) || count < 1)
    throw new RatewiseError("domain", {
      in: "useThreads",
      what: `needs 1, 2, 3, … threads, got ${count}`,
      option: "threads",
    });
  if (count > MOST_THREADS)
    throw new RatewiseError("domain", {
      in: "useThreads",
      what: `needs at most ${MOST_THREADS} threads, got ${count}`,
      option: "threads",
      advice: "more threads than cores gain nothing",
    });
  const possible = typeof SharedArrayBuffer !== "undefined" && workersHere() > 0;
  wantedThreads = possible ? count : 1;
  for (const kernels of loaded.values()) await kernels.start(wantedThreads - 1);
  return wantedThreads;
}
