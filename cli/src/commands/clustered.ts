import { parseArgs } from "node:util";
import { useExecutor } from "@ratewise/core";
import type { Command } from "../command.ts";
import type { Io } from "../io.ts";
import { countOption, everywhereHelp, usageError } from "../options/options.ts";
import { storeOption } from "../options/store-option.ts";

const own = {
  on: { type: "string" },
  store: { type: "string" },
  "tasks-per-job": { type: "string" },
} as const;

type Values = { readonly [Name in keyof typeof own]?: string };

const help = `  --on <where>           train elsewhere: redis://host:6379, postgres://host/database (where "ratewise worker" runs) or
                         slurm; default local. The result is the same
  --store <folder>       with --on: a folder that all machines see, or s3://bucket/prefix; default $RATEWISE_STORE
  --tasks-per-job <n>    with --on slurm: tasks that one element of an array does
`;

/**
 * The same command with `--on`: its tasks run where that says. The command itself does not see these options, so nothing of
 * its result can depend on them.
 */
export function clustered(command: Command): Command {
  return {
    ...command,
    options: { ...command.options, ...own },
    help: command.help.replace(everywhereHelp, `${help}${everywhereHelp}`),
    run: async (argv, io) => {
      const { values, rest } = takeOwn(command, argv);
      const { on = "local", store, "tasks-per-job": perJob } = values;
      const tasksPerElement = countOption(command.name, "tasks-per-job", perJob);
      if (tasksPerElement !== undefined && on !== "slurm")
        throw usageError(command.name, "--tasks-per-job needs --on slurm");
      if (on === "local") {
        if (store !== undefined) throw usageError(command.name, "--store needs --on");
        return command.run(rest, io);
      }
      const location = storeOption(command.name, store, io);
      await runOn(on, location, tasksPerElement, [command.name, ...argv], io, () =>
        command.run(rest, io),
      );
    },
  };
}

/** Our options, and the command line without them. */
function takeOwn(
  { name, options }: Command,
  argv: readonly string[],
): { values: Values; rest: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...options, ...own },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, string> = {};
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== "option" || !Object.hasOwn(own, token.name)) continue;
    if (token.value === undefined) throw usageError(name, `--${token.name} needs a value`);
    values[token.name] = token.value;
    taken.add(token.index);
    if (!token.inlineValue) taken.add(token.index + 1);
  }
  return { values, rest: argv.filter((_, k) => !taken.has(k)) };
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
      `tasks that were given out go on; ratewise resume ${run} takes them up, ratewise cancel ${run} ends them`,
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
