import { readWorkers, type SeenWorker } from "./heartbeat.ts";
import { listRuns } from "./run.ts";
import { type RefusalRecord, type RunStatus, readRefusals, runStatus } from "./status.ts";
import type { Store } from "./store.ts";

/** Everything there is to say about a store. */
export interface StoreStatus {
  readonly runs: readonly RunStatus[];
  readonly workers: readonly SeenWorker[];
  readonly refusals: readonly RefusalRecord[];
}

/** The newest `most` runs, all workers, all refusals. */
export async function storeStatus(store: Store, most = 20): Promise<StoreStatus> {
  const runs = (await listRuns(store)).slice(-most);
  return {
    runs: await Promise.all(runs.map(({ run }) => runStatus(store, run))),
    workers: await readWorkers(store),
    refusals: await readRefusals(store),
  };
}

/** Prometheus' text format, version 0.0.4. */
export function metricsText({ runs, workers, refusals }: StoreStatus): string {
  const lines: string[] = [];
  const metric = (
    name: string,
    type: "gauge" | "counter",
    help: string,
    values: readonly (readonly [string, number])[],
  ): void => {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const [labels, value] of values) lines.push(`${name}${labels} ${value}`);
  };
  const states = ["asked", "done", "running", "failed", "found"] as const;
  metric(
    "ratewise_tasks",
    "gauge",
    "Tasks of a run by state.",
    runs.flatMap(({ run, tasks }) =>
      states.map((state) => [`{run="${run}",state="${state}"}`, tasks[state]] as const),
    ),
  );
  metric(
    "ratewise_task_retries_total",
    "counter",
    "Attempts after the first.",
    runs.map(({ run, retries }) => [`{run="${run}"}`, retries] as const),
  );
  metric(
    "ratewise_bytes_total",
    "counter",
    "Bytes of payloads and results.",
    runs.flatMap(({ run, bytes }) => [
      [`{run="${run}",of="payloads"}`, bytes.payloads] as const,
      [`{run="${run}",of="results"}`, bytes.results] as const,
    ]),
  );
  metric("ratewise_workers", "gauge", "Workers that show signs of life.", [
    ["", workers.filter(({ alive }) => alive).length],
  ]);
  metric("ratewise_jobs_refused_total", "counter", "Jobs that were not tasks of ratewise.", [
    ["", refusals.length],
  ]);
  return `${lines.join("\n")}\n`;
}
