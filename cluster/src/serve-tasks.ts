import { type Progress, RatewiseError, withEngine } from "@ratewise/core";
import {
  type ErrorRecord,
  enterWorker,
  recordError,
  shareOf,
  type TaskKind,
} from "@ratewise/core/parallel";
import { blobCache } from "./blob-cache.ts";
import { enginesHere } from "./engines-here.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./store.ts";
import { engineOf, readTask, writeResult } from "./task-files.ts";

/** To the process that runs tasks, one at a time. */
export type ToTaskProcess =
  | {
      readonly type: "open";
      readonly store: string;
      readonly cacheFolder?: string;
      readonly cacheBytes?: number;
    }
  | { readonly type: "task"; readonly id: string };

export type FromTaskProcess =
  | { readonly type: "progress"; readonly fraction: number }
  | { readonly type: "notice"; readonly event: string; readonly message: string }
  | { readonly type: "done"; readonly bytes: number; readonly milliseconds: number }
  | { readonly type: "error"; readonly error: ErrorRecord; readonly of: ErrorOrigin };

/** The job was none of ours; the task failed; its result could not be put away. */
export type ErrorOrigin = "refused" | "task" | "store";

const PROGRESS_MS = 500;

/**
 * The body of a process that runs tasks: a process of its own, so that running out of memory or a signal ends one task and nothing else.
 * The list of kinds is closed; a message names a task in the store, never a module, and a task is run only if its content has the hash that is its name.
 */
export function serveTasks(kinds: readonly TaskKind[]): void {
  enterWorker();
  let store: Store | undefined;
  let getBlob: ReturnType<typeof blobCache>;
  const send = (message: FromTaskProcess): void => void process.send?.(message);

  const open = (settings: Extract<ToTaskProcess, { type: "open" }>): void => {
    store = openStore(settings.store, process.env);
    getBlob = blobCache(store, {
      ...(settings.cacheFolder !== undefined && { folder: settings.cacheFolder }),
      ...(settings.cacheBytes !== undefined && { memory: settings.cacheBytes }),
      onFull: ({ message }) => send({ type: "notice", event: "cache-full", message }),
    });
  };

  const run = async (id: string): Promise<FromTaskProcess> => {
    const began = performance.now();
    let of: ErrorOrigin = "store";
    try {
      const task = await readTask(store!, id, getBlob);
      const kind = kinds.find((candidate) => candidate.kind === task.kind);
      if (!kind)
        throw new RatewiseError("unknown-name", {
          what: `there is no task "${task.kind}" here`,
          refused: true,
        });
      of = "task";
      let quietUntil = 0;
      const onProgress = (event: Progress): void => {
        const now = performance.now();
        if (now < quietUntil) return;
        quietUntil = now + PROGRESS_MS;
        send({ type: "progress", fraction: shareOf(event) });
      };
      const perform = () => kind.run(task.payload, { id, onProgress });
      const engine = engineOf(task);
      if (engine === "native") await enginesHere(); // to be looked for; our own kernels are there
      const result = engine === undefined ? await perform() : await withEngine(engine, perform);
      of = "store";
      const bytes = await writeResult(store!, id, result);
      return { type: "done", bytes, milliseconds: performance.now() - began };
    } catch (error) {
      const refused = error instanceof RatewiseError && error.details.refused === true;
      return { type: "error", error: recordError(error), of: refused ? "refused" : of };
    }
  };

  process.on("message", (message: ToTaskProcess) => {
    if (message.type === "open") open(message);
    else void run(message.id).then(send);
  });
  // Ctrl-C and Slurm's SIGTERM reach all processes of a group: what becomes of the task is its worker's to say.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  // Without its worker nobody waits for the task.
  process.on("disconnect", () => process.exit(0));
}
