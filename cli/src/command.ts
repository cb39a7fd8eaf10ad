import type { Io } from "./io.ts";
import type { OptionKind } from "./options/options.ts";

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Usage, options and examples. */
  readonly help: string;
  /** The options it parses, for completion and for the check that its help names them all. */
  readonly options: Readonly<Record<string, OptionKind>>;
  /** Writes the answer to `io`; throws a RatewiseError for what went wrong. */
  readonly run: (argv: readonly string[], io: Io) => Promise<void>;
}
