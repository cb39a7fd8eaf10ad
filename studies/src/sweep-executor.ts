import { type Executor, engine } from "@ratewise/core";
import { executorInUse, type TaskData, WorkerPool } from "@ratewise/core/parallel";

export interface SweepPlace {
  /** `local`, or what `--on` of the command takes. */
  readonly on: string;
  readonly store: string | undefined;
  /** Cells under way at once. */
  readonly workers: number;
}

/** Where the cells of a sweep run: on threads of this process, or on a cluster, which a command with `--on` has already. */
export async function openSweep({ on, store, workers }: SweepPlace): Promise<Executor> {
  const elsewhere = on === "local" ? executorInUse() : undefined;
  if (elsewhere)
    return {
      run: (tasks, options) => elsewhere.run(tasks.map(onOurEngine), options),
      close: async () => {}, // it is the command's
    };
  if (on === "local")
    return new WorkerPool({ size: workers, entry: new URL("./worker.js", import.meta.url) });
  const { openClusterRun, openStore } = await import("@ratewise/cluster");
  const location = store ?? process.env.RATEWISE_STORE;
  if (!location) throw new Error("--on needs --store, or RATEWISE_STORE in the environment");
  const { executor, finish } = await openClusterRun({
    on,
    store: openStore(location, process.env),
    environment: process.env,
    argv: process.argv.slice(1),
    folder: process.cwd(),
    say: (line) => process.stderr.write(`${line}\n`),
  });
  return {
    run: (tasks, options) => executor.run(tasks.map(onOurEngine), options),
    close: async () => void (await finish({ outcome: "done" })),
  };
}

/** The task with our engine in its payload: a worker would otherwise take the best it has. */
function onOurEngine<Result>({ kind, payload }: TaskData<Result>): TaskData<Result> {
  return { kind, payload: { ...(payload as object), engine: engine().name } };
}
