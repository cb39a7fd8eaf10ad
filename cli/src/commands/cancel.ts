import type { Command } from "../command.ts";
import { everywhere, everywhereHelp, parseCommandLine, usageError } from "../options.ts";
import { runText } from "../run-text.ts";
import { storeOption } from "../store-option.ts";

const options = { ...everywhere, store: { type: "string" } } as const;

const help = `usage: ratewise cancel <run> [options]

Ends a run with --on: takes back what nobody has begun, ends what is running. What is finished is kept, and "ratewise resume" goes on from there.

options:
  --store <folder>  where it is kept: a folder or s3://bucket/prefix; default $RATEWISE_STORE
${everywhereHelp}
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
    const { cancelRun, openStore } = await import("@ratewise/cluster");
    const ended = await cancelRun(
      openStore(location, io.environment),
      positionals[0],
      io.environment,
    );
    await io.out(values.json ? `${JSON.stringify(ended)}\n` : runText(ended));
  },
};
