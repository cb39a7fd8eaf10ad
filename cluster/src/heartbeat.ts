import { hostname } from "node:os";
import { driverName, workerName } from "./names.ts";
import { getRecord, putRecord, type Store } from "./store.ts";

/** What a worker says of itself every few seconds. */
export interface WorkerRecord {
  readonly worker: string;
  readonly host: string;
  readonly pid: number;
  readonly on: string;
  readonly version: string;
  readonly engines: readonly string[];
  /** Tasks at once. */
  readonly workers: number;
  readonly running: readonly { readonly run: string; readonly id: string; readonly pid: number }[];
  readonly done: number;
  readonly failed: number;
  readonly bytes: number;
  readonly time: string;
  /** It has ended, and why. */
  readonly ended?: string;
}

/** Between two signs of life, and after how many a worker counts as gone, ms. */
export const BEAT_MS = 5000;
const GONE_MS = 4 * BEAT_MS;
/** Those that vanished are shown for so long. */
const REMEMBERED_MS = 24 * 3600 * 1000;

function within(milliseconds: number, time: string): boolean {
  return Date.now() - Date.parse(time) < milliseconds;
}

/** A worker as others see it. Silent: it showed no sign of life lately, and did not say that it ends. */
export interface SeenWorker extends WorkerRecord {
  readonly alive: boolean;
  readonly silent: boolean;
}

/** The process that gave a run's command. */
export interface DriverRecord {
  readonly host: string;
  readonly pid: number;
  readonly time: string;
}

/** Shows signs of life of a driver until told to stop. */
export async function showDriver(store: Store, run: string): Promise<() => void> {
  const beat = (): Promise<void> => {
    const time = new Date().toISOString();
    const record: DriverRecord = { host: hostname(), pid: process.pid, time };
    return putRecord(store, driverName(run), record).catch(() => {});
  };
  const timer = setInterval(() => void beat(), BEAT_MS);
  timer.unref();
  await beat();
  return () => clearInterval(timer);
}

export async function readDriver(
  store: Store,
  run: string,
): Promise<(DriverRecord & { alive: boolean }) | undefined> {
  const record = await getRecord<DriverRecord>(store, driverName(run));
  return record && { ...record, alive: within(GONE_MS, record.time) };
}

export async function recordWorker(store: Store, record: WorkerRecord): Promise<void> {
  await putRecord(store, workerName(record.worker), record);
}

/** The workers that a store knows, with those that are alive and those that fell silent within the last day. */
export async function readWorkers(store: Store): Promise<SeenWorker[]> {
  const names = await store.list("workers");
  const records = await Promise.all(names.map((name) => getRecord<WorkerRecord>(store, name)));
  return records
    .filter((record) => record !== undefined)
    .map((record) => {
      const stays = record.ended === undefined;
      const alive = stays && within(GONE_MS, record.time);
      return { ...record, alive, silent: stays && !alive && within(REMEMBERED_MS, record.time) };
    });
}
