import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RatewiseError } from "@ratewise/core";
import type { FromTaskProcess, ToTaskProcess } from "./serve-tasks.ts";

export interface TaskChildSettings {
  readonly store: string;
  readonly cacheFolder?: string;
  readonly cacheBytes?: number;
  /** The compiled module it runs, calling `serveTasks`. Default: our own, with the closed list of kinds. */
  readonly entry?: URL;
  readonly onNotice?: (event: string, message: string) => void;
}

export type ChildEnding = Extract<FromTaskProcess, { type: "done" | "error" }> | Death;

/** How a task's process ended before its task did. */
export type Death =
  | { readonly type: "died"; readonly reason: string }
  /** Its run was cancelled. */
  | { readonly type: "cancelled" };

/**
 * Workers have a process a core. V8 would let each collect its garbage on four more threads, which take the time of a sixth of a task from its
 * neighbours and save it none.
 */
const ONE_THREAD = ["--single-threaded-gc"];

/** A process that runs one task after another. One that dies is replaced at the next task. */
export class TaskChild {
  readonly #settings: TaskChildSettings;
  #process: ChildProcess | undefined;
  #end: ((ending: ChildEnding) => void) | undefined;
  #onProgress: ((fraction: number) => void) | undefined;
  #why: Death | undefined;

  constructor(settings: TaskChildSettings) {
    this.#settings = settings;
  }

  /** Starts the process where there is none. */
  start(): number {
    this.#process ??= this.#fork();
    return this.#process.pid!;
  }

  perform(id: string, onProgress?: (fraction: number) => void): Promise<ChildEnding> {
    this.start();
    this.#onProgress = onProgress;
    return new Promise((resolve) => {
      this.#end = (ending) => {
        this.#end = undefined;
        resolve(ending);
      };
      this.#send({ type: "task", id });
    });
  }

  /** Ends the process and what it does; its task hears `reason`. */
  kill(reason = "it was ended"): void {
    this.#stop({ type: "died", reason });
  }

  /** As {@link kill}, because nobody wants the task any more. */
  cancel(): void {
    this.#stop({ type: "cancelled" });
  }

  #stop(why: Death): void {
    if (!this.#process) return;
    this.#why = why;
    this.#process.kill("SIGKILL");
  }

  #fork(): ChildProcess {
    const { entry = ownEntry(), store, cacheFolder, cacheBytes, onNotice } = this.#settings;
    // No inherited flags, as for worker threads: the entry is compiled code.
    const child = fork(fileURLToPath(entry), [], {
      execArgv: ONE_THREAD,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    child.on("message", (message: FromTaskProcess) => {
      if (message.type === "progress") this.#onProgress?.(message.fraction);
      else if (message.type === "notice") onNotice?.(message.event, message.message);
      else this.#end?.(message);
    });
    const died = (reason: string): void => {
      if (this.#process === child) this.#process = undefined;
      const ending = this.#why ?? { type: "died", reason };
      this.#why = undefined;
      this.#end?.(ending);
    };
    child.on("error", (error) => died(error.message));
    child.on("exit", (code, signal) =>
      died(signal ? `it was ended by ${signal}` : `it ended with code ${code}`),
    );
    this.#process = child;
    this.#send({
      type: "open",
      store,
      ...(cacheFolder !== undefined && { cacheFolder }),
      ...(cacheBytes !== undefined && { cacheBytes }),
    });
    return child;
  }

  #send(message: ToTaskProcess): void {
    // A process that is gone is told of by its exit.
    this.#process?.send(message, () => {});
  }
}

/** task-process.js beside the compiled code; run from source, that of the last build. */
function ownEntry(): URL {
  const compiled = !import.meta.url.endsWith(".ts");
  const entry = new URL(
    compiled ? "./task-process.js" : "../dist/task-process.js",
    import.meta.url,
  );
  if (!existsSync(entry))
    throw new RatewiseError("worker", {
      in: "TaskChild",
      what: `needs ${entry.pathname}, which is not there`,
      advice: "build it with npm run build",
    });
  return entry;
}
