/** What every long computation reports, and how it is stopped. Part of the options of every long function. */
export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (event: Progress) => void;
}

export interface Progress extends Losses {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  /** Of several tasks: the one that the losses are of, and how much of it is done, 0 … 1. */
  readonly task?: { readonly index: number; readonly share: number };
}

/** How far off a network is that is being trained. */
export interface Losses {
  /** The mean loss per row so far in the epoch under way. */
  readonly loss?: number;
  /** At the end of an epoch: the mean loss of the rows held back. */
  readonly validationLoss?: number;
}

/**
 * Drains a generator that yields after each unit of work, letting the event loop breathe every
 * `sliceMs`. Being async, it turns an abort into a rejection with `signal.reason`, never a throw.
 * The caller always hears the last progress event, so work that completes ends with done === total.
 */
export async function drive<T>(
  steps: Iterator<Progress, T>,
  options: RunOptions = {},
  sliceMs = 12,
): Promise<T> {
  const { signal, onProgress } = options;
  let unheard: Progress | undefined;
  let sliceEnd = performance.now() + sliceMs;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const step = steps.next();
      if (step.done) {
        if (unheard) onProgress?.(unheard);
        return step.value;
      }
      unheard = step.value;
      if (performance.now() < sliceEnd) continue;
      onProgress?.(unheard);
      unheard = undefined;
      await breathe();
      sliceEnd = performance.now() + sliceMs;
    }
  } finally {
    // Work that stops early gives back what it holds; after its end this does nothing.
    steps.return?.();
  }
}

/** One turn of the event loop. A timer would wait a millisecond, in browsers four, at the end of every slice. */
function breathe(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => setImmediate(resolve));
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
