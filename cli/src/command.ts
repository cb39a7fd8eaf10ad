import type { Io } from "./io.ts";
import type { CommandName } from "./options/option.ts";

export interface Command {
  readonly name: CommandName;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Usage, options and examples. */
  readonly help: string;
  /** Writes the answer to `io`; throws a RatewiseError for what went wrong. */
  readonly run: (argv: readonly string[], io: Io) => Promise<void>;
}
