import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { type ErrorCode, RatewiseError } from "@ratewise/core";
import type { ErrorRecord } from "@ratewise/core/parallel";
import { type AttemptRecord, type FailureRecord, recordAttempt } from "./attempt.ts";
import type { Log } from "./log.ts";
import { failureName, refusalName, resultName, stamp } from "./names.ts";
import { putRecord, type Store } from "./store.ts";
import type { ChildEnding, Death, TaskChild } from "./task-child.ts";

/** How often a task is tried. */
export const ATTEMPTS = 4;

/** A task as queues carry it: names alone. */
export interface JobData {
  readonly format: 1;
  readonly run: string;
  readonly id: string;
  readonly kind: string;
  readonly version: string;
  /** The engine it is to run on, where it says one. */
  readonly engine?: string;
}

export type Verdict =
  | { readonly type: "done"; readonly bytes: number }
  | { readonly type: "cancelled" }
  /** Not worth another try. */
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "again"; readonly reason: string; readonly storeFailed: boolean };

export interface PerformOptions {
  readonly store: Store;
  readonly worker: string;
  readonly child: TaskChild;
  readonly log: Log;
  /** Milliseconds after which a task is ended and tried again. */
  readonly timeout?: number;
  readonly onProgress?: (fraction: number) => void;
  readonly earlier?: AttemptRecord["earlier"];
  /** What the death of the task's process means, where its worker knows better. */
  readonly meaning?: (death: Death) => Promise<Death>;
}

/** Errors of the place rather than of the task: another worker, or a later hour, may do better. */
const OF_THE_PLACE: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode | undefined>([
  undefined,
  "memory",
  "worker",
  "engine",
  "file",
]);

/**
 * One try at one task, on record from beginning to end. A task whose result is there already is done. `last`: no further try will follow,
 * so a failure is final.
 */
export async function performTask(
  job: JobData,
  last: boolean,
  { store, worker, child, log, timeout, onProgress, earlier, meaning }: PerformOptions,
): Promise<Verdict> {
  const { run, id, kind } = job;
  if (await store.has(resultName(id))) return { type: "done", bytes: 0 };
  const fields = { run, task: id.slice(0, 12), kind };
  const attempt = stamp(Date.now(), randomBytes(3).toString("hex"));
  const began: AttemptRecord = {
    run,
    id,
    kind,
    worker,
    host: hostname(),
    workerPid: process.pid,
    taskPid: child.start(),
    began: new Date().toISOString(),
    ...(earlier && { earlier }),
  };
  const noted = (record: AttemptRecord): Promise<void> =>
    // Records tell, results count: one that cannot be written stops no task.
    recordAttempt(store, attempt, record).catch((error: Error) =>
      log("record-lost", { ...fields, message: error.message }),
    );
  await noted(began);
  log("task-began", { ...fields, pid: began.taskPid });
  const timer =
    timeout === undefined
      ? undefined
      : setTimeout(() => child.kill(`it took longer than ${timeout / 1000} s`), timeout);
  const heard = await child.perform(id, onProgress);
  clearTimeout(timer);
  const ended = new Date().toISOString();
  const ending = heard.type === "died" && meaning ? await meaning(heard) : heard;
  if (ending.type === "done") {
    const { bytes, milliseconds } = ending;
    await noted({ ...began, ended, outcome: "done", bytes, milliseconds });
    log("task-done", { ...fields, bytes, milliseconds: Math.round(milliseconds) });
    return { type: "done", bytes };
  }
  if (ending.type === "cancelled") {
    await noted({ ...began, ended, outcome: "cancelled" });
    log("task-cancelled", fields);
    return { type: "cancelled" };
  }
  const error = errorOf(ending, worker);
  const outcome = ending.type === "died" ? "died" : "failed";
  await noted({ ...began, ended, outcome, error: error.message });
  log(`task-${outcome}`, { ...fields, message: error.message });
  if (ending.type === "error" && ending.of === "refused") {
    await recordRefusal(store, worker, error.message, job);
    return { type: "failed", reason: error.message };
  }
  const storeFailed = ending.type === "error" && ending.of === "store";
  const final = last || (!storeFailed && !OF_THE_PLACE.has(error.code));
  if (!final) return { type: "again", reason: error.message, storeFailed };
  await recordFailure(store, run, { id, kind, error });
  return { type: "failed", reason: error.message };
}

function errorOf(
  ending: Extract<ChildEnding, { type: "error" | "died" }>,
  worker: string,
): ErrorRecord {
  if (ending.type === "error") {
    const { error } = ending;
    return error.code === "engine" ? placedRecord(`worker ${worker}`, error) : error;
  }
  return { message: `its process died: ${ending.reason}`, stack: "" };
}

function placedRecord(place: string, error: ErrorRecord): ErrorRecord {
  const { at, ...parts } = error.parts ?? { what: error.message };
  return {
    ...error,
    message: `${place}: ${error.message}`,
    parts: { ...parts, at: at === undefined ? place : `${place}: ${at}` },
  };
}

export async function recordFailure(
  store: Store,
  run: string,
  failure: FailureRecord,
): Promise<void> {
  await putRecord(store, failureName(run, failure.id), failure).catch(() => {});
}

/** A job that was none of ours: what was wrong with it, for `status`. */
export async function recordRefusal(
  store: Store,
  worker: string,
  reason: string,
  job: unknown,
): Promise<void> {
  const time = new Date();
  const name = refusalName(stamp(time.getTime(), randomBytes(4).toString("hex")));
  const shown = (JSON.stringify(job) ?? String(job)).slice(0, 400);
  await putRecord(store, name, { time: time.toISOString(), worker, reason, job: shown }).catch(
    () => {},
  );
}

/** The job as it must be; throws for anything else. */
export function checkJob(data: unknown, version: string): JobData {
  const job = data as Partial<Record<keyof JobData, unknown>> | null;
  const refuse = (why: string): never => {
    throw new RatewiseError("parse", {
      what: `a job ${why} is not a task of ratewise`,
      refused: true,
    });
  };
  if (typeof job !== "object" || job === null) return refuse("that is no object");
  if (job.format !== 1) return refuse("of an unknown format");
  if (typeof job.run !== "string" || !/^[0-9a-f]{12}$/.test(job.run))
    return refuse("without a run");
  if (typeof job.id !== "string" || !/^[0-9a-f]{64}$/.test(job.id)) return refuse("without an id");
  if (typeof job.kind !== "string" || !/^[\w-]{1,80}$/.test(job.kind))
    return refuse("without a kind");
  if (
    job.engine !== undefined &&
    !(typeof job.engine === "string" && /^[\w-]{1,40}$/.test(job.engine))
  )
    return refuse("without the name of an engine");
  if (job.version !== version)
    return refuse(`of version ${JSON.stringify(job.version)} (here it is ${version})`);
  return job as JobData;
}
