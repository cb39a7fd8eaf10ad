/**
 * One element of a Slurm array: does its share of the tasks, one after another, and ends with 0 when each is done or given up.
 *
 *     node slurm-element.js <store> <array record> [module of the task process]
 */
import { hostname } from "node:os";
import { pathToFileURL } from "node:url";
import { version } from "@ratewise/core";
import { countAttempts } from "./attempt.ts";
import { jsonLog } from "./log.ts";
import { failureName } from "./names.ts";
import { openStore } from "./open-store.ts";
import { ATTEMPTS, checkJob, performTask, recordFailure, recordRefusal } from "./perform.ts";
import { isCancelled } from "./run.ts";
import type { ArrayRecord } from "./slurm-dispatcher.ts";
import { getRecord } from "./store.ts";
import { type Death, TaskChild } from "./task-child.ts";

const [location, arrayName, entry] = process.argv.slice(2);
const element = Number(process.env.SLURM_ARRAY_TASK_ID ?? 0);
const worker = `${hostname().replace(/[^\w-]/g, "-")}-slurm-${process.env.SLURM_ARRAY_JOB_ID ?? process.pid}_${element}`;
const log = jsonLog((line) => process.stdout.write(`${line}\n`), { worker });
const store = openStore(location, process.env);
const array = await getRecord<ArrayRecord>(store, arrayName);
if (!array) {
  log("array-missing", { array: arrayName, store: location });
  process.exit(1);
}
const child = new TaskChild({
  store: location,
  ...(entry !== undefined && { entry: pathToFileURL(entry) }),
  onNotice: (event, message) => log(event, { message }),
});
const { perElement, jobs } = array;
let storeFailed = false;
let ended = false;
process.on("SIGTERM", () => {
  ended = true;
  child.kill();
});
/** Slurm's SIGTERM reaches the task's process too, which may hear it first. */
const meaning = async (death: Death): Promise<Death> => {
  ended ||= death.type === "died" && death.reason.includes("SIGTERM");
  if (!ended) return death;
  return (await isCancelled(store, jobs[0].run))
    ? { type: "cancelled" }
    : { type: "died", reason: "Slurm ended it (its time limit, or scancel)" };
};
for (const data of jobs.slice(element * perElement, (element + 1) * perElement)) {
  let job: ReturnType<typeof checkJob>;
  try {
    job = checkJob(data, version);
  } catch (error) {
    const { message } = error as Error;
    log("job-refused", { message });
    await recordRefusal(store, worker, message, data);
    const { run, id, kind } = data;
    await recordFailure(store, run, { id, kind, error: { message, stack: "" } });
    continue;
  }
  if (ended || (await isCancelled(store, job.run))) break;
  if (await store.has(failureName(job.run, job.id))) continue;
  // Attempts of a process that was killed with this one count too.
  for (let tried = await countAttempts(store, job.run, job.id); tried < ATTEMPTS; tried++) {
    const last = tried + 1 >= ATTEMPTS;
    const verdict = await performTask(job, last, { store, worker, child, log, meaning });
    if (verdict.type === "failed" && !(await store.has(failureName(job.run, job.id))))
      await recordFailure(store, job.run, {
        id: job.id,
        kind: job.kind,
        error: { message: verdict.reason, stack: "" },
      });
    if (ended || verdict.type !== "again") break;
    storeFailed ||= verdict.storeFailed;
  }
}
process.exit(storeFailed && !ended ? 1 : 0);
