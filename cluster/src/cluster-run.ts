import { type Executor, RatewiseError, version } from "@ratewise/core";
import { type Engine, parseEngine } from "./connection.ts";
import type { Dispatcher, DispatcherEvents } from "./dispatcher.ts";
import { engineWatch } from "./engine-watch.ts";
import { readWorkers, showDriver } from "./heartbeat.ts";
import { reportName } from "./names.ts";
import { type Environment, storeIdentity } from "./open-store.ts";
import { reach } from "./queue.ts";
import { queueDispatcher } from "./queue-dispatcher.ts";
import { queueName } from "./queue-names.ts";
import { createRun, markCancelled, markResumed, readRun, recordEvent } from "./run.ts";
import { maxArraySize } from "./slurm.ts";
import { cancelSlurm, type SlurmOptions, slurmDispatcher } from "./slurm-dispatcher.ts";
import { type RunReport, type RunStatus, runStatus } from "./status.ts";
import { putRecord, type Store } from "./store.ts";
import { StoreExecutor } from "./store-executor.ts";

export interface ClusterRunOptions extends SlurmOptions {
  readonly on: string;
  readonly store: Store;
  readonly environment: Environment;
  /** The command, for `resume`. */
  readonly argv: readonly string[];
  readonly folder: string;
  /** Takes up an old run. */
  readonly resume?: string;
  /** Told what a person should know: the run's name, that no worker is there, that the engine is away. */
  readonly say: (line: string) => void;
  readonly lookEvery?: number;
  readonly inspectEvery?: number;
}

/** A command whose tasks run on a cluster. */
export interface ClusterRun {
  readonly run: string;
  readonly executor: Executor;
  /** Says how it ended; gives what happened to it. */
  finish(report: Omit<RunReport, "ended">): Promise<RunStatus>;
}

const NO_WORKER_MS = 5000;

/** Starts a run on a queue or on Slurm, or continues one, and makes it the executor of this process until it is closed. */
export async function openClusterRun(options: ClusterRunOptions): Promise<ClusterRun> {
  const { on, store, environment, say, resume } = options;
  const engine = parseEngine(on, environment);
  await reachEngine(engine, store);
  const record =
    resume === undefined ? await createRun(store, options) : await readRun(store, resume);
  const { run } = record;
  if (record.version !== version)
    throw new RatewiseError("usage", {
      at: "resume",
      what: `run ${run} was started by version ${record.version}; this is ${version}`,
      advice: "use that version, or start a new run",
    });
  const tell = (event: string, message: string): void => {
    say(message);
    void recordEvent(store, run, event, message).catch(() => {});
  };
  const hideDriver = await showDriver(store, run);
  const end = async (report: Omit<RunReport, "ended">): Promise<void> => {
    hideDriver();
    const ended = new Date().toISOString();
    await putRecord(store, reportName(run), { ...report, ended } satisfies RunReport);
  };
  let executor: StoreExecutor | undefined;
  const dispatcher = await openDispatcher(engine, run, options, {
    onSettled: (id) => executor?.settled(id),
    onProgress: (id, fraction) => executor?.progressed(id, fraction),
    onTrouble: tell,
  }).catch(async (error: Error) => {
    await end({ outcome: "failed", message: error.message });
    throw error;
  });
  if (resume !== undefined) {
    await dispatcher.cancel();
    await markResumed(store, run);
  }
  executor = new StoreExecutor({
    store,
    run,
    dispatcher,
    ...(engine.kind !== "slurm" && {
      watchEngines: engineWatch(store, (line) => tell("engine-missing", line)),
    }),
    ...(options.lookEvery !== undefined && { lookEvery: options.lookEvery }),
    ...(options.inspectEvery !== undefined && { inspectEvery: options.inspectEvery }),
  });
  say(`run ${run} on ${on}, kept in ${store.location}`);
  const watch =
    engine.kind === "slurm"
      ? undefined
      : setTimeout(() => void sayIfAlone(store, on, say).catch(() => {}), NO_WORKER_MS);
  watch?.unref();
  return {
    run,
    executor,
    async finish(report) {
      clearTimeout(watch);
      await end(report);
      await dispatcher.close();
      return runStatus(store, run);
    },
  };
}

/** Throws, with what to do, where the engine does not answer or does not let us in. */
async function reachEngine(engine: Engine, store: Store): Promise<void> {
  if (engine.kind === "slurm") await maxArraySize();
  else await reach(engine, queueName(await storeIdentity(store)));
}

async function openDispatcher(
  engine: Engine,
  run: string,
  options: ClusterRunOptions,
  events: DispatcherEvents,
): Promise<Dispatcher> {
  const { store } = options;
  if (engine.kind === "slurm") return slurmDispatcher(store, run, options, events);
  return queueDispatcher(engine, queueName(await storeIdentity(store)), run, events);
}

/** Tasks without workers wait for ever, which looks like work. */
async function sayIfAlone(store: Store, on: string, say: (line: string) => void): Promise<void> {
  const alive = (await readWorkers(store)).filter((worker) => worker.alive);
  if (alive.some((worker) => worker.version === version)) return;
  const others = new Set(alive.map((worker) => worker.version));
  const old =
    others.size > 0
      ? ` (running workers have version ${[...others].join(", ")}; this is ${version})`
      : "";
  say(
    `no worker has started yet${old}. Start one: ratewise worker --on ${on} --store ${store.location}. If one is running, check that its --store is the same.`,
  );
}

/** Ends a run from anywhere: takes its tasks back, ends those that run, keeps what is finished. */
export async function cancelRun(
  store: Store,
  run: string,
  environment: Environment,
): Promise<RunStatus> {
  const { on } = await readRun(store, run);
  const { state } = await runStatus(store, run);
  if (state === "done" || state === "cancelled")
    throw new RatewiseError("usage", {
      at: "cancel",
      what: `run ${run} ${state === "done" ? "is already done, so it cannot be" : "is already"} cancelled`,
    });
  const engine = parseEngine(on, environment);
  // Before anything is written down: who may not end the run leaves it as it is.
  await reachEngine(engine, store);
  await markCancelled(store, run);
  await recordEvent(store, run, "cancelled", "the run was cancelled");
  if (engine.kind === "slurm") await cancelSlurm(run);
  else {
    const nothing = (): void => {};
    const name = queueName(await storeIdentity(store));
    const dispatcher = await queueDispatcher(engine, name, run, {
      onSettled: nothing,
      onProgress: nothing,
      onTrouble: nothing,
    });
    await dispatcher.cancel();
    await dispatcher.close();
  }
  return runStatus(store, run);
}
