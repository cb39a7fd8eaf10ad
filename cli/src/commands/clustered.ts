import { useExecutor } from "@ratewise/core";
import type { Command } from "../command.ts";
import type { Io } from "../io.ts";
import { parseCommandLine } from "../options/options.ts";
import { storeOption } from "../options/store-option.ts";

/**
 * The same command with `--on`: its tasks run where that says. Nothing of its result depends on these options: the record of
 * options leaves them out.
 */
export function clustered(command: Command): Command {
  return {
    ...command,
    run: async (argv, io) => {
      const { values } = parseCommandLine(command.name, argv);
      const { on = "local", store, "tasks-per-job": tasksPerElement } = values;
      if (on === "local") return command.run(argv, io);
      const location = storeOption(command.name, store, io);
      await runOn(on, location, tasksPerElement, [command.name, ...argv], io, () =>
        command.run(argv, io),
      );
    },
  };
}

async function runOn(
  on: string,
  location: string,
  tasksPerElement: number | undefined,
  argv: readonly string[],
  io: Io,
  work: () => Promise<void>,
): Promise<void> {
  const { openClusterRun, openStore, reportLines } = await import("@ratewise/cluster");
  const { RATEWISE_RUN: resume } = io.environment;
  const say = (line: string): void => io.err(`ratewise: ${line}`);
  const { run, executor, finish } = await openClusterRun({
    on,
    store: openStore(location, io.environment),
    environment: io.environment,
    argv,
    folder: process.cwd(),
    ...(resume && { resume }),
    ...(tasksPerElement !== undefined && { tasksPerElement }),
    say,
  });
  const signals = ["SIGINT", "SIGTERM"] as const;
  const interrupted = (signal: NodeJS.Signals): void => {
    say(
      `tasks already sent out keep running. To collect them: ratewise resume ${run}. To stop them: ratewise cancel ${run}.`,
    );
    stopListening();
    process.kill(process.pid, signal);
  };
  const stopListening = (): void => {
    for (const signal of signals) process.off(signal, interrupted);
  };
  for (const signal of signals) process.on(signal, interrupted);
  useExecutor(executor);
  try {
    await work();
    for (const line of reportLines(await finish({ outcome: "done" }))) say(line);
  } catch (error) {
    await finish({ outcome: "failed", message: (error as Error).message }).catch(() => {});
    throw error;
  } finally {
    useExecutor();
    stopListening();
  }
}
