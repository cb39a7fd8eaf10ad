import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Dispatcher, DispatcherEvents, Inspection } from "./dispatcher.ts";
import { runFolder } from "./names.ts";
import { ATTEMPTS, type JobData } from "./perform.ts";
import { arrayNameOf, livingElements, maxArraySize, quoted, slurm, submitArray } from "./slurm.ts";
import { putRecord, type Store } from "./store.ts";

/** An element costs Slurm about half a second, so there are not more of them than this in an array. */
const ELEMENTS = 200;

export interface SlurmOptions {
  /** Tasks that one element does, one after another. Default: so many that an array has at most 200 elements. */
  readonly tasksPerElement?: number;
  readonly entry?: URL;
}

/** The tasks of one array, on record. */
export interface ArrayRecord {
  readonly jobs: readonly JobData[];
  readonly perElement: number;
}

interface Submitted {
  readonly job: string;
  readonly ids: readonly string[];
  readonly perElement: number;
}

/** Slurm arrays: an element is a process that does some of the tasks and ends. */
export async function slurmDispatcher(
  store: Store,
  run: string,
  { tasksPerElement, entry }: SlurmOptions,
  { onTrouble }: DispatcherEvents,
): Promise<Dispatcher> {
  const most = Math.min(await maxArraySize(), 100_000);
  // Of a bucket the logs stay where sbatch was called.
  const logs = store.location.startsWith("s3://")
    ? join(tmpdir(), `ratewise-${run}`)
    : join(store.location, runFolder(run), "logs");
  await mkdir(logs, { recursive: true });
  const submitted: Submitted[] = [];
  let away = false;

  const submitOne = async (jobs: readonly JobData[], perElement: number): Promise<void> => {
    const array = randomBytes(4).toString("hex");
    const name = `${runFolder(run)}/arrays/${array}.json`;
    await putRecord(store, name, { jobs, perElement } satisfies ArrayRecord);
    const job = await submitArray({
      name: arrayNameOf(run),
      elements: Math.ceil(jobs.length / perElement),
      output: join(logs, "%A_%a.log"),
      script: scriptOf(store.location, name, entry),
    }).catch(async (error: Error) => {
      await store.remove(name);
      throw error;
    });
    submitted.push({ job, ids: jobs.map(({ id }) => id), perElement });
  };

  return {
    async submit(jobs) {
      const perElement = tasksPerElement ?? Math.ceil(jobs.length / ELEMENTS);
      const atOnce = most * perElement;
      for (let from = 0; from < jobs.length; from += atOnce)
        await submitOne(jobs.slice(from, from + atOnce), perElement);
    },
    async inspect(ids): Promise<Inspection> {
      const wanted = new Set(ids);
      const concerned = submitted.filter((array) => array.ids.some((id) => wanted.has(id)));
      let living: Set<string>;
      try {
        living = await livingElements(concerned.map(({ job }) => job));
        if (away) onTrouble("engine-back", "Slurm answers again");
        away = false;
      } catch (error) {
        if (!away) onTrouble("engine-away", (error as Error).message);
        away = true;
        return { lost: [], failed: new Map() };
      }
      const held = new Set<string>();
      for (const { job, ids: own, perElement } of concerned)
        for (const [k, id] of own.entries())
          if (living.has(`${job}_${Math.floor(k / perElement)}`)) held.add(id);
      return { lost: ids.filter((id) => !held.has(id)), failed: new Map() };
    },
    // An element's tasks cannot be told apart by Slurm: what is not wanted any more is let go with the rest of the run.
    withdraw: async () => {},
    cancel: () => cancelSlurm(run),
    close: async () => {},
  };
}

export async function cancelSlurm(run: string): Promise<void> {
  await slurm("scancel", ["--quiet", `--name=${arrayNameOf(run)}`]);
}

/**
 * Death of the process is made up for here, death of the machine by Slurm, which queues the element again. A time limit and `scancel` send SIGTERM
 * some seconds before SIGKILL: the trap lets the element say so on record before the script ends.
 */
function scriptOf(store: string, array: string, entry: URL | undefined): string {
  const compiled = !import.meta.url.endsWith(".ts");
  const program = new URL(
    compiled ? "./slurm-element.js" : "../dist/slurm-element.js",
    import.meta.url,
  );
  const words = [process.execPath, fileURLToPath(program), store, array];
  if (entry) words.push(fileURLToPath(entry));
  return `#!/bin/sh
trap 'exit 143' TERM
for attempt in ${Array.from({ length: ATTEMPTS }, (_, k) => k + 1).join(" ")}; do
  ${words.map(quoted).join(" ")} && exit 0
done
exit 1
`;
}
