import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { RatewiseError, version } from "@ratewise/core";
import type { Job } from "bullmq";
import { queueClient } from "./clients.ts";
import { parseEngine } from "./connection.ts";
import { enginesHere } from "./engines-here.ts";
import { BEAT_MS, recordWorker, type WorkerRecord } from "./heartbeat.ts";
import type { Log } from "./log.ts";
import { type Environment, storeIdentity } from "./open-store.ts";
import { checkJob, type JobData, performTask, recordRefusal } from "./perform.ts";
import { openWorker, reach } from "./queue.ts";
import { queueName } from "./queue-names.ts";
import { isCancelled } from "./run.ts";
import type { Store } from "./store.ts";
import { TaskChild } from "./task-child.ts";

export interface WorkerSettings {
  readonly on: string;
  readonly store: Store;
  readonly environment: Environment;
  readonly log: Log;
  /** Tasks at once, each in a process of its own. Default 1. */
  readonly workers?: number;
  /** Ends the worker: it takes no more tasks, and returns when those it has are over. */
  readonly signal?: AbortSignal;
  /** Ends the worker when there was nothing to do for so long, ms. */
  readonly idle?: number;
  /** A task that takes longer is ended and tried again, ms. */
  readonly timeout?: number;
  readonly cacheFolder?: string;
  /** Without a sign of life for so long a worker's task is given to another, ms. Default 15,000. */
  readonly lock?: number;
  /** The module of the processes that run tasks; for tests, with kinds of their own. */
  readonly entry?: URL;
}

const LOCK_MS = 15_000;
/** A task that wants an engine that is not here is not looked at again for so long. */
const ELSEWHERE_MS = 3000;
/** A worker may lose its task so often (its machine died, not the task's process) before the task is given up. */
const STALLED = 5;

/**
 * Takes tasks from a queue until told to end. This process only talks to the queue and the store, so that its signs of life come on time however
 * busy the tasks are; they run in processes of their own.
 */
export async function runWorker(settings: WorkerSettings): Promise<WorkerRecord> {
  const { on, store, environment, workers = 1, signal, idle, lock = LOCK_MS } = settings;
  const engine = parseEngine(on, environment);
  if (engine.kind === "slurm")
    throw new RatewiseError("usage", {
      at: "worker",
      what: "needs a queue (redis://… or postgres://…), got slurm, which starts its own",
      advice: "--pilots starts workers of a queue as Slurm jobs",
    });
  const { DelayedError, UnrecoverableError } = await queueClient(engine);
  const queueOf = queueName(await storeIdentity(store));
  await reach(engine, queueOf);
  const name = `${hostname().replace(/[^\w-]/g, "-")}-${process.pid}-${randomBytes(2).toString("hex")}`;
  const log: Log = (event, fields) => settings.log(event, { worker: name, ...fields });
  const engines = await enginesHere();
  const crew = Array.from({ length: workers }, () => childOf(settings, log));
  const running = new Map<TaskChild, JobData>();
  const counts = { done: 0, failed: 0, bytes: 0 };
  let lastWork = performance.now();
  let end = (_why: string): void => {};
  const ending = new Promise<string>((resolve) => {
    end = resolve;
  });

  const take = async (job: Job<JobData>, token?: string): Promise<unknown> => {
    lastWork = performance.now();
    let data: JobData;
    try {
      data = checkJob(job.data, version);
    } catch (error) {
      const { message } = error as Error;
      log("job-refused", { job: job.id, message });
      await recordRefusal(store, name, message, job.data);
      throw new UnrecoverableError(message);
    }
    if (await isCancelled(store, data.run)) throw new UnrecoverableError("the run was cancelled");
    if (data.engine !== undefined && !engines.includes(data.engine)) {
      const { run, id, kind, engine } = data;
      log("engine-missing", { run, task: id.slice(0, 12), kind, engine, engines });
      await job.moveToDelayed(Date.now() + ELSEWHERE_MS, token);
      throw new DelayedError(`there is no engine "${engine}" here`);
    }
    const child = crew.find((candidate) => !running.has(candidate))!;
    running.set(child, data);
    try {
      const last = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
      const verdict = await performTask(data, last, {
        store,
        worker: name,
        child,
        log,
        ...(settings.timeout !== undefined && { timeout: settings.timeout }),
        ...(job.attemptsMade > 0 && {
          earlier: { attempts: job.attemptsMade, reason: job.failedReason ?? "it was cut off" },
        }),
        onProgress: (fraction) => void job.updateProgress(fraction).catch(() => {}),
      });
      if (verdict.type === "done") {
        counts.done++;
        counts.bytes += verdict.bytes;
        return verdict.bytes;
      }
      if (verdict.type === "cancelled") throw new UnrecoverableError("the run was cancelled");
      counts.failed++;
      if (verdict.type === "failed") throw new UnrecoverableError(verdict.reason);
      // Whoever cannot put results away had better leave the tasks to others.
      if (verdict.storeFailed) end(`results cannot be stored: ${verdict.reason}`);
      throw new Error(verdict.reason);
    } finally {
      running.delete(child);
      lastWork = performance.now();
    }
  };

  // Loading the program takes a second, which the first task need not wait for.
  for (const child of crew) child.start();
  const queueWorker = await openWorker(engine, queueOf, take, {
    concurrency: workers,
    lockDuration: lock,
    stalledInterval: lock / 2,
    maxStalledCount: STALLED,
    name,
  });
  queueWorker.on("error", (error) => log("engine-trouble", { message: error.message }));
  queueWorker.on("stalled", (job) => log("task-taken-back", { job }));

  const record = (): WorkerRecord => ({
    worker: name,
    host: hostname(),
    pid: process.pid,
    on,
    version,
    engines,
    workers,
    running: [...running].map(([child, { run, id }]) => ({ run, id, pid: child.start() })),
    ...counts,
    time: new Date().toISOString(),
  });
  const beat = async (): Promise<void> => {
    for (const [child, { run }] of running) if (await isCancelled(store, run)) child.cancel();
    if (running.size > 0) lastWork = performance.now();
    await recordWorker(store, record());
    if (idle !== undefined && performance.now() - lastWork > idle) end("there was nothing to do");
  };
  const timer = setInterval(
    () => void beat().catch((error: Error) => log("record-lost", { message: error.message })),
    Math.min(BEAT_MS, idle ?? BEAT_MS),
  );
  const stop = (): void => end("it was asked to stop");
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  await beat();
  log("worker-began", { on, store: store.location, workers, version, pid: process.pid });
  const why = await ending;
  clearInterval(timer);
  signal?.removeEventListener("abort", stop);
  await queueWorker.close();
  for (const child of crew) child.kill();
  const last = { ...record(), running: [], ended: why };
  await recordWorker(store, last).catch(() => {});
  log("worker-ended", { why, ...counts });
  return last;
}

function childOf({ store, cacheFolder, entry }: WorkerSettings, log: Log): TaskChild {
  return new TaskChild({
    store: store.location,
    ...(cacheFolder !== undefined && { cacheFolder }),
    ...(entry && { entry }),
    onNotice: (event, message) => log(event, { message }),
  });
}
