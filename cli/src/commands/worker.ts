import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Command } from "../command.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { parseCommandLine, usageError } from "../options/options.ts";
import { storeOption } from "../options/store-option.ts";

const help = `usage: ratewise worker --on <redis://…|postgres://…> --store <folder> [options]

Takes tasks from a queue and runs them until you stop it. After Ctrl-C it finishes its current tasks, then
exits. It runs only the kinds of tasks it knows, and only for drivers of its own version. It writes its log as
lines of JSON to standard error.

User and password of the queue come from the environment: RATEWISE_REDIS_USERNAME and RATEWISE_REDIS_PASSWORD,
or PGUSER and PGPASSWORD. RATEWISE_CA names a file of further authorities for rediss:// and
sslmode=verify-full.

options:
${optionsHelp("worker")}
examples:
  ratewise worker --on redis://10.0.0.5:6379 --store /shared/ratewise
  ratewise worker --on redis://10.0.0.5:6379 --store /shared/ratewise --pilots 8 --idle 600
`;

export const worker: Command = {
  name: "worker",
  summary: "run tasks from a queue",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("worker", argv);
    if (positionals.length > 0)
      throw usageError("worker", `needs no file, got "${positionals[0]}"`);
    if (values.on === undefined || values.on === "local")
      throw usageError("worker", "needs --on redis://host:6379 or postgres://host:5432/database");
    const { idle, timeout, pilots, status: port, workers: asked } = values;
    const workers = asked ?? availableParallelism();
    const location = storeOption("worker", values.store, io);
    const { jsonLog, openStore, parseEngine, runWorker, serveStatus, submitPilots } = await import(
      "@ratewise/cluster"
    );
    parseEngine(values.on, io.environment);
    const store = openStore(location, io.environment);
    if (pilots !== undefined) {
      const own = argv.filter(
        (word, k) => !/^--pilots(=|$)/.test(word) && argv[k - 1] !== "--pilots",
      );
      const program = fileURLToPath(new URL("../../bin/ratewise.mjs", import.meta.url));
      const command = [process.execPath, program, "worker", ...own];
      const job = await submitPilots(store, pilots, command, asked);
      return io.out(
        values.json
          ? `${JSON.stringify({ kind: "pilots", job, pilots })}\n`
          : `Slurm job ${job} (ratewise-pilot): ${pilots} ${pilots === 1 ? "worker" : "workers"}; scancel ${job} ends them\n`,
      );
    }
    const stop = new AbortController();
    const end = (): void => {
      stop.abort();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
    const log = jsonLog(io.err);
    const server = port === undefined ? undefined : await serveStatus(store, { port });
    if (server) log("status-page", { address: server.address });
    try {
      const record = await runWorker({
        on: values.on,
        store,
        environment: io.environment,
        log,
        workers,
        signal: stop.signal,
        ...(idle !== undefined && { idle: 1000 * idle }),
        ...(timeout !== undefined && { timeout: 1000 * timeout }),
        ...(values.cache !== undefined && { cacheFolder: values.cache }),
      });
      if (values.json) await io.out(`${JSON.stringify({ kind: "worker", ...record })}\n`);
    } finally {
      end();
      await server?.close();
    }
  },
};
