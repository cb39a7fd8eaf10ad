import { RatewiseError, version } from "@ratewise/core";
import { didYouMean } from "@ratewise/core/words";
import type { Command } from "./command.ts";
import { app } from "./commands/app.ts";
import { cancel } from "./commands/cancel.ts";
import { clustered } from "./commands/clustered.ts";
import { compare } from "./commands/compare.ts";
import { completionOf } from "./commands/completion.ts";
import { data } from "./commands/data.ts";
import { demo } from "./commands/demo.ts";
import { engines } from "./commands/engines.ts";
import { explain } from "./commands/explain.ts";
import { inspect } from "./commands/inspect.ts";
import { model } from "./commands/model.ts";
import { power } from "./commands/power.ts";
import { predict } from "./commands/predict.ts";
import { rank } from "./commands/rank.ts";
import { resumeOf } from "./commands/resume.ts";
import { saliency } from "./commands/saliency.ts";
import { status } from "./commands/status.ts";
import { stream } from "./commands/stream.ts";
import { study } from "./commands/study.ts";
import { worker } from "./commands/worker.ts";
import type { Io } from "./io.ts";
import { layoutHelp } from "./options/help-layout.ts";
import { errorMessage } from "./output/error-message.ts";
import { printable } from "./output/printable.ts";

/** 0 done, 1 the data or the numbers failed, 2 the command line was wrong. */
export type ExitCode = 0 | 1 | 2;

/** Those whose tasks may run elsewhere. */
const onClusters = {
  explain: clustered(explain),
  power: clustered(power),
  compare: clustered(compare),
  study: clustered(study),
};

const working: readonly Command[] = [
  inspect,
  onClusters.explain,
  stream,
  onClusters.power,
  onClusters.compare,
  predict,
  saliency,
  model,
  rank,
  engines,
  demo,
  onClusters.study,
  data,
  app,
  worker,
  status,
  resumeOf(Object.values(onClusters)),
  cancel,
];

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [...working, completionOf(working)];

const help = `ratewise ${version}: which inputs of a neural network matter, how sure the answer is, and whether to trust it

usage: ratewise <command> [options]

commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(10)}  ${summary}`).join("\n")}

  ratewise <command> --help    how to use it, with examples
  ratewise --version           the version

examples:
  ratewise demo
  ratewise inspect table.csv --target y
  ratewise explain table.csv --target y --out result
  ratewise rank posterior.npz --groups genes.csv
`;

/** Runs one command line. Everything that can go wrong with it ends in a line on stderr and a code. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<ExitCode> {
  const debug = argv.includes("--debug");
  // Here once for all: names from files and command lines stand in nearly every message.
  const err = (line: string): void => io.err(printable(line));
  try {
    await dispatch(argv, { ...io, err });
    return 0;
  } catch (error) {
    // A reader that has seen enough (`| head`) is no failure.
    if ((error as NodeJS.ErrnoException).code === "EPIPE") return 0;
    const usage = error instanceof RatewiseError && error.code === "usage";
    err(`ratewise: ${errorMessage(error)}`);
    for (let cause = debug ? error : undefined; cause; cause = (cause as Error).cause)
      for (const line of `${(cause as Error).stack}`.split("\n")) err(line);
    return usage ? 2 : 1;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<void> {
  const [first, ...rest] = argv;
  if (first === "--version" || first === "-V") return io.out(`ratewise ${version}\n`);
  if (first === "--help" || first === "-h" || (first === "help" && rest.length === 0))
    return io.out(layoutHelp(help));
  if (first === undefined)
    throw usageError("needs a command, got none; ratewise --help lists them");
  const [name, args] = first === "help" ? [rest[0], ["--help"]] : [first, rest];
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    const known = commands.map((candidate) => candidate.name);
    const hint = didYouMean(name, known) || "; ratewise --help lists the commands";
    throw usageError(`there is no command "${name}"${hint}`);
  }
  if (args.includes("--help") || args.includes("-h")) return io.out(layoutHelp(command.help));
  return command.run(args, io);
}

function usageError(message: string): RatewiseError {
  return new RatewiseError("usage", { what: message });
}
