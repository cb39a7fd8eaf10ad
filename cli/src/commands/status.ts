import type { Command } from "../command.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { parseCommandLine, usageError } from "../options/options.ts";
import { storeOption } from "../options/store-option.ts";

const help = `usage: ratewise status [run] [options]

Shows the progress of a run started with --on, and what happened to it. Without a run, it lists the runs of a
store, its workers, and jobs that were refused.

options:
${optionsHelp("status")}
examples:
  ratewise status --store /shared/ratewise
  ratewise status 3f9c0a17be42 --store /shared/ratewise --json
  ratewise status --store /shared/ratewise --serve 9090
`;

export const status: Command = {
  name: "status",
  summary: "show the progress of a run on a cluster",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("status", argv);
    if (positionals.length > 1)
      throw usageError("status", `needs one run or none, got ${positionals.length}`);
    const port = values.serve;
    const location = storeOption("status", values.store, io);
    const { metricsText, openStore, runStatus, runText, serveStatus, storeStatus, storeText } =
      await import("@ratewise/cluster");
    const store = openStore(location, io.environment);
    const [run] = positionals;
    if (port !== undefined) {
      const server = await serveStatus(store, { port });
      io.err(`ratewise: ${server.address} until Ctrl-C`);
      await new Promise<void>((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      });
      return server.close();
    }
    if (run !== undefined) {
      const found = await runStatus(store, run);
      return io.out(values.json ? `${JSON.stringify(found)}\n` : runText(found));
    }
    const all = await storeStatus(store);
    if (values.metrics) return io.out(metricsText(all));
    return io.out(
      values.json ? `${JSON.stringify({ kind: "store-status", ...all })}\n` : storeText(all),
    );
  },
};
