import { runFolder } from "./names.ts";
import { arrayNameOf, slurm } from "./slurm.ts";
import type { ArrayRecord } from "./slurm-dispatcher.ts";
import { getRecord, type Store } from "./store.ts";

/** How many elements of a run's arrays Slurm has in each state. */
export interface SlurmElements {
  readonly pending: number;
  readonly running: number;
  readonly ended: number;
}

/** What Slurm says of a run now; undefined where it cannot be asked, as on a machine without its programs. */
export async function slurmElements(store: Store, run: string): Promise<SlurmElements | undefined> {
  let printed: string;
  try {
    printed = await slurm("squeue", [
      "--noheader",
      "--array",
      "--format=%T",
      `--name=${arrayNameOf(run)}`,
    ]);
  } catch {
    return undefined;
  }
  const states = printed.split("\n").map((line) => line.trim());
  const pending = states.filter((state) => /^(PENDING|CONFIGURING|REQUEUED)$/.test(state)).length;
  const running = states.filter((state) => /^(RUNNING|SUSPENDED|STOPPED)$/.test(state)).length;
  const names = await store.list(`${runFolder(run)}/arrays`);
  const arrays = await Promise.all(names.map((name) => getRecord<ArrayRecord>(store, name)));
  const all = arrays.reduce(
    (sum, array) => sum + (array ? Math.ceil(array.jobs.length / array.perElement) : 0),
    0,
  );
  return { pending, running, ended: Math.max(0, all - pending - running) };
}
