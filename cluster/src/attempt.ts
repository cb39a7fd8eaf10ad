import type { ErrorRecord } from "@ratewise/core/parallel";
import { attemptName, attemptsFolder, resumedName, stamp } from "./names.ts";
import { getRecord, putRecord, type Store } from "./store.ts";

/** One try at one task. Written when it begins and again when it ends: one that never ended was cut off. */
export interface AttemptRecord {
  readonly run: string;
  readonly id: string;
  readonly kind: string;
  readonly worker: string;
  readonly host: string;
  /** Of the worker, and of the process that runs the task. */
  readonly workerPid: number;
  readonly taskPid: number;
  readonly began: string;
  /** Attempts before it that the queue knows of, and how the last of them ended: their own records may be lost with a worker's disk. */
  readonly earlier?: { readonly attempts: number; readonly reason: string };
  readonly ended?: string;
  readonly outcome?: "done" | "failed" | "died" | "cancelled";
  readonly milliseconds?: number;
  readonly bytes?: number;
  readonly error?: string;
}

/** Why a task was given up. */
export interface FailureRecord {
  readonly id: string;
  readonly kind: string;
  readonly error: ErrorRecord;
}

export async function recordAttempt(
  store: Store,
  attempt: string,
  record: AttemptRecord,
): Promise<void> {
  await putRecord(store, attemptName(record.run, record.id, attempt), record);
}

/** All attempts of a run, in the order in which they began. */
export async function readAttempts(store: Store, run: string): Promise<AttemptRecord[]> {
  const names = await store.list(attemptsFolder(run));
  const records = await Promise.all(names.map((name) => getRecord<AttemptRecord>(store, name)));
  return records
    .filter((record) => record !== undefined)
    .sort((a, b) => (a.began < b.began ? -1 : a.began > b.began ? 1 : 0));
}

/** How often a task was begun since the run was last resumed. */
export async function countAttempts(store: Store, run: string, id: string): Promise<number> {
  const { time } = (await getRecord<{ time: number }>(store, resumedName(run))) ?? { time: 0 };
  const since = attemptName(run, id, stamp(time, ""));
  return (await store.list(`${attemptsFolder(run)}/${id}`)).filter((name) => name > since).length;
}

/** What is known of a task that was begun too often and never ended well. */
export async function whyLost(store: Store, run: string, id: string): Promise<string> {
  const name = (await store.list(`${attemptsFolder(run)}/${id}`)).at(-1);
  const last = name === undefined ? undefined : await getRecord<AttemptRecord>(store, name);
  return last?.error ?? "whatever ran it died";
}
