import type { Command } from "../command.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { parseCommandLine, usageError } from "../options/options.ts";
import { storeOption } from "../options/store-option.ts";

const help = `usage: ratewise cancel <run> [options]

Ends a run that was started with --on. It stops running tasks and takes back tasks that nobody has begun.
Finished tasks are kept, and "ratewise resume" continues from there. It needs the user and password of the
queue in the environment, as the run did.

options:
${optionsHelp("cancel")}
examples:
  ratewise cancel 3f9c0a17be42 --store /shared/ratewise
`;

export const cancel: Command = {
  name: "cancel",
  summary: "end a run on a cluster",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("cancel", argv);
    if (positionals.length !== 1)
      throw usageError(
        "cancel",
        `name one run, as ratewise status lists it, got ${positionals.length || "none"}`,
      );
    const location = storeOption("cancel", values.store, io);
    const { cancelRun, openStore, runText } = await import("@ratewise/cluster");
    const ended = await cancelRun(
      openStore(location, io.environment),
      positionals[0],
      io.environment,
    );
    await io.out(values.json ? `${JSON.stringify(ended)}\n` : runText(ended));
  },
};
