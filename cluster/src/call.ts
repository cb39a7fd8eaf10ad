import type { RatewiseError } from "@ratewise/core";
import { type TaskData, type TaskProgress, taskId } from "@ratewise/core/parallel";
import { engineOf } from "./task-files.ts";

/** Hears what the engine says of tasks. */
export interface Listener {
  onSettled(id: string): void;
  onShare(id: string, fraction: number): void;
}

/** The tasks of one call of `run`, and how far they are. */
export class Call implements Listener {
  readonly tasks: readonly TaskData[];
  readonly ids: readonly string[];
  readonly results: unknown[];
  /** Ids without a result. */
  readonly waiting: Set<string>;
  failure: { readonly index: number; readonly error: RatewiseError } | undefined;
  readonly #places = new Map<string, number[]>();
  readonly #progress: TaskProgress;
  #hints = new Set<string>();
  #wake = (): void => {};

  constructor(tasks: readonly TaskData[], progress: TaskProgress) {
    this.tasks = tasks;
    this.ids = tasks.map((task) => taskId(task));
    this.results = new Array(tasks.length);
    this.waiting = new Set(this.ids);
    this.#progress = progress;
    for (const [index, id] of this.ids.entries())
      this.#places.set(id, [...(this.#places.get(id) ?? []), index]);
  }

  taskOf(id: string): TaskData {
    return this.tasks[this.#places.get(id)![0]];
  }

  /** Those whose result is still of use: all, or those before the first that failed. */
  wanted(): string[] {
    const end = this.failure?.index ?? this.tasks.length;
    return [...this.waiting].filter((id) => this.#places.get(id)![0] < end);
  }

  /** Names of the engines that those want. */
  engines(): ReadonlySet<string> {
    const engines = this.wanted().map((id) => engineOf(this.taskOf(id)));
    return new Set(engines.filter((engine) => engine !== undefined));
  }

  /** What the engine has said since the last time. */
  hints(): string[] {
    const hints = [...this.#hints].filter((id) => this.waiting.has(id));
    this.#hints = new Set();
    return hints;
  }

  finish(id: string, value: unknown): void {
    if (!this.waiting.delete(id)) return;
    for (const [nth, index] of this.#places.get(id)!.entries()) {
      // A result may be asked for twice; each asker owns its own.
      this.results[index] = nth === 0 ? value : structuredClone(value);
      this.#progress.finish(index);
    }
  }

  fail(index: number, error: RatewiseError): void {
    if (this.failure && this.failure.index <= index) return;
    this.failure = { index, error };
  }

  onSettled(id: string): void {
    if (!this.waiting.has(id)) return;
    this.#hints.add(id);
    this.#wake();
  }

  onShare(id: string, fraction: number): void {
    if (this.waiting.has(id)) this.#progress.advance(this.#places.get(id)![0], fraction);
  }

  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#hints.size > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener("abort", end, { once: true });
      this.#wake = end;
    });
  }
}
