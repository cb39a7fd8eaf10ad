import type { RatewiseError } from "@ratewise/core";

/** The error, of `file`; without a name of the file, of the function that was called. */
export function named(error: RatewiseError, caller: string, file?: string): RatewiseError {
  if (error.parts.at !== undefined) return error;
  return file === undefined ? error.inFunction(caller) : error.within(file);
}
