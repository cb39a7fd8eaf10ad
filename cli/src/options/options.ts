import { parseArgs } from "node:util";
import { engine, engineNames, RatewiseError, useEngine } from "@ratewise/core";
import { registerNative } from "@ratewise/native";
import type { Io } from "../io.ts";
import { didYouMean } from "./suggest.ts";

export interface OptionKind {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
}

interface Reporting {
  readonly json: { readonly type: "boolean" };
  readonly debug: { readonly type: "boolean" };
  readonly help: { readonly type: "boolean" };
}

interface Everywhere extends Reporting {
  readonly engine: { readonly type: "string" };
  readonly seed: { readonly type: "string" };
}

/** Taken by commands that compute nothing themselves. */
export const reporting: Reporting = {
  json: { type: "boolean" },
  debug: { type: "boolean" },
  help: { type: "boolean" },
};

const jsonHelp = "  --json            print the result document (JSON) and nothing else\n";
export const debugHelp = "  --debug           print a stack trace when something fails\n";
export const reportingHelp: string = `${jsonHelp}${debugHelp}`;

/** Taken by every command that computes. `--help` and `--debug` are seen to before a command runs. */
export const everywhere: Everywhere = {
  ...reporting,
  engine: { type: "string" },
  seed: { type: "string" },
};

/** The lines about them in a command's help. */
export const everywhereHelp: string = `${jsonHelp}  --seed <integer>  0 to 2^53 − 1, default 1
  --engine <name>   force an engine of the linear algebra: plain, relaxed, native or naive
${debugHelp}`;

export interface CommandLine<Options extends Record<string, OptionKind>> {
  readonly positionals: readonly string[];
  readonly values: {
    readonly [Name in keyof Options]?: Options[Name]["type"] extends "boolean"
      ? boolean
      : Options[Name] extends { readonly multiple: true }
        ? readonly string[]
        : string;
  };
}

/** What was asked for cannot be: exit code 2. */
export function usageError(command: string, message: string): RatewiseError {
  return new RatewiseError("usage", `${command}: ${message} (ratewise ${command} --help)`);
}

/** Splits a command line into options and the rest; an option that is not known names its neighbour. */
export function parseCommandLine<const Options extends Record<string, OptionKind>>(
  command: string,
  argv: readonly string[],
  options: Options,
): CommandLine<Options> {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options }) as CommandLine<Options>;
  } catch (error) {
    const { message } = error as Error;
    const ambiguous = /^Option '(?:-\w, )?(--[^ ']+)[^']*' argument is ambiguous/.exec(
      message,
    )?.[1];
    if (ambiguous !== undefined)
      throw usageError(
        command,
        `${ambiguous} needs a value; write ${ambiguous}=-1 for one that begins with a dash`,
      );
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (unknown === undefined) throw usageError(command, message.split(/\.\s|\n/)[0]);
    const known = Object.keys(options).map((name) => `--${name}`);
    throw usageError(command, `there is no option "${unknown}"${didYouMean(unknown, known)}`);
  }
}

/** A whole number of 0 … 2⁵³ − 1; 1 when none is given. */
export function seedOption(command: string, value: string | undefined): number {
  const seed = value === undefined ? 1 : /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(seed))
    throw usageError(command, `--seed needs a whole number from 0 to 2^53 − 1, got "${value}"`);
  return seed;
}

/** Switches to the engine asked for, and says which one is in use. The system's OpenBLAS is looked for on request only. */
export async function engineOption(command: string, value: string | undefined): Promise<string> {
  if (value === undefined) return engine().name;
  if (value === "native") {
    const { blas, diagnostics } = await registerNative();
    blas?.setThreads(1); // its rounding depends on their number
    const named = process.env.RATEWISE_OPENBLAS ? ", which RATEWISE_OPENBLAS names," : "";
    for (const { path, reason } of diagnostics)
      throw usageError(
        command,
        `--engine: OpenBLAS at ${path}${named} cannot be used (${reason}); leave the option out`,
      );
  }
  const there = engineNames();
  if (there.includes(value)) return useEngine(value).name;
  const near = value === "native" ? "" : didYouMean(value, [...there, "native"]);
  const hint = near || `; there are ${there.join(", ")}`;
  throw usageError(command, `--engine: no engine "${value}" on this machine${hint}`);
}

/**
 * As {@link engineOption} for a command that is linear algebra alone: without the option the system's own
 * library runs where there is one. One that is there but broken is told of, and the kernels run.
 */
export async function linearAlgebraEngine(
  command: string,
  value: string | undefined,
  io: Io,
): Promise<string> {
  if (value !== undefined) return engineOption(command, value);
  const { blas, diagnostics } = await registerNative();
  for (const { message } of diagnostics) io.err(`ratewise: warning: ${message}`);
  return blas ? engineOption(command, "native") : engine().name;
}

/** A finite number above zero, or undefined when none is given. */
export function positiveOption(
  command: string,
  name: string,
  value: string | undefined,
): number | undefined {
  if (value === undefined) return undefined;
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (!(number > 0 && Number.isFinite(number)))
    throw usageError(command, `--${name} needs a number above 0, got "${value}"`);
  return number;
}

/** A whole number above zero, or undefined when none is given. */
export function countOption(
  command: string,
  name: string,
  value: string | undefined,
): number | undefined {
  if (value === undefined) return undefined;
  const count = /^\d+$/.test(value) ? Number(value) : 0;
  if (!(Number.isSafeInteger(count) && count > 0))
    throw usageError(command, `--${name} needs a whole number above 0, got "${value}"`);
  return count;
}

/** A port, 0 for any that is free, or undefined when none is given. */
export function portOption(
  command: string,
  name: string,
  value: string | undefined,
): number | undefined {
  if (value === undefined) return undefined;
  const port = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65_535))
    throw usageError(command, `--${name} needs a port from 0 to 65535, got "${value}"`);
  return port;
}

/** One of `choices`, or undefined when none is given. */
export function choiceOption(
  command: string,
  name: string,
  value: string | undefined,
  choices: readonly string[],
): string | undefined {
  if (value === undefined || choices.includes(value)) return value;
  throw usageError(
    command,
    `--${name} needs ${choices.join(" or ")}, got "${value}"${didYouMean(value, choices)}`,
  );
}
