import { randomBytes } from "node:crypto";
import { RatewiseError, version } from "@ratewise/core";
import {
  cancelledName,
  eventName,
  reportName,
  resumedName,
  runFolder,
  runName,
  stamp,
} from "./names.ts";
import { getRecord, putRecord, type Store } from "./store.ts";

/** One command on a cluster, as it is remembered. Holds no credentials. */
export interface RunRecord {
  readonly run: string;
  /** The command and its options, to be given again by `resume`. */
  readonly argv: readonly string[];
  readonly folder: string;
  /** The engine, such as redis://host:6379. */
  readonly on: string;
  readonly version: string;
  readonly began: string;
}

const RUN = /^[0-9a-f]{12}$/;

export function isRun(text: string): boolean {
  return RUN.test(text);
}

export async function createRun(
  store: Store,
  { argv, folder, on }: Pick<RunRecord, "argv" | "folder" | "on">,
): Promise<RunRecord> {
  const record: RunRecord = {
    run: randomBytes(6).toString("hex"),
    argv,
    folder,
    on,
    version,
    began: new Date().toISOString(),
  };
  await putRecord(store, runName(record.run), record);
  return record;
}

/** What was written down when a run began; an error if the store has no such run. */
export async function readRun(store: Store, run: string): Promise<RunRecord> {
  const record = isRun(run) ? await getRecord<RunRecord>(store, runName(run)) : undefined;
  if (!record)
    throw new RatewiseError("unknown-name", {
      what: `there is no run "${run}" in ${store.location}`,
      advice: `ratewise status --store ${store.location} lists them`,
    });
  return record;
}

/** Of all runs, the newest last. */
export async function listRuns(store: Store): Promise<RunRecord[]> {
  const names = (await store.list("runs")).filter((name) => name.endsWith("/run.json"));
  const records = await Promise.all(names.map((name) => getRecord<RunRecord>(store, name)));
  return records
    .filter((record) => record !== undefined)
    .sort((a, b) => (a.began < b.began ? -1 : 1));
}

/** What happened to a run that is not the doing of one task. */
export interface RunEvent {
  readonly time: string;
  readonly event: string;
  readonly message: string;
}

export async function recordEvent(
  store: Store,
  run: string,
  event: string,
  message: string,
): Promise<void> {
  const time = new Date();
  const name = eventName(run, stamp(time.getTime(), randomBytes(4).toString("hex")));
  await putRecord(store, name, { time: time.toISOString(), event, message } satisfies RunEvent);
}

/** Asks everybody to end the run. What is finished stays. */
export async function markCancelled(store: Store, run: string): Promise<void> {
  await putRecord(store, cancelledName(run), { time: new Date().toISOString() });
}

/** Forgets why the run ended: what failed is tried anew. */
export async function markResumed(store: Store, run: string): Promise<void> {
  for (const name of await store.list(`${runFolder(run)}/failures`)) await store.remove(name);
  await store.remove(cancelledName(run));
  await store.remove(reportName(run));
  await putRecord(store, resumedName(run), { time: Date.now() });
  await recordEvent(store, run, "resumed", "the run was taken up again");
}

export function isCancelled(store: Store, run: string): Promise<boolean> {
  return store.has(cancelledName(run));
}
