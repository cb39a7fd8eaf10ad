import { parseArgs } from "node:util";
import { engine, engineNames, RatewiseError, useEngine } from "@ratewise/core";
import { didYouMean } from "@ratewise/core/words";
import { registerNative } from "@ratewise/native";
import type { Io } from "../io.ts";
import type { Given } from "./cases.ts";
import { flag, type Kind } from "./kinds.ts";
import type { CommandName, Option } from "./option.ts";
import { optionsOf, parsedOptions, refusal, type Values } from "./table.ts";

export interface CommandLine<Command extends CommandName> {
  readonly positionals: readonly string[];
  /** Read, and with defaults. */
  readonly values: Values<Command>;
  /** As typed. */
  readonly given: Given;
}

/** What was asked for cannot be: exit code 2. */
export function usageError(command: string, message: string): RatewiseError {
  return new RatewiseError("usage", {
    at: command,
    what: `${message} (ratewise ${command} --help)`,
  });
}

/** Reads a command line as the table of options says; what it refuses is a usage error. */
export function parseCommandLine<Command extends CommandName>(
  command: Command,
  argv: readonly string[],
): CommandLine<Command> {
  const options = optionsOf(command);
  const { positionals, values: given } = split(command, argv, options);
  const values: Record<string, unknown> = {};
  for (const option of options) {
    const typed = given[option.name];
    if (typed !== undefined) values[option.name] = readOption(command, option, typed);
    else if (option.default !== undefined) values[option.name] = option.default;
    else if (option.kind === flag) values[option.name] = false;
    else if (option.many) values[option.name] = [];
  }
  const why = refusal(command, given, positionals[0]);
  if (why !== undefined) throw usageError(command, why);
  return { positionals, given, values: values as Values<Command> };
}

function readOption(
  command: CommandName,
  { name, kind }: Option,
  typed: NonNullable<Given[string]>,
): unknown {
  if (typeof typed === "boolean") return typed;
  if (typeof typed !== "string") return typed.map((one) => readAs(command, name, kind, one));
  return readAs(command, name, kind, typed);
}

/** One text as a kind of value. */
export function readAs<T>(command: string, name: string, kind: Kind<T>, typed: string): T {
  const value = kind.read(typed);
  if (value !== undefined) return value;
  throw usageError(
    command,
    `--${name}${kind.wrong?.(typed) ?? ` needs ${kind.needs}, got "${typed}"`}`,
  );
}

/** Splits a command line into options and the rest; an option that is not known names its neighbour. */
function split(
  command: CommandName,
  argv: readonly string[],
  options: readonly Option[],
): { readonly positionals: readonly string[]; readonly values: Given } {
  try {
    const { positionals, values } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: parsedOptions(options),
    });
    return { positionals, values: values as Given };
  } catch (error) {
    const { message } = error as Error;
    const [, name, how] =
      /^Option '(?:-\w, )?(--[^ ']+)[^']*' argument (missing|is ambiguous)/.exec(message) ?? [];
    if (name !== undefined) {
      const dashed = how === "missing" ? "" : `; write ${name}=-1 for one that begins with a dash`;
      throw usageError(command, `${name} needs a value${dashed}`);
    }
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (unknown === undefined) throw usageError(command, message.split(/\.\s|\n/)[0]);
    const names = options.map(({ name }) => `--${name}`);
    throw usageError(command, `there is no option "${unknown}"${didYouMean(unknown, names)}`);
  }
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
  const hint = near || `; choose one of ${there.join(", ")}`;
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
