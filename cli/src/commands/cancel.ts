import type { Command } from "../command.ts";
import { parseCommandLine, reporting, reportingHelp, usageError } from "../options/options.ts";
import { storeOption } from "../options/store-option.ts";

const options = { ...reporting, store: { type: "string" } } as const;

const help = `usage: ratewise cancel <run> [options]

Ends a run with --on: takes back what nobody has begun, ends what is running. What is finished is kept, and "ratewise resume" goes on from there.
It needs the user and password of the queue in the environment, as the run did.

options:
  --store <folder>  where it is kept: a folder or s3://bucket/prefix; default $RATEWISE_STORE
${reportingHelp}
examples:
  ratewise cancel 3f9c0a17be42 --store /shared/ratewise
`;

export const cancel: Command = {
  name: "cancel",
  summary: "end a run on a cluster",
  help,
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("cancel", argv, options);
    if (positionals.length !== 1)
      throw usageError("cancel", `needs one run, got ${positionals.length || "none"}`);
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
