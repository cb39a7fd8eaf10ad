import * as core from "@ratewise/core";
import * as files from "@ratewise/files";

const { RatewiseError } = core;

const functionNames: ReadonlySet<string> = new Set([...Object.keys(core), ...Object.keys(files)]);

/** What went wrong in one line, without the name of the program before it. */
export function errorMessage(error: unknown): string {
  const { message } = error as Error;
  if (error instanceof RatewiseError)
    return error.code === "usage" ? message : withoutFunctionName(message, error.details.path);
  if (error instanceof RangeError && /allocation|length|too large/i.test(message))
    return `not enough memory (${message})`;
  if ((error as NodeJS.ErrnoException).code === "ENOSPC")
    return "the answer could not be written: the disk is full";
  return `something is wrong in ratewise itself (${message}); run again with --debug and report it`;
}

/** The library's messages begin with the function that refused: of use to a programmer, not to whoever has the file. */
function withoutFunctionName(message: string, path: unknown): string {
  if (typeof path === "string" && functionNames.has(path)) return message;
  return message.replace(/(^|: )([a-z][A-Za-z]*): /, (whole, before: string, name: string) =>
    functionNames.has(name) ? before : whole,
  );
}
