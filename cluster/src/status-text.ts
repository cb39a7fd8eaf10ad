import { ago, byteSize, counted } from "./amounts.ts";
import type { StoreStatus } from "./metrics.ts";
import type { RunStatus } from "./status.ts";

/** What happened to a run, in a line or a few. */
export function reportLines(status: RunStatus): string[] {
  const { run, tasks, retries } = status;
  const found = tasks.found > 0 ? `, ${tasks.found} of them done before` : "";
  const again = retries > 0 ? `, ${retries} tried again` : "";
  return [
    `run ${run}: ${tasks.done} of ${counted(tasks.asked, "task")} done${doers(status)}${found}${again}; ${sent(status)}`,
    ...incidents(status).map((line) => `  ${line}`),
  ];
}

/** The state of one run, for people. */
export function runText(status: RunStatus): string {
  const { run, argv, on, state, began, tasks, retries } = status;
  const lines = [
    `run ${run}: ${state}`,
    `  ratewise ${argv.join(" ")}`,
    `  on ${on}, begun ${began}`,
    `  ${tasks.done} of ${counted(tasks.asked, "task")} done, ${tasks.running} running, ${tasks.failed} given up, ${retries} tried again`,
    ...elementsLine(status),
    `  ${sent(status)}`,
    ...driverLine(status),
    ...incidents(status).map((line) => `  ${line}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** All runs of a store, its workers, and jobs that were refused. */
export function storeText(status: StoreStatus): string {
  const { runs, refusals } = status;
  const lines: string[] = [];
  if (runs.length === 0) lines.push("no run yet");
  else lines.push("run           state          tasks  command");
  for (const run of runs) {
    const share = `${run.tasks.done}/${run.tasks.asked}`;
    lines.push(
      `${run.run}  ${run.state.padEnd(9)}  ${share.padStart(9)}  ratewise ${run.argv.join(" ")}`,
      ...elementsLine(run),
      ...driverLine(run),
    );
  }
  lines.push("", ...workerLines(status));
  if (refusals.length > 0) lines.push("", "refused jobs");
  for (const { time, reason, worker } of refusals) lines.push(`${time}  ${reason} (${worker})`);
  return `${lines.join("\n")}\n`;
}

/** Workers of queues: those that are there, and those that vanished within a day without saying that they end. */
function workerLines({ runs, workers }: StoreStatus): string[] {
  const shown = workers.filter(({ alive, silent }) => alive || silent);
  const slurmAlone = runs.length > 0 && runs.every(({ on }) => on === "slurm");
  if (shown.length === 0)
    return [
      slurmAlone ? "no worker of a queue: Slurm runs these" : "no worker shows a sign of life",
    ];
  const rows = [
    ["worker", "last seen", "version", "at once", "running", "done", "failed"],
    ...shown.map(({ worker, time, version, workers: atOnce, running, done, failed }) => [
      worker,
      ago(time),
      version,
      ...[atOnce, running.length, done, failed].map(String),
    ]),
  ];
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
  return rows.map((row) =>
    row
      .map((cell, k) => cell.padEnd(widths[k]))
      .join("  ")
      .trimEnd(),
  );
}

/** Elements of an array are many on a node, so both are told. */
function doers({ on, workers, hosts }: RunStatus): string {
  if (workers.length === 0) return "";
  if (on !== "slurm") return ` by ${counted(workers.length, "worker")}`;
  return ` by ${counted(workers.length, "element")} of Slurm arrays on ${counted(hosts.length, "node")}`;
}

function sent({ bytes }: RunStatus): string {
  return `${byteSize(bytes.payloads)} sent, ${byteSize(bytes.results)} came back`;
}

function elementsLine({ slurm, state }: RunStatus): string[] {
  if (!slurm || state === "failed") return [];
  const { pending, running, ended } = slurm;
  const all = counted(pending + running + ended, "element");
  return [`  Slurm: ${all}, ${pending} pending, ${running} running, ${ended} ended`];
}

/** A driver that is gone takes up no results. */
function driverLine({ run, driver, state }: RunStatus): string[] {
  if (!driver || driver.alive || state === "cancelled") return [];
  return [
    `  its driver (process ${driver.pid} on ${driver.host}) was last seen ${ago(driver.time)}; ratewise resume ${run} continues`,
  ];
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
