import { availableParallelism, homedir } from "node:os";
import { RatewiseError } from "@ratewise/core";
import { safeJson } from "@ratewise/core/explain";
import { didYouMean } from "@ratewise/core/words";
import type { Finding, StudyRun } from "@ratewise/studies";
import type { Command } from "../command.ts";
import { dataCache } from "../input/data-cache.ts";
import type { Io } from "../io.ts";
import { layoutHelp } from "../options/help-layout.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { engineOption, parseCommandLine, usageError } from "../options/options.ts";
import type { FolderFile } from "../output/atomic-folder.ts";
import { announced } from "../output/folder-files.ts";
import { wrap } from "../output/printable.ts";
import { progressLine } from "../output/progress.ts";
import { writeResult } from "../output/write-result.ts";
import { studyCommand } from "./study-command.ts";
import { studyList, studyListText } from "./study-list.ts";
import { namingStages } from "./study-stages.ts";

const help = `usage: ratewise study <name> [options]

Repeats an experiment of the paper and puts its numbers beside the paper's. Without a name, it lists the
studies. The times are for a whole study on two cores.

${studyListText}
Ratewise looks for real data in the folder that RATEWISE_DATA names, then where "ratewise data get" puts them.
"ratewise data" lists what you have.

options:
${optionsHelp("study")}
examples:
  ratewise study collinearity
  ratewise study imdb --quick
  RATEWISE_DATA=data ratewise study imdb --out imdb
`;

export const study: Command = {
  name: "study",
  summary: "repeat an experiment of the paper and compare the numbers",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("study", argv);
    const asked = {
      seed: values.seed,
      quick: values.quick,
      permuted: values.permuted,
      covariates: values.covariates ?? [],
    };
    if (positionals.length === 0)
      return io.out(
        values.json ? await listJson() : layoutHelp(studyListText).replace(/^ {2}/gm, ""),
      );
    const name = namedStudy(positionals);
    const { out, resume, force } = values;
    const command = studyCommand({ study: name, ...asked });
    if (out !== undefined) await io.checkFolder(out, force, command);
    await engineOption("study", values.engine);
    const progress = progressLine(io);
    const { onProgress, say } = progress;
    const cache =
      out === undefined
        ? undefined
        : await io.keepWork(out, { command, resume, piece: "finished stage", say });
    try {
      // They take a while to load: a stop in that time is told of already.
      const { dataFolder, runStudy, studies } = await import("@ratewise/studies");
      const chosen = namingStages(studies.find((one) => one.name === name)!);
      const ran = await runStudy(chosen, {
        ...asked,
        data: dataFolder(io.environment.RATEWISE_DATA, dataCache(io.environment, homedir())),
        cores: availableParallelism(),
        ...(cache && { cache }),
        onProgress,
      });
      if (out !== undefined) {
        await writeResult(io, out, announced(await studyFiles(ran), onProgress));
        await cache?.discard();
        say(
          `ratewise: the study is ${out.replace(/\/+$/, "")}/study.md; beside it are result.json and figures`,
        );
      }
      progress.finish();
      await io.out(values.json ? `${safeJson(ran.document)}\n` : await studyText(ran, io));
      if (values.quick) await checkQuick(name, ran.document.findings);
    } finally {
      progress.finish();
      cache?.leave();
    }
  },
};

/** Studies that run for hours by commands of their own in a checkout, with a journal. */
const OWN_COMMANDS: Readonly<Record<string, string>> = {
  selection:
    "node studies/dist/selection/run.js --journal studies/results/selection.jsonl runs it in a checkout, and its results are docs/studies/selection.md",
  calibration:
    "node studies/dist/calibration/run.js --journal studies/results/calibration.jsonl runs it in a checkout, and its results are in docs/posterior.md",
};

function namedStudy(positionals: readonly string[]): string {
  if (positionals.length > 1)
    throw usageError("study", `needs one study, got ${positionals.length}`);
  const [asked] = positionals;
  const names = studyList.map(({ name }) => name);
  if (names.includes(asked)) return asked;
  if (Object.hasOwn(OWN_COMMANDS, asked))
    throw usageError("study", `"${asked}" is not run by this command: ${OWN_COMMANDS[asked]}`);
  throw usageError(
    "study",
    `there is no study "${asked}"${didYouMean(asked, names) || `; choose one of ${names.join(", ")}`}`,
  );
}

async function listJson(): Promise<string> {
  const { studies } = await import("@ratewise/studies");
  const rows = studies.map(({ name, title, question, source, needs }) => ({
    ...{ name, title, question, source, needs },
    time: studyList.find((entry) => entry.name === name)!.time,
  }));
  return `${JSON.stringify({ kind: "studies", studies: rows })}\n`;
}

async function studyFiles({ document, figures }: StudyRun): Promise<FolderFile[]> {
  const { studyPage } = await import("@ratewise/studies");
  const { figureFiles } = await import("../output/figure-files.ts");
  return [
    { path: "result.json", pieces: [`${safeJson(document)}\n`] },
    { path: "study.md", pieces: [studyPage(document)] },
    ...figures.flatMap(({ name, svg }) => figureFiles(name, () => svg)),
  ];
}

async function studyText({ document }: StudyRun, io: Io): Promise<string> {
  const { findingsText, kindText, wordsText } = await import("@ratewise/studies");
  const width = Math.max(60, Math.min(io.columns, 100));
  const { study: name, title, question, findings, seconds } = document;
  const kind = kindText(document);
  const parts = [
    title,
    ...(kind === null ? [] : [wrap(kind, width)]),
    wrap(question, width),
    findingsText(findings),
    wrap(wordsText(name), width),
    `${seconds.whole.toFixed(1)} seconds`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The quick version is a test: what it misses is a failure. */
async function checkQuick(name: string, findings: readonly Finding[]): Promise<void> {
  const missed = findings.filter(({ holds }) => holds === false);
  if (missed.length === 0) return;
  const { numberText } = await import("@ratewise/studies");
  throw new RatewiseError("domain", {
    at: `study ${name} --quick`,
    what: `${missed.length} of ${findings.length} numbers are not as required: ${missed.map(({ what, ours, bar }) => `${what} is ${numberText(ours)}, needs at ${bar?.at} ${numberText(bar?.value ?? "")}`).join("; ")}`,
    missed,
  });
}
