/** Every failure a caller may want to branch on. Add a code, never a new class. */
export type ErrorCode =
  /** Sizes of two inputs disagree. */
  | "shape"
  /** A number outside the range where the function is defined: NaN, a negative variance, an empty group. */
  | "domain"
  /** A matrix that had to be positive definite is not. */
  | "not-positive-definite"
  /** An iteration did not converge. */
  | "not-converged"
  /** Bytes that are not what their format says. */
  | "parse"
  /** A name that is not there: a column, a group's member, a variant, a task. */
  | "unknown-name"
  /** More memory than there is, or than the caller allowed. */
  | "memory"
  /** A worker died or could not be started. */
  | "worker"
  /** An engine that was asked for is not to be had on this machine. */
  | "engine"
  /** A file that cannot be read or written. */
  | "file"
  /** A command line that asks for nothing that can be done. */
  | "usage";

/** The only error class the library throws: branch on `code`, show `message`, log `details`. */
export class RatewiseError extends Error {
  override readonly name = "RatewiseError";
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    details: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/**
 * Says which option there is none of. Types do so where they are checked; in plain JavaScript a misspelt option would
 * otherwise be left out without a word.
 */
export function refuseUnknown(
  where: string,
  options: object,
  known: Readonly<Record<string, true>>,
): void {
  if (typeof options !== "object" || options === null)
    throw new RatewiseError("domain", `${where}: needs an object of options, got ${options}`);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    throw new RatewiseError(
      "unknown-name",
      `${where}: needs options of ${Object.keys(known).join(", ")}, got "${unknown}"`,
      { option: unknown },
    );
}

/** A message names the function, then what it needed, then what came, then what to do. */
export function shapeError(where: string, needed: string, got: string): RatewiseError {
  return new RatewiseError("shape", `${where}: needs ${needed}, got ${got}`, {
    where,
    needed,
    got,
  });
}
