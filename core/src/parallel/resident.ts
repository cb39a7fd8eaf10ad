/**
 * A job that keeps a worker to itself for long, blocking it in Atomics.wait on shared memory: the
 * threads of the kernels. Its payload may hold what a message may hold and a task may not: shared
 * memory of WebAssembly, compiled modules. Add the kind to the list in core/src/worker.ts.
 */
export interface ResidentKind<Payload = unknown> {
  readonly kind: string;
  /** Runs in each worker, and returns when told to by shared memory. */
  enter(payload: Payload, seat: Seat): void | Promise<void>;
  /** Runs at the owner on release: makes every `enter` return (store a flag, Atomics.notify). */
  stop(payload: Payload): void;
}

/** Which of the leased workers this one is. */
export interface Seat {
  readonly index: number;
  readonly count: number;
}

/** Workers taken out of the pool for a resident job. Does not keep the process from ending. */
export interface Lease {
  readonly count: number;
  /**
   * Fulfilled when every worker is about to enter. In Node the owner need not await it, and may block
   * at once on words that `enter` writes; in browsers it must be awaited before blocking.
   * Nothing wakes a blocked owner when a worker dies: wait with a timeout, then look at `ended`.
   */
  readonly started: Promise<void>;
  /** Fulfilled when all have returned to the pool, rejected if one threw or died. */
  readonly ended: Promise<void>;
  /** Calls `stop`, and gives the workers back as they return; those that do not, within a second, are ended. */
  release(): Promise<void>;
}
