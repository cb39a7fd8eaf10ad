import { type ErrorCode, type ErrorParts, RatewiseError } from "../errors.ts";
import type { TaskData } from "./task.ts";

/** An error as data, to cross from a worker. `code` is there when it was a RatewiseError. */
export interface ErrorRecord {
  readonly message: string;
  readonly stack: string;
  readonly code?: ErrorCode;
  readonly parts?: ErrorParts;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An error as plain data, which crosses to another thread or machine. */
export function recordError(error: unknown): ErrorRecord {
  if (error instanceof RatewiseError)
    return {
      message: error.message,
      stack: error.stack ?? "",
      code: error.code,
      parts: error.parts,
      details: cloneable(error.details),
    };
  if (error instanceof Error) return { message: `${error}`, stack: error.stack ?? "" };
  return { message: String(error), stack: "" };
}

/**
 * The error a caller of the run sees: the library's own come back with their code, message and
 * details; any other is code "worker", its message naming the task. The far stack is in `details`.
 */
export function taskError(record: ErrorRecord, task: TaskData, index: number): RatewiseError {
  const details = { ...record.details, task: { kind: task.kind, index }, taskStack: record.stack };
  if (record.code)
    return new RatewiseError(record.code, {
      ...details,
      ...(record.parts ?? { what: record.message }),
    });
  return new RatewiseError("worker", {
    in: "runTasks",
    what: `${describe(task, index)} failed: ${record.message}`,
    ...details,
  });
}

export function deathError(reason: string, task: TaskData, index: number): RatewiseError {
  return new RatewiseError("worker", {
    in: "runTasks",
    what: `the worker running ${describe(task, index)} died: ${reason}`,
    task: { kind: task.kind, index },
  });
}

/** For a payload that cannot be cloned: it holds a function, or an array that was handed over before. */
export function payloadError(error: unknown, task: TaskData, index: number): RatewiseError {
  return new RatewiseError("domain", {
    in: "runTasks",
    what: `${describe(task, index)} needs a payload of plain data: ${recordError(error).message}`,
    task: { kind: task.kind, index },
    cause: error,
  });
}

function describe(task: TaskData, index: number): string {
  return `task ${index} ("${task.kind}")`;
}

function cloneable(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    return structuredClone(details);
  } catch {
    return {};
  }
}
