import { workerName } from "./names.ts";
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

export async function recordWorker(store: Store, record: WorkerRecord): Promise<void> {
  await putRecord(store, workerName(record.worker), record);
}

export async function readWorkers(store: Store): Promise<(WorkerRecord & { alive: boolean })[]> {
  const names = await store.list("workers");
  const records = await Promise.all(names.map((name) => getRecord<WorkerRecord>(store, name)));
  const now = Date.now();
  return records
    .filter((record) => record !== undefined)
    .map((record) => ({
      ...record,
      alive: record.ended === undefined && now - Date.parse(record.time) < GONE_MS,
    }));
}
