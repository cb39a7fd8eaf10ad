import { RatewiseError } from "@ratewise/core";
import { usageError } from "./options.ts";

/** The one table that a command is about. */
export function onePath(command: string, positionals: readonly string[]): string {
  if (positionals.length !== 1)
    throw usageError(
      command,
      `needs one table, got ${positionals.length === 0 ? "none" : positionals.length}`,
    );
  return positionals[0];
}

/** Errors of the data name the file; those of a worker, an engine or a store are not the file's. */
export async function naming<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof RatewiseError) || error.parts.at !== undefined) throw error;
    const { code, details } = error;
    if (code === "worker" || code === "engine" || details.store !== undefined) throw error;
    throw error.within(path);
  }
}
