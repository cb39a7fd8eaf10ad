import { type AttemptRecord, type FailureRecord, readAttempts } from "./attempt.ts";
import { readWorkers, type WorkerRecord } from "./heartbeat.ts";
import { cancelledName, reportName, runFolder } from "./names.ts";
import { type RunEvent, type RunRecord, readRun } from "./run.ts";
import { getRecord, type Store } from "./store.ts";
import type { BatchRecord } from "./store-executor.ts";

/** A task that took more than one try, and what went wrong in the others. */
export interface RetriedTask {
  readonly id: string;
  readonly kind: string;
  readonly attempts: number;
  readonly reasons: readonly string[];
}

/** How far a run is, and what happened to it: what `ratewise status RUN --json` prints. */
export interface RunStatus extends RunRecord {
  readonly kind: "run-status";
  readonly state: "running" | "waiting" | "done" | "failed" | "cancelled";
  /** Of all calls so far; a driver that has not ended may ask for more. */
  readonly tasks: {
    readonly asked: number;
    readonly done: number;
    readonly running: number;
    readonly failed: number;
    /** Done before they were asked for: by an earlier run, or before it was resumed. */
    readonly found: number;
  };
  readonly retries: number;
  readonly retried: readonly RetriedTask[];
  readonly failures: readonly FailureRecord[];
  readonly bytes: { readonly payloads: number; readonly results: number };
  readonly workers: readonly string[];
  readonly events: readonly RunEvent[];
}

/** How a run ended, as its driver left it. */
export interface RunReport {
  readonly outcome: "done" | "failed";
  readonly message?: string;
  readonly ended: string;
}

export async function runStatus(store: Store, run: string): Promise<RunStatus> {
  const record = await readRun(store, run);
  const folder = runFolder(run);
  const [batches, failures, events, attempts, report, cancelled, workers] = await Promise.all([
    recordsIn<BatchRecord>(store, `${folder}/batches`),
    recordsIn<FailureRecord>(store, `${folder}/failures`),
    recordsIn<RunEvent>(store, `${folder}/events`),
    readAttempts(store, run),
    getRecord<RunReport>(store, reportName(run)),
    store.has(cancelledName(run)),
    readWorkers(store),
  ]);
  const asked = new Set(batches.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  const done = new Set<string>();
  for (const { id, outcome } of attempts) if (outcome === "done") done.add(id);
  const found = new Set(batches.flatMap((batch) => batch.found));
  const running = runningIn(run, attempts, workers);
  const retried = retriedTasks(attempts);
  const finished = [...asked].filter((id) => done.has(id) || found.has(id)).length;
  // A driver that hears of its run's end says that it failed.
  const state = cancelled
    ? "cancelled"
    : report
      ? report.outcome
      : running > 0
        ? "running"
        : "waiting";
  return {
    kind: "run-status",
    ...record,
    state,
    tasks: {
      asked: asked.size,
      done: finished,
      running,
      failed: failures.length,
      found: found.size,
    },
    retries: retried.reduce((sum, task) => sum + task.attempts - 1, 0),
    retried,
    failures,
    bytes: {
      payloads: batches.reduce((sum, { bytes }) => sum + bytes, 0),
      results: attempts.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    },
    workers: [...new Set(attempts.map(({ worker }) => worker))],
    events: [
      ...events,
      ...(report?.message ? [{ time: report.ended, event: "ended", message: report.message }] : []),
    ],
  };
}

/** Attempts that have begun and not ended, the worker being alive where that is known. */
function runningIn(
  run: string,
  attempts: readonly AttemptRecord[],
  workers: readonly (WorkerRecord & { alive: boolean })[],
): number {
  const gone = new Set(workers.filter(({ alive }) => !alive).map(({ worker }) => worker));
  const latest = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  return [...latest.values()].filter(
    (attempt) => attempt.run === run && !attempt.outcome && !gone.has(attempt.worker),
  ).length;
}

function retriedTasks(attempts: readonly AttemptRecord[]): RetriedTask[] {
  const byTask = new Map<string, AttemptRecord[]>();
  for (const attempt of attempts)
    byTask.set(attempt.id, [...(byTask.get(attempt.id) ?? []), attempt]);
  return [...byTask.values()].flatMap((tries) => {
    const known = tries.map(({ earlier }) => (earlier?.attempts ?? 0) + 1);
    const attempts = Math.max(tries.length, ...known);
    if (attempts === 1) return [];
    const reasons = tries.filter(({ outcome }) => outcome !== "done").map(reasonOf);
    const lost = tries.findLast(({ earlier }) => earlier)?.earlier?.reason;
    if (attempts > tries.length && lost !== undefined) reasons.unshift(lost);
    return [{ id: tries[0].id, kind: tries[0].kind, attempts, reasons }];
  });
}

function reasonOf({ worker, outcome, error }: AttemptRecord): string {
  if (outcome === undefined) return `${worker} was cut off`;
  return `${worker}: ${error ?? outcome}`;
}

async function recordsIn<Record_ extends object>(store: Store, folder: string): Promise<Record_[]> {
  const names = await store.list(folder);
  const records = await Promise.all(names.map((name) => getRecord<Record_>(store, name)));
  return records.filter((record) => record !== undefined);
}

/** Jobs that were none of ours. */
export interface RefusalRecord {
  readonly time: string;
  readonly worker: string;
  readonly reason: string;
  readonly job: string;
}

export function readRefusals(store: Store): Promise<RefusalRecord[]> {
  return recordsIn<RefusalRecord>(store, "refusals");
}
