import { cores } from "#host";
import { RatewiseError } from "../errors.ts";
import { type Crew, runOnCrew } from "./crew.ts";
import type { ExecuteOptions, Executor } from "./executor.ts";
import { leaseFrom } from "./lease.ts";
import { PooledWorker } from "./pooled-worker.ts";
import type { Lease, ResidentKind } from "./resident.ts";
import type { TaskData } from "./task.ts";

export interface PoolOptions {
  /** Workers for tasks, at most; a run that asks for more raises it. Default: the number of cores. */
  readonly size?: number;
  /** The compiled module that workers run, calling `serve`. Default: the core's own worker.js. */
  readonly entry?: URL;
}

/**
 * Worker threads, the same in Node and browsers. Started when first needed, kept until `close`; idle
 * ones do not keep the process from ending. A worker that dies or is ended is replaced at the next need.
 */
export class WorkerPool implements Executor {
  readonly #entry: URL | undefined;
  readonly #idle: PooledWorker[] = [];
  /** Every live worker; those leased are in `#leased` too. */
  readonly #members = new Set<PooledWorker>();
  readonly #leased = new Set<PooledWorker>();
  readonly #waiting: (() => void)[] = [];
  #size: number;
  #closed = false;

  constructor({ size = cores(), entry }: PoolOptions = {}) {
    this.#size = size;
    this.#entry = entry;
  }

  async run<Result>(
    tasks: readonly TaskData<Result>[],
    options: ExecuteOptions = {},
  ): Promise<Result[]> {
    this.#refuseIfClosed("run");
    const workers = options.workers ?? this.#size;
    this.#size = Math.max(this.#size, workers);
    const crew: Crew = {
      take: () => this.#take(),
      give: (worker) => this.#give(worker),
    };
    return runOnCrew(crew, tasks, { ...options, workers });
  }

  /**
   * Takes `count` workers for a resident job, starting new ones where too few are idle: it never waits
   * for running tasks, and everything is posted when it returns.
   */
  lease<Payload>(resident: ResidentKind<Payload>, count: number, payload: Payload): Lease {
    this.#refuseIfClosed("lease");
    const workers = Array.from({ length: count }, () => this.#idle.pop() ?? this.#spawn());
    for (const worker of workers) this.#leased.add(worker);
    const giveBack = (worker: PooledWorker): void => {
      this.#leased.delete(worker);
      this.#give(worker);
    };
    try {
      return leaseFrom(workers, resident, payload, giveBack);
    } catch (error) {
      // The payload cannot be cloned, so none has begun.
      for (const worker of workers) giveBack(worker);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const worker of [...this.#members]) {
      worker.terminate();
      this.#forget(worker);
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async #take(): Promise<PooledWorker> {
    for (;;) {
      this.#refuseIfClosed("run");
      const idle = this.#idle.pop();
      if (idle) return idle;
      if (this.#members.size - this.#leased.size < this.#size) return this.#spawn();
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }

  #give(worker: PooledWorker): void {
    if (worker.alive) this.#idle.push(worker);
    else this.#forget(worker);
    this.#waiting.shift()?.();
  }

  #spawn(): PooledWorker {
    const worker = new PooledWorker(this.#entry, (dead) => this.#forget(dead));
    this.#members.add(worker);
    return worker;
  }

  #forget(worker: PooledWorker): void {
    this.#members.delete(worker);
    this.#leased.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  #refuseIfClosed(method: string): void {
    if (this.#closed)
      throw new RatewiseError("worker", {
        in: `WorkerPool.${method}`,
        what: `needs an open pool, got a closed one`,
      });
  }
}
