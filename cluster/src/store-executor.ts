import { randomBytes } from "node:crypto";
import { type Executor, RatewiseError, version } from "@ratewise/core";
import {
  type ErrorRecord,
  type ExecuteOptions,
  type TaskData,
  TaskProgress,
  taskError,
} from "@ratewise/core/parallel";
import { say } from "@ratewise/core/words";
import { counted } from "./amounts.ts";
import { countAttempts, type FailureRecord, whyLost } from "./attempt.ts";
import { Call, type Listener } from "./call.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { EngineWatch } from "./engine-watch.ts";
import { batchName, failureName, stamp } from "./names.ts";
import { ATTEMPTS, type JobData } from "./perform.ts";
import { isCancelled, recordEvent } from "./run.ts";
import { getRecord, putRecord, type Store } from "./store.ts";
import { engineOf, readResult, type SharedArrays, writeTask } from "./task-files.ts";

/** The tasks of one call, on record. */
export interface BatchRecord {
  readonly tasks: readonly { readonly id: string; readonly kind: string }[];
  /** Ids of those done before this call asked. */
  readonly found: readonly string[];
  /** Of the others: bytes of each payload by id, and of each large array, which lies apart, by its hash. */
  readonly payloads: Readonly<Record<string, number>>;
  readonly arrays: Readonly<Record<string, number>>;
}

export interface StoreExecutorOptions {
  readonly store: Store;
  readonly run: string;
  readonly dispatcher: Dispatcher;
  /** Every so often all results are looked for, whatever the engine says, ms. Default 1,000. */
  readonly lookEvery?: number;
  /** And every so often what the engine has of the rest, ms. Default 3,000. */
  readonly inspectEvery?: number;
  readonly watchEngines?: EngineWatch;
}

/**
 * Runs tasks somewhere else: payloads into the store, names to the engine, results from the store. What is there already is not done again, so
 * a driver that died goes on where it was. Nothing depends on hearing from the engine: every hint that is lost is made up for by looking.
 */
export class StoreExecutor implements Executor {
  readonly #options: Required<Omit<StoreExecutorOptions, "watchEngines">> &
    Pick<StoreExecutorOptions, "watchEngines">;
  readonly #listeners = new Set<Listener>();

  constructor(options: StoreExecutorOptions) {
    this.#options = { lookEvery: 1000, inspectEvery: 3000, ...options };
  }

  /** For the dispatcher's events. */
  settled(id: string): void {
    for (const listener of this.#listeners) listener.onSettled(id);
  }

  progressed(id: string, fraction: number): void {
    for (const listener of this.#listeners) listener.onShare(id, fraction);
  }

  async run<Result>(
    tasks: readonly TaskData<Result>[],
    { signal, onProgress }: ExecuteOptions = {},
  ): Promise<Result[]> {
    signal?.throwIfAborted();
    const call = new Call(tasks, new TaskProgress(tasks, onProgress));
    this.#listeners.add(call);
    try {
      await this.#begin(call);
      await this.#await(call, signal);
      return call.results as Result[];
    } finally {
      this.#listeners.delete(call);
    }
  }

  async close(): Promise<void> {
    await this.#options.dispatcher.close();
  }

  /** Looks for results that are there, writes the payloads of the rest, and gives them out. */
  async #begin(call: Call): Promise<void> {
    const { store, run, dispatcher, watchEngines } = this.#options;
    await this.#collect(call, [...call.waiting]);
    await watchEngines?.(call.engines());
    const found = call.ids.filter((id) => !call.waiting.has(id));
    const shared: SharedArrays = { hashes: new WeakMap(), puts: new Map(), bytes: {} };
    const payloads: Record<string, number> = {};
    await someAtOnce([...call.waiting], async (id) => {
      payloads[id] = await writeTask(store, id, call.taskOf(id), shared);
    });
    const batch: BatchRecord = {
      tasks: call.ids.map((id, index) => ({ id, kind: call.tasks[index].kind })),
      found,
      payloads,
      arrays: shared.bytes,
    };
    const name = stamp(Date.now(), randomBytes(4).toString("hex"));
    await putRecord(store, batchName(run, name), batch);
    if (call.waiting.size > 0) await dispatcher.submit(this.#jobs(call, [...call.waiting]));
  }

  async #await(call: Call, signal: AbortSignal | undefined): Promise<void> {
    const { dispatcher, lookEvery, inspectEvery } = this.#options;
    let looked = performance.now();
    let inspected = looked;
    while (call.wanted().length > 0) {
      await call.wait(lookEvery, signal);
      if (signal?.aborted) {
        await dispatcher.withdraw([...call.waiting]);
        signal.throwIfAborted();
      }
      const now = performance.now();
      const all = now - looked >= lookEvery;
      if (all) looked = now;
      const hints = call.hints();
      await this.#collect(call, all ? call.wanted() : hints);
      // A task of which the engine said something, and that has no result, has failed.
      const failed = hints.some((id) => call.waiting.has(id));
      if (now - inspected < inspectEvery && !failed) continue;
      inspected = now;
      await this.#inspect(call);
    }
    if (call.failure) throw call.failure.error;
  }

  /** Takes the results that are there. */
  async #collect(call: Call, ids: readonly string[]): Promise<void> {
    const { store } = this.#options;
    await someAtOnce(ids, async (id) => {
      const result = await readResult(store, id);
      if (result) call.finish(id, result.value);
    });
  }

