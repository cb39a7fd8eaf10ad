/** A worker as its owner sees it, the same in Node and in browsers. */
export interface WorkerLink {
  /** Buffers in `transfer` move to the worker and are empty here afterwards. */
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /** Ends the worker at once, also in mid-computation or in Atomics.wait. `onDeath` is not called. */
  terminate(): void;
  /** Whether a live worker keeps the process from ending. A page ends anyway, so nothing in browsers. */
  holdProcess(hold: boolean): void;
}

export interface WorkerEvents {
  readonly onMessage: (message: unknown) => void;
  /** The worker ended by itself: out of memory, process.exit, an uncaught error, an entry that does not load. */
  readonly onDeath: (reason: string) => void;
}

/** A worker's own end of the link. */
export interface OwnerLink {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
}
