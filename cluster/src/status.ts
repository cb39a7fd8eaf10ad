import { type AttemptRecord, type FailureRecord, readAttempts } from "./attempt.ts";
import { type DriverRecord, readDriver, readWorkers, type SeenWorker } from "./heartbeat.ts";
import { cancelledName, reportName, runFolder } from "./names.ts";
import { type RunEvent, type RunRecord, readRun } from "./run.ts";
import { type SlurmElements, slurmElements } from "./slurm-elements.ts";
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
  /**
   * waiting: its tasks wait for somebody to begin them; running: a task or the driver is at work; stopped: nothing is, and the driver shows no sign
   * of life, so that `resume` alone goes on.
   */
  readonly state: "running" | "waiting" | "stopped" | "done" | "failed" | "cancelled";
  /** Of all calls so far; a driver that has not ended may ask for more. */
  readonly tasks: {
    readonly asked: number;
    readonly done: number;
    readonly running: number;
    readonly failed: number;
    /** Done before they were asked for: by an earlier run, or before it was resumed. */
    readonly found: number;
  };
  /** Attempts after the first, of tasks that were begun. */
  readonly retries: number;
  readonly retried: readonly RetriedTask[];
  readonly failures: readonly FailureRecord[];
  /**
   * Payloads of the tasks that were given out, each large array once, whether it lay in the store before or not; and the results of those that
   * are done. Neither counts tasks that were found done.
   */
  readonly bytes: { readonly payloads: number; readonly results: number };
  /** Whoever began tasks: workers of a queue, or elements of Slurm's arrays; and the machines they were on. */
  readonly workers: readonly string[];
  readonly hosts: readonly string[];
  readonly driver?: DriverRecord & { readonly alive: boolean };
  /** What Slurm says of its elements, where it can be asked. */
  readonly slurm?: SlurmElements;
  readonly events: readonly RunEvent[];
}

/** How a run ended, as its driver left it. */
export interface RunReport {
  readonly outcome: "done" | "failed";
  readonly message?: string;
  readonly ended: string;
}

/** The state of a run, its tasks, retries, workers and events, as the store shows them now. */
export async function runStatus(store: Store, run: string): Promise<RunStatus> {
  const record = await readRun(store, run);
  const folder = runFolder(run);
  const [batches, failures, events, attempts, report, cancelled, workers, driver] =
    await Promise.all([
      recordsIn<BatchRecord>(store, `${folder}/batches`),
      recordsIn<FailureRecord>(store, `${folder}/failures`),
      recordsIn<RunEvent>(store, `${folder}/events`),
      readAttempts(store, run),
      getRecord<RunReport>(store, reportName(run)),
      store.has(cancelledName(run)),
      readWorkers(store),
      readDriver(store, run),
    ]);
  const slurm =
    record.on === "slurm" && report?.outcome !== "done"
      ? await slurmElements(store, run)
      : undefined;
  const asked = new Set(batches.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  const ended = attempts.filter(({ outcome }) => outcome === "done");
  const done = new Set(ended.map(({ id }) => id));
  const found = new Set(batches.flatMap((batch) => batch.found));
  const running = slurm?.running === 0 ? 0 : runningIn(run, attempts, workers);
  const retried = retriedTasks(attempts);
  const finished = [...asked].filter((id) => done.has(id) || found.has(id)).length;
  const open = asked.size - finished - failures.length;
  const state = stateOf(report, cancelled, {
    atWork: running > 0 || (slurm?.running ?? 0) > 0 || (driver?.alive === true && open <= 0),
    waits: driver?.alive === true || (slurm?.pending ?? 0) > 0,
  });
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
      payloads: sumOf(batches, "payloads") + sumOf(batches, "arrays"),
      results: total(new Map(ended.map(({ id, bytes = 0 }) => [id, bytes]))),
    },
    workers: [...new Set(attempts.map(({ worker }) => worker))],
    hosts: [...new Set(attempts.map(({ host }) => host))],
    ...(driver && !report && { driver }),
    ...(slurm && { slurm }),
    events: [
      ...events,
      ...(report?.message && !cancelled
        ? [{ time: report.ended, event: "ended", message: report.message }]
        : []),
    ],
  };
}

/** A driver that hears of its run's end says that it failed; one that had all results before says that it is done. */
function stateOf(
  report: RunReport | undefined,
  cancelled: boolean,
  { atWork, waits }: { readonly atWork: boolean; readonly waits: boolean },
): RunStatus["state"] {
  if (report?.outcome === "done") return "done";
  if (cancelled) return "cancelled";
  if (report) return report.outcome;
  return atWork ? "running" : waits ? "waiting" : "stopped";
}

/** Bytes of everything that any of the batches names, each once. */
function sumOf(batches: readonly BatchRecord[], of: "payloads" | "arrays"): number {
  return total(new Map(batches.flatMap((batch) => Object.entries(batch[of]))));
}

function total(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Attempts that have begun and not ended, the worker being alive where that is known. */
function runningIn(
  run: string,
  attempts: readonly AttemptRecord[],
  workers: readonly SeenWorker[],
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
  if (outcome === undefined) return `${worker} was cut off: it showed no further sign of life`;
  if (outcome === "cancelled") return `${worker}: the run was cancelled`;
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

/** The jobs that workers refused to run. */
export function readRefusals(store: Store): Promise<RefusalRecord[]> {
  return recordsIn<RefusalRecord>(store, "refusals");
}