  async #inspect(call: Call): Promise<void> {
    const { store, run, dispatcher, watchEngines } = this.#options;
    await watchEngines?.(call.engines()).catch(async (error: Error) => {
      await dispatcher.withdraw([...call.waiting]);
      throw error;
    });
    if (await isCancelled(store, run)) {
      await dispatcher.cancel();
      throw new RatewiseError("worker", {
        what: `run ${run} was cancelled`,
        advice: `finished tasks are kept; ratewise resume ${run} continues from there`,
        run,
      });
    }
    const wanted = call.wanted();
    const { lost, failed } = await dispatcher.inspect(wanted);
    if (lost.length + failed.size === 0) return;
    // Between the engine's word and now a result may have come.
    await this.#collect(call, [...lost, ...failed.keys()]);
    for (const [id, reason] of failed) {
      if (!call.waiting.has(id)) continue;
      const failure = await getRecord<FailureRecord>(store, failureName(run, id));
      await this.#fail(call, id, failure?.error ?? { message: reason, stack: "" });
    }
    const again: string[] = [];
    let begun = 0;
    for (const id of lost) {
      if (!call.waiting.has(id)) continue;
      const failure = await getRecord<FailureRecord>(store, failureName(run, id));
      const attempts = await countAttempts(store, run, id);
      if (failure) await this.#fail(call, id, failure.error);
      else if (attempts >= ATTEMPTS)
        await this.#fail(call, id, { message: await whyLost(store, run, id), stack: "" });
      else {
        again.push(id);
        if (attempts > 0) begun++;
      }
    }
    if (again.length === 0) return;
    await recordEvent(
      store,
      run,
      "given-out-again",
      `${counted(again.length, "task")} that no worker had any more ${again.length === 1 ? "was" : "were"} given out again (${begun} of them had been begun)`,
    );
    await dispatcher.submit(this.#jobs(call, again));
  }

  /** The first failure in the order of the tasks counts; what comes after it is not wanted any more. */
  async #fail(call: Call, id: string, error: ErrorRecord): Promise<void> {
    const { store, run, dispatcher } = this.#options;
    const index = call.ids.indexOf(id);
    const attempts = await countAttempts(store, run, id);
    call.fail(index, named(taskError(error, call.tasks[index], index), run, id, attempts));
    const wanted = new Set(call.wanted());
    await dispatcher.withdraw([...call.waiting].filter((other) => !wanted.has(other)));
  }

  #jobs(call: Call, ids: readonly string[]): JobData[] {
    const { run } = this.#options;
    return ids.map((id) => {
      const task = call.taskOf(id);
      const engine = engineOf(task);
      return { format: 1, run, id, kind: task.kind, version, ...(engine && { engine }) };
    });
  }
}

/** Files and buckets answer many as fast as one. */
const AT_ONCE = 8;

async function someAtOnce(
  ids: readonly string[],
  work: (id: string) => Promise<void>,
): Promise<void> {
  const queue = [...ids];
  const hand = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) await work(id);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, ids.length) }, hand));
}

/** The error with the task's name, how often it was tried, and how to go on. */
function named(error: RatewiseError, run: string, id: string, attempts: number): RatewiseError {
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const { task } = error.details as { task: { kind: string; index: number } };
  const { in: refusing } = error.parts;
  const about = refusing === "runTasks" ? "" : ` in task ${task.index} ("${task.kind}")`;
  return new RatewiseError(error.code, {
    ...error.details,
    ...error.parts,
    what: say`${error.reason}${about}, task ${id.slice(0, 12)} after ${tries}`,
    advice: `finished tasks are kept; ratewise resume ${run} continues from there`,
    run,
    id,
    attempts,
  });
}
