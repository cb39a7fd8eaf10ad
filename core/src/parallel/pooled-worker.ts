import { spawnWorker } from "#host";
import type { Losses } from "../run.ts";
import type { FromWorker, Outcome, ToWorker } from "./messages.ts";

/** How a job ended, as the pool sees it. */
export type Ending =
  | Outcome
  | { readonly type: "died"; readonly reason: string }
  | { readonly type: "terminated" };

export interface Job {
  readonly message: ToWorker;
  readonly transfer: readonly ArrayBuffer[];
  readonly onProgress?: (fraction: number, losses?: Losses) => void;
  readonly onEntered?: () => void;
}

/** One worker, doing one job at a time. The process does not end before a task has. */
export class PooledWorker {
  readonly #link: ReturnType<typeof spawnWorker>;
  #alive = true;
  #job: { readonly job: Job; readonly end: (ending: Ending) => void } | undefined;

  constructor(entry: URL | undefined, onDeath: (worker: PooledWorker) => void) {
    this.#link = spawnWorker(
      {
        onMessage: (message) => this.#hear(message as FromWorker),
        onDeath: (reason) => {
          this.#alive = false;
          onDeath(this);
          this.#end({ type: "died", reason });
        },
      },
      entry,
    );
    this.#link.holdProcess(false);
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Posts before it returns. Throws what the post throws (a payload that cannot be cloned). */
  start(job: Job): Promise<Ending> {
    this.#link.post(job.message, job.transfer);
    this.#link.holdProcess(true);
    return new Promise((end) => {
      this.#job = { job, end };
    });
  }

  terminate(): void {
    this.#alive = false;
    this.#link.terminate();
    this.#end({ type: "terminated" });
  }

  #hear(message: FromWorker): void {
    if (message.type === "progress") this.#job?.job.onProgress?.(message.fraction, message.losses);
    else if (message.type === "entered") {
      // A resident may never end, so it keeps the process alive only until it has begun.
      this.#link.holdProcess(false);
      this.#job?.job.onEntered?.();
    } else this.#end(message);
  }

  #end(ending: Ending): void {
    const job = this.#job;
    this.#job = undefined;
    if (this.#alive) this.#link.holdProcess(false);
    job?.end(ending);
  }
}
