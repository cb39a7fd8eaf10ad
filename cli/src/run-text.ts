import type { RunStatus, StoreStatus } from "@ratewise/cluster";

/** What happened to a run, in a line or a few. */
export function reportLines(status: RunStatus): string[] {
  const { run, tasks, retries, workers } = status;
  const found = tasks.found > 0 ? `, ${tasks.found} of them done before` : "";
  const again = retries > 0 ? `, ${retries} tried again` : "";
  return [
    `run ${run}: ${tasks.done} of ${tasks.asked} tasks done by ${workers.length} ${workers.length === 1 ? "worker" : "workers"}${found}${again}; ${size(status.bytes.payloads)} sent, ${size(status.bytes.results)} came back`,
    ...incidents(status).map((line) => `  ${line}`),
  ];
}

/** The state of one run, for people. */
export function runText(status: RunStatus): string {
  const { run, argv, on, state, began, tasks } = status;
  const lines = [
    `run ${run}: ${state}`,
    `  ratewise ${argv.join(" ")}`,
    `  on ${on}, begun ${began}`,
    `  ${tasks.done} of ${tasks.asked} tasks done, ${tasks.running} running, ${tasks.failed} given up, ${status.retries} tried again`,
    `  ${size(status.bytes.payloads)} sent, ${size(status.bytes.results)} came back`,
    ...incidents(status).map((line) => `  ${line}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** All runs of a store, its workers, and jobs that were refused. */
export function storeText({ runs, workers, refusals }: StoreStatus): string {
  const alive = workers.filter((worker) => worker.alive);
  const lines = runs.map(
    ({ run, state, tasks, argv }) =>
      `${run}  ${state.padEnd(9)}  ${`${tasks.done}/${tasks.asked}`.padStart(9)}  ratewise ${argv.join(" ")}`,
  );
  if (lines.length > 0) lines.unshift("run           state          tasks  command");
  else lines.push("no run yet");
  lines.push(
    "",
    alive.length > 0
      ? "worker  (version, at once, running, done, failed)"
      : "no worker shows a sign of life",
  );
  for (const { worker, version, workers: atOnce, running, done, failed } of alive)
    lines.push(`${worker}  (${version}, ${atOnce}, ${running.length}, ${done}, ${failed})`);
  if (refusals.length > 0) lines.push("", "refused jobs");
  for (const { time, reason, worker } of refusals) lines.push(`${time}  ${reason} (${worker})`);
  return `${lines.join("\n")}\n`;
}

function incidents({ retried, failures, events }: RunStatus): string[] {
  return [
    ...events.map(({ time, message }) => `${time} ${message}`),
    ...retried.map(
      ({ id, kind, attempts, reasons }) =>
        `task ${id.slice(0, 12)} (${kind}) took ${attempts} attempts: ${reasons.join("; ")}`,
    ),
    ...failures.map(
      ({ id, kind, error }) => `task ${id.slice(0, 12)} (${kind}) was given up: ${error.message}`,
    ),
  ];
}

/** "3.2 MB" */
function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let value = bytes;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toPrecision(3)} ${units[unit]}`;
}
