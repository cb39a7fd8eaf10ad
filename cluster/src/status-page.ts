import { ago, byteSize, counted } from "./amounts.ts";
import type { StoreStatus } from "./metrics.ts";
import type { RunStatus } from "./status.ts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Names in records come from commands and from strangers' jobs. */
function shown(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character]);
}

/** The state of a store as a page that reloads itself every five seconds; no script, nothing from elsewhere. */
export function statusPage({ runs, workers, refusals }: StoreStatus, location: string): string {
  const alive = workers.filter((worker) => worker.alive);
  const seen = workers.filter(({ alive, silent }) => alive || silent);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width">
<title>ratewise: ${counted(runs.length, "run")}, ${counted(alive.length, "worker")}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color-scheme: light dark; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
td.number, th.number { text-align: right; }
code { font-size: 0.9em; overflow-wrap: anywhere; }
progress { width: 8rem; }
</style>
<h1>Runs in <code>${shown(location)}</code></h1>
${table(
  ["run", "command", "state", "tasks", "", "retries", "bytes"],
  runs.toReversed().map(runRow),
  "No run yet.",
)}
<h2>Workers</h2>
${table(
  ["worker", "last seen", "on", "version", "at once", "running", "done", "failed"],
  seen.map((worker) => [
    shown(worker.worker),
    ago(worker.time),
    shown(worker.on),
    shown(worker.version),
    `${worker.workers}`,
    worker.running.map(({ id }) => `<code>${shown(id.slice(0, 12))}</code>`).join(" "),
    `${worker.done}`,
    `${worker.failed}`,
  ]),
  "No worker shows a sign of life.",
)}
<h2>What happened</h2>
${table(
  ["when", "run", "what"],
  runs.flatMap((run) => [
    ...run.events.map(({ time, message }) => [time, run.run, shown(message)]),
    ...run.retried.map(({ id, kind, reasons }) => [
      "",
      run.run,
      `task <code>${id.slice(0, 12)}</code> (${shown(kind)}) was tried again: ${shown(reasons.join("; "))}`,
    ]),
    ...run.failures.map(({ id, kind, error }) => [
      "",
      run.run,
      `task <code>${shown(id.slice(0, 12))}</code> (${shown(kind)}) was given up: ${shown(error.message)}`,
    ]),
  ]),
  "Nothing out of the ordinary.",
)}
<h2>Refused jobs</h2>
${table(
  ["when", "by", "why", "job"],
  refusals.map(({ time, worker, reason, job }) => [
    shown(time),
    shown(worker),
    shown(reason),
    `<code>${shown(job)}</code>`,
  ]),
  "None.",
)}
</html>
`;
}

function runRow({ run, argv, state, slurm, tasks, retries, bytes }: RunStatus): string[] {
  const elements =
    slurm && `Slurm: ${slurm.pending} pending, ${slurm.running} running, ${slurm.ended} ended`;
  return [
    `<code>${run}</code>`,
    `<code>ratewise ${shown(argv.join(" "))}</code>`,
    elements === undefined ? state : `${state}<br>${elements}`,
    `${tasks.done} of ${tasks.asked}`,
    `<progress max="${tasks.asked}" value="${tasks.done}"></progress>`,
    `${retries}`,
    byteSize(bytes.payloads + bytes.results),
  ];
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string {
  if (rows.length === 0) return `<p>${none}</p>`;
  const line = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<table>\n${[line(head, "th"), ...rows.map((row) => line(row, "td"))].join("\n")}\n</table>`;
}
