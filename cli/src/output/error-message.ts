import * as core from "@ratewise/core";
import * as compute from "@ratewise/core/compute";
import * as data from "@ratewise/core/data";
import * as effects from "@ratewise/core/effects";
import * as evaluate from "@ratewise/core/evaluate";
import * as explain from "@ratewise/core/explain";
import * as importance from "@ratewise/core/importance";
import * as learners from "@ratewise/core/learners";
import * as linalg from "@ratewise/core/linalg";
import * as network from "@ratewise/core/network";
import * as parallel from "@ratewise/core/parallel";
import * as posterior from "@ratewise/core/posterior";
import * as random from "@ratewise/core/random";
import * as rate from "@ratewise/core/rate";
import * as select from "@ratewise/core/select";
import * as simulate from "@ratewise/core/simulate";
import * as stream from "@ratewise/core/stream";
import * as files from "@ratewise/files";

const { RatewiseError } = core;

const functionNames: ReadonlySet<string> = new Set(
  [
    core,
    files,
    data,
    effects,
    evaluate,
    explain,
    importance,
    learners,
    linalg,
    network,
    parallel,
    posterior,
    random,
    rate,
    select,
    simulate,
    stream,
    compute,
  ].flatMap((names: object) => Object.keys(names)),
);

/** What went wrong in one line, without the name of the program before it. */
export function errorMessage(error: unknown): string {
  const { message } = error as Error;
  if (error instanceof RatewiseError)
    return error.code === "usage" ? message : withoutFunctionName(message, error.details.path);
  if (error instanceof RangeError && /allocation|length|too large/i.test(message))
    return `not enough memory (${message})`;
  if ((error as NodeJS.ErrnoException).code === "ENOSPC")
    return "the answer could not be written: the disk is full";
  return `ratewise has a bug (${message}); run again with --debug and report it`;
}

/** The library's messages begin with the function that refused: of use to a programmer, not to whoever has the file. */
function withoutFunctionName(message: string, path: unknown): string {
  if (typeof path === "string" && functionNames.has(path)) return message;
  return message.replace(/(^|: )([a-z][A-Za-z]*): /, (whole, before: string, name: string) =>
    functionNames.has(name) ? before : whole,
  );
}
