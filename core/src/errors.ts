import { didYouMean } from "./words/suggest.ts";
import {
  clause,
  mention,
  mentioned,
  type OptionText,
  placed,
  say,
  type Words,
} from "./words/words.ts";

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

/** What an error says, in parts. The message reads `where: what; advice`. */
export interface ErrorParts {
  /** The function that refused. Programmers want it; whoever has only a file does not. */
  readonly in?: string | undefined;
  /** The place that is wrong: a file and its line, a field, a flag. It takes the place of `in`. */
  readonly at?: string | undefined;
  /** `needs X, got Y`. */
  readonly what: Words;
  /** What to do about it. */
  readonly advice?: Words | undefined;
  /** The option whose value is refused. */
  readonly option?: string | undefined;
}

/** The only error class the library throws: branch on `code`, show `message`, log `details`. */
export class RatewiseError extends Error {
  override readonly name = "RatewiseError";
  readonly code: ErrorCode;
  readonly parts: ErrorParts;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    {
      in: refusing,
      at,
      what,
      advice,
      option,
      cause,
      ...details
    }: ErrorParts & { readonly cause?: unknown } & Readonly<Record<string, unknown>>,
  ) {
    const parts = { in: refusing, at, what, advice, option };
    super(placed(at ?? refusing, reasonOf(parts)), cause === undefined ? {} : { cause });
    this.code = code;
    this.parts = parts;
    this.details = details;
  }

  /** The function, or the place in what it was given, that the error is about. */
  get where(): string | undefined {
    return this.parts.at ?? this.parts.in;
  }

  /** The option whose value was refused. */
  get option(): string | undefined {
    return this.parts.option;
  }

  /** The options that the advice names: with one of them it might have worked. */
  get remedies(): readonly string[] {
    return mentioned(this.parts.advice ?? "");
  }

  /** The message without its place: `what; advice`. */
  get reason(): Words {
    return reasonOf(this.parts);
  }

  /** The message as the reader of a file wants it: without the function, options spoken of in their way. */
  text(optionText: OptionText): string {
    return placed(this.parts.at, this.reason, optionText);
  }

  /** The same error, in `place`: a file, an entry, a field. A place that it had comes after. */
  within(place: string): RatewiseError {
    const { at } = this.parts;
    return this.#with({ at: at === undefined ? place : `${place}: ${at}` });
  }

  /** The same error, refused by the function `name`. */
  inFunction(name: string): RatewiseError {
    return this.#with({ in: name });
  }

  #with(parts: Partial<ErrorParts>): RatewiseError {
    return new RatewiseError(this.code, { ...this.details, ...this.parts, ...parts, cause: this });
  }
}

function reasonOf({ what, advice }: ErrorParts): Words {
  return advice === undefined ? what : say`${what}${clause`; ${advice}`}`;
}

/**
 * Refuses an option that there is none of. Types do so where they are checked; in plain JavaScript a misspelt option would
 * otherwise be left out without a word.
 */
export function refuseUnknown(
  where: string,
  options: object,
  known: Readonly<Record<string, true>>,
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs an object of options, got ${nameOf(options)}`,
    });
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  throw new RatewiseError("unknown-name", {
    in: where,
    what: `needs options of ${names.join(", ")}, got "${unknown}"${didYouMean(unknown, names)}`,
    option: unknown,
  });
}

/** Refuses a value of `option` that is not in its closed list; undefined is the default's. */
export function refuseUnlisted(
  where: string,
  option: string,
  list: readonly string[],
  value: unknown,
): void {
  if (value === undefined || list.includes(value as string)) return;
  const near = typeof value === "string" ? didYouMean(value, list) : "";
  throw new RatewiseError("unknown-name", {
    in: where,
    what: say`needs ${mention(option)} to be ${eitherOf(list)}, got ${nameOf(value)}${near}`,
    option,
    value,
  });
}

/** "a", "b" or "c". */
function eitherOf(list: readonly string[]): string {
  const quoted = list.map((name) => `"${name}"`);
  return quoted.length < 2
    ? quoted.join("")
    : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** What a value of any kind is called in a message: never more than a line. */
export function nameOf(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Promise) return "a promise, which has to be awaited first";
  return "columns" in value ? "a table" : "an object";
}

/** A message names the function, then what it needed, then what came, then what to do. */
export function shapeError(where: string, needed: string, got: string): RatewiseError {
  return new RatewiseError("shape", { in: where, what: `needs ${needed}, got ${got}` });
}
