import type { Progress } from "@ratewise/core";
import type { Failure, Method, Methods, Reply, Request } from "./protocol.ts";

export interface Listener {
  readonly onProgress?: (event: Progress) => void;
  readonly onNote?: (line: string) => void;
}

interface Waiting extends Listener {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** What the worker could not do. */
export class Refused extends Error implements Failure {
  readonly remedies: readonly string[];

  constructor({ message, remedies }: Failure) {
    super(message);
    this.remedies = remedies;
  }
}

/** Said when a browser ends a worker: it gives no reason. */
const DIED =
  "the browser ended the computation, most likely because it ran out of memory; use fewer rows or columns, or run the command instead";

/** The page's worker: started when first asked for something, ended in the midst of anything by `stop`. */
export class Engine {
  #worker: Worker | null = null;
  #next = 1;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ready: Promise<unknown>;

  /** @param ready what has to be there before a worker may start. */
  constructor(ready: Promise<unknown>) {
    this.#ready = ready;
  }

  async call<M extends Method>(
    method: M,
    argument: Methods[M]["argument"],
    listener: Listener = {},
  ): Promise<Methods[M]["result"]> {
    await this.#ready;
    this.#worker ??= this.#start();
    const id = this.#next++;
    const request: Request<M> = { id, method, argument };
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { ...listener, resolve, reject });
      worker.postMessage(request);
    });
  }

  /** Ends whatever runs, at once and without asking it. What was asked for rejects with "stopped". */
  stop(): void {
    this.#end(new Error("stopped"));
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker/main.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(new Error(DIED));
    };
    return worker;
  }

  #hear(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    if (reply.type === "progress") waiting.onProgress?.(reply.event);
    else if (reply.type === "note") waiting.onNote?.(reply.line);
    else {
      this.#waiting.delete(reply.id);
      if (reply.type === "failed") waiting.reject(new Refused(reply));
      else waiting.resolve(reply.result as never);
    }
  }

  #end(reason: Error): void {
    this.#worker?.terminate();
    this.#worker = null;
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of all) reject(reason);
  }
}
