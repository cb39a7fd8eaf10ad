import { version } from "@ratewise/core";
import type { TaskKind } from "@ratewise/core/parallel";
import { openJournal } from "./journal.ts";
import { openSweep } from "./sweep-executor.ts";

/** Options of the commands that sweep, for `parseArgs`. */
export const sweepOptions = {
  link: { type: "string", default: "identity,logistic" },
  rows: { type: "string", default: "3000,10000,30000,100000" },
  seeds: { type: "string", default: "25" },
  /** Cells at once, here or on a cluster; 0 is in this thread. */
  workers: { type: "string", default: "2" },
  on: { type: "string", default: "local" },
  store: { type: "string" },
} as const;

export interface Sweep<Request, Result> {
  readonly requests: readonly Request[];
  /** What tells requests, and their results, apart. */
  readonly identity: (row: Request) => string;
  readonly kind: TaskKind<Request, Result>;
}

/** Computes what a journal lacks, one task a worker, so that what is finished is on disk soon. Gives the rows that were asked for, and all. */
export async function sweep<Request, Result extends Request>(
  { requests, identity, kind }: Sweep<Request, Result>,
  values: { journal: string; workers: string; on: string; store?: string | undefined },
): Promise<{ readonly asked: Result[]; readonly all: readonly Result[] }> {
  const journal = openJournal<Result & { version: string }>(values.journal);
  const done = new Set(journal.rows.map(identity));
  const queue = requests.filter((request) => !done.has(identity(request)));
  const count = queue.length;
  const workers = Number(values.workers);
  const pool = await openSweep({ on: values.on, store: values.store, workers });
  await Promise.all(
    Array.from({ length: Math.max(1, workers) }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [result] =
          workers > 0 ? await pool.run([kind.task(next)]) : [await kind.run(next, { id: "" })];
        journal.add({ ...result, version });
        process.stderr.write(`${count - queue.length}/${count} ${identity(next)}\n`);
      }
    }),
  );
  await pool.close();
  const wanted = new Set(requests.map(identity));
  return { asked: journal.rows.filter((row) => wanted.has(identity(row))), all: journal.rows };
}
