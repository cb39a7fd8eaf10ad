import { availableParallelism, homedir } from "node:os";
import { RatewiseError, safeJson } from "@ratewise/core";
import type { Finding, Study, StudyRun } from "@ratewise/studies";
import type { FolderFile } from "../atomic-folder.ts";
import type { Command } from "../command.ts";
import { dataCache } from "../data-cache.ts";
import { announced } from "../folder-files.ts";
import type { Io } from "../io.ts";
import {
  engineOption,
  everywhere,
  everywhereHelp,
  parseCommandLine,
  seedOption,
  usageError,
} from "../options.ts";
import { wrap } from "../printable.ts";
import { progressLine } from "../progress.ts";
import { didYouMean } from "../suggest.ts";
import { writeResult } from "../write-result.ts";

const options = {
  ...everywhere,
  quick: { type: "boolean" },
  permuted: { type: "boolean" },
  covariates: { type: "string" },
  out: { type: "string" },
  resume: { type: "boolean" },
  force: { type: "boolean" },
} as const;

const help = `usage: ratewise study <name> [options]

Does an experiment of the paper again and puts its numbers beside the paper's. Without a name it lists them.

  collinearity   least squares and covariances when two columns are nearly one (supplement 1 and 2, and three statements of the paper)
  simulation     how well rankings find causal variables (Tables 1 and 2, Figures 2 to 4)
  mnist          which pixels tell zeros from ones and evens from odds (Figures 5 to 8)
  imdb           which words make a film review positive or negative (Figure 9)
  mice           which genes go with body mass and HDL cholesterol (Figures 10, 11)
  hidden         genes and gene sets as hidden units of a network (the outlook)

Real data are looked for in the folder that RATEWISE_DATA names, then where ratewise data get puts them.

options:
  --quick           a small version, under a minute; it ends with code 1 where a number is not what it has to be
  --permuted        permute the responses first: a control in which nothing may be found
  --covariates <c>  take these out of the response too (mice: cage, litter)
  --out <folder>    write study.md there, and beside it result.json and figures
  --resume          go on from a run with the same --out that was stopped
  --force           write into a folder that holds other files; those stay
${everywhereHelp}
examples:
  ratewise study collinearity
  ratewise study imdb --quick
  RATEWISE_DATA=data ratewise study imdb --out imdb
`;

export const study: Command = {
  name: "study",
  summary: "do an experiment of the paper again, beside its numbers",
  help,
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("study", argv, options);
    const seed = seedOption("study", values.seed);
    const { dataFolder, runStudy, studies } = await import("@ratewise/studies");
    if (positionals.length === 0)
      return io.out(values.json ? listJson(studies) : listText(studies));
    const chosen = namedStudy(positionals, studies);
    if (values.out !== undefined) await io.checkFolder(values.out, values.force ?? false);
    if (values.resume && values.out === undefined)
      throw usageError("study", "--resume needs --out: finished stages are kept beside it");
    await engineOption("study", values.engine);
    const cache =
      values.out === undefined ? undefined : await io.keepWork(values.out, values.resume ?? false);
    const progress = progressLine(io);
    try {
      const { onProgress } = progress;
      const ran = await runStudy(chosen, {
        seed,
        quick: values.quick ?? false,
        permuted: values.permuted ?? false,
        ...(values.covariates !== undefined && { covariates: values.covariates.split(",") }),
        data: dataFolder(io.environment.RATEWISE_DATA, dataCache(io.environment, homedir())),
        cores: availableParallelism(),
        ...(cache && { cache }),
        onProgress,
      });
      if (values.out !== undefined) {
        await writeResult(io, values.out, announced(await studyFiles(ran), onProgress));
        progress.finish();
        io.err(
          `ratewise: the study is ${values.out.replace(/\/+$/, "")}/study.md; beside it are result.json and figures`,
        );
      }
      progress.finish();
      await io.out(values.json ? `${safeJson(ran.document)}\n` : await studyText(ran, io));
      if (values.quick) checkQuick(chosen.name, ran.document.findings);
    } finally {
      progress.finish();
      await cache?.discard();
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

function namedStudy(positionals: readonly string[], studies: readonly Study[]): Study {
  if (positionals.length > 1)
    throw usageError("study", `needs one study, got ${positionals.length}`);
  const found = studies.find(({ name }) => name === positionals[0]);
  if (found) return found;
  const [asked] = positionals;
  if (Object.hasOwn(OWN_COMMANDS, asked))
    throw usageError("study", `"${asked}" is not run by this command: ${OWN_COMMANDS[asked]}`);
  const names = studies.map(({ name }) => name);
  throw usageError(
    "study",
    `there is no study "${asked}"${didYouMean(asked, names) || `; there are ${names.join(", ")}`}`,
  );
}

function listText(studies: readonly Study[]): string {
  const width = Math.max(...studies.map(({ name }) => name.length));
  return studies.map(({ name, title }) => `${name.padEnd(width)}  ${title}\n`).join("");
}

function listJson(studies: readonly Study[]): string {
  const rows = studies.map(({ name, title, question, source, needs }) => ({
    name,
    title,
    question,
    source,
    needs,
  }));
  return `${JSON.stringify({ kind: "studies", studies: rows })}\n`;
}

async function studyFiles({ document, figures }: StudyRun): Promise<FolderFile[]> {
  const { studyPage } = await import("@ratewise/studies");
  const { figureFiles } = await import("../figure-files.ts");
  return [
    { path: "result.json", pieces: [`${safeJson(document)}\n`] },
    { path: "study.md", pieces: [studyPage(document)] },
    ...figures.flatMap(({ name, svg }) => figureFiles(name, () => svg)),
  ];
}

async function studyText({ document }: StudyRun, io: Io): Promise<string> {
  const { findingsText } = await import("@ratewise/studies");
  const width = Math.max(60, Math.min(io.columns, 100));
  const { title, question, answer, findings, seconds } = document;
  const parts = [
    title,
    wrap(question, width),
    // Pages print the first words of some sentences bold; a terminal has no use for the stars.
    ...answer.map((sentence) => wrap(sentence.replaceAll("**", ""), width)),
    findingsText(findings),
    `${seconds.whole.toFixed(1)} seconds`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The quick version is a test: what it misses is a failure. */
function checkQuick(name: string, findings: readonly Finding[]): void {
  const missed = findings.filter(({ holds }) => holds === false);
  if (missed.length === 0) return;
  throw new RatewiseError(
    "domain",
    `study ${name} --quick: ${missed.length} of ${findings.length} numbers are not what they have to be: ${missed.map(({ what, ours, bar }) => `${what} is ${ours}, needs at ${bar?.at} ${bar?.value}`).join("; ")}`,
    { missed },
  );
}
