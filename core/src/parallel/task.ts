import { RatewiseError } from "../errors.ts";
import type { RunOptions } from "../run.ts";

declare const result: unique symbol;

/**
 * One unit of work as plain data: which function, on what. The payload is what structuredClone takes
 * and a disk or a queue can hold (numbers, text, arrays, plain objects, typed arrays), never code.
 */
export interface TaskData<Result = unknown> {
  readonly kind: string;
  readonly payload: unknown;
  /** Carries the type of the result; never there at run time. */
  readonly [result]?: Result;
}

/** What a task's function is given beside its payload. Long work takes its `signal` and `onProgress`, and refuses its `id`. */
export interface TaskContext extends RunOptions {
  /**
   * {@link taskId} of this task, hashed when first read, so read it before changing the payload. The
   * seed of a task without a key: `fold(keyFromSeed(seed), context.id)`. A task on a large payload is
   * better given a key in it.
   */
  readonly id: string;
}

/** A kind of task: its name and its function. */
export interface TaskKind<Payload = unknown, Result = unknown> {
  readonly kind: string;
  run(payload: Payload, context: TaskContext): Result | Promise<Result>;
  /** The task of this kind on `payload`. */
  task(payload: Payload): TaskData<Result>;
}

const kinds = new Map<string, TaskKind>();

/**
 * Defines what tasks of `kind` do. `run` is pure: its result depends on payload (and id) alone, it
 * draws from a key in the payload or from the id, and it gives its result away (the arrays in it are
 * moved, not copied, so it may not keep them). Write it at the top level of a module, and add the kind
 * to the list in core/src/task-kinds.ts: the lists are closed, and a kind that is not there does not run.
 */
export function defineTask<Payload, Result>(
  kind: string,
  run: (payload: Payload, context: TaskContext) => Result | Promise<Result>,
): TaskKind<Payload, Result> {
  if (kinds.has(kind))
    throw new RatewiseError("domain", {
      in: "defineTask",
      what: `needs a new kind, got "${kind}" again`,
      kind,
    });
  const defined: TaskKind<Payload, Result> = {
    kind,
    run,
    task: (payload) => ({ kind, payload }),
  };
  kinds.set(kind, defined);
  return defined;
}

/** The kind of that name, among all defined here. */
export function taskKind(kind: string): TaskKind {
  const defined = kinds.get(kind);
  if (!defined) throw unknownKind("runTasks", kind, [...kinds.keys()]);
  return defined;
}

export function unknownKind(where: string, kind: string, known: readonly string[]): RatewiseError {
  const list = known.length > 0 ? known.join(", ") : "none";
  return new RatewiseError("unknown-name", {
    in: where,
    what: `needs a defined kind of task (${list}), got "${kind}"`,
    kind,
    known,
  });
}
