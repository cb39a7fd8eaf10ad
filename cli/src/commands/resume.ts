import { chdir } from "node:process";
import { RatewiseError } from "@ratewise/core";
import type { Command } from "../command.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { parseCommandLine, usageError } from "../options/options.ts";
import { storeOption } from "../options/store-option.ts";

const help = `usage: ratewise resume <run> [options]

Continues a run that was started with --on and was cancelled, failed, or lost its driver. It gives the same
command again, in the same folder, and keeps every finished task. The result is the same as if nothing had
happened. It needs the user and password of the queue in the environment, as the run did. All other options
are those of the run.

options:
${optionsHelp("resume")}
examples:
  ratewise resume 3f9c0a17be42 --store /shared/ratewise
`;

/** `commands` are those that take --on. */
export function resumeOf(commands: readonly Command[]): Command {
  return {
    name: "resume",
    summary: "continue a run on a cluster",
    help,
    run: async (argv, io) => {
      const { positionals, values } = parseCommandLine("resume", argv);
      if (positionals.length !== 1)
        throw usageError(
          "resume",
          `name one run, as ratewise status lists it, got ${positionals.length || "none"}`,
        );
      const location = storeOption("resume", values.store, io);
      const { openStore, readRun } = await import("@ratewise/cluster");
      const store = openStore(location, io.environment);
      const { run, argv: words, folder } = await readRun(store, positionals[0]);
      const command = commands.find(({ name }) => name === words[0]);
      if (!command)
        throw new RatewiseError("unknown-name", {
          at: "resume",
          what: `there is no command "${words[0]}" to resume`,
        });
      try {
        chdir(folder);
      } catch {
        throw new RatewiseError("file", {
          at: "resume",
          what: `needs the folder ${folder}, where the run was begun`,
        });
      }
      const environment = { ...io.environment, RATEWISE_STORE: store.location, RATEWISE_RUN: run };
      await command.run(words.slice(1), { ...io, environment });
    },
  };
}
