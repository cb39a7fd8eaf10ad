import type { Losses, Progress, RunOptions } from "../run.ts";
import type { TaskData } from "./task.ts";

/** Adds up tasks that are finished and the shares of those that run; never goes back. */
export class TaskProgress {
  readonly #tasks: readonly TaskData[];
  readonly #onProgress: RunOptions["onProgress"];
  readonly #shares = new Map<number, number>();
  #finished = 0;
  #done = 0;

  constructor(tasks: readonly TaskData[], onProgress: RunOptions["onProgress"]) {
    this.#tasks = tasks;
    this.#onProgress = onProgress;
  }

  advance(index: number, share: number, losses?: Losses): void {
    this.#shares.set(index, Math.max(share, this.#shares.get(index) ?? 0));
    this.#report(index, losses && { ...losses, task: { index, share } });
  }

  finish(index: number): void {
    this.#shares.delete(index);
    this.#finished++;
    this.#report(index);
  }

  #report(index: number, trained: Partial<Progress> = {}): void {
    let done = this.#finished;
    for (const share of this.#shares.values()) done += share;
    this.#done = Math.max(done, this.#done);
    this.#onProgress?.({
      phase: this.#tasks[index].kind,
      done: this.#done,
      total: this.#tasks.length,
      ...trained,
    });
  }
}

/** What an event says of a network in training; undefined where it says nothing. */
export function lossesOf({ loss, validationLoss }: Progress): Losses | undefined {
  if (loss === undefined) return undefined;
  return { loss, ...(validationLoss !== undefined && { validationLoss }) };
}

/** The share of a task that an event of its own stands for. */
export function shareOf({ done, total }: Progress): number {
  return total > 0 ? Math.min(Math.max(done / total, 0), 1) : 0;
}
