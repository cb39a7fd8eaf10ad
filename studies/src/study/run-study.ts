import { engine, RatewiseError, type RunOptions, version } from "@ratewise/core";
import type { TaskCache } from "@ratewise/core/explain";
import { contentHash } from "@ratewise/core/parallel";
import { mention, say } from "@ratewise/core/words";
import type { DataFolder } from "./data-folder.ts";
import { runOptions, type Study, type StudyFigure, type StudyReport } from "./study.ts";

export interface RunStudyOptions extends RunOptions {
  readonly seed: number;
  readonly quick: boolean;
  readonly permuted: boolean;
  /** To take out of the response too; those that the study has. Default none. */
  readonly covariates?: readonly string[];
  readonly data: DataFolder;
  /** Cores of the machine, for the record. */
  readonly cores: number;
  /** Where finished stages are kept: what is there is not computed again, and its seconds are those it took. */
  readonly cache?: TaskCache;
}

/** result.json of a study. */
export interface StudyDocument extends Omit<StudyReport, "figures"> {
  readonly kind: "study";
  readonly study: string;
  readonly title: string;
  readonly question: string;
  readonly source: string;
  readonly quick: boolean;
  readonly permuted: boolean;
  readonly covariates: readonly string[];
  readonly figures: readonly Omit<StudyFigure, "svg">[];
  /** Of the stages, in their order, and of the whole. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Seconds of processors, all threads together: what a busy machine does not lengthen. */
  readonly processorSeconds: Readonly<Record<string, number>>;
  readonly seed: number;
  readonly engine: string;
  readonly cores: number;
  readonly version: string;
  readonly node: string;
  /** SHA-256 of the files of data sets, by path. */
  readonly data: Readonly<Record<string, string>>;
}

export interface StudyRun {
  readonly document: StudyDocument;
  readonly figures: readonly StudyFigure[];
}

/** Runs a study from data to document. What it needs is looked for before anything is computed. */
export async function runStudy(study: Study, options: RunStudyOptions): Promise<StudyRun> {
  const { seed, quick, permuted, covariates = [], data, cores, signal, onProgress } = options;
  checkCovariates(study, covariates);
  for (const name of study.needs) data.check(study.name, name);
  const sums = Object.assign({}, ...(await Promise.all(study.needs.map(data.sums))));
  const seconds: Record<string, number> = {};
  const processorSeconds: Record<string, number> = {};
  let stages = 0;
  const stage = async <Result>(stageName: string, work: () => Promise<Result>): Promise<Result> => {
    signal?.throwIfAborted();
    const asked = [study.name, seed, quick, permuted, engine().name, version, stages++, stageName];
    if (covariates.length > 0) asked.push(...covariates);
    const id = contentHash(asked);
    const told = (done: number): void => onProgress?.({ phase: stageName, done, total: 1 });
    told(0);
    const kept = (await options.cache?.get(id)) as KeptStage<Result> | undefined;
    const finished = kept ?? (await timed(work));
    if (!kept) await options.cache?.put(id, finished);
    add(seconds, stageName, finished.seconds);
    add(processorSeconds, stageName, finished.processorSeconds);
    told(1);
    return finished.result;
  };
  const times = { seconds, processorSeconds };
  const asked = { seed, quick, permuted, covariates, data };
  const report = await study.run({ ...runOptions(options), ...asked, stage, ...times });
  for (const each of Object.values(times))
    each.whole = Object.values(each).reduce((sum, time) => sum + time, 0);
  const { name, title, question, source } = study;
  const { findings, tables, figures, numbers } = report;
  const document: StudyDocument = {
    ...({ kind: "study", study: name, title, question, source, quick, permuted } as const),
    ...{ covariates, findings, tables },
    figures: figures.map(({ name: figure, caption }) => ({ name: figure, caption })),
    ...{ numbers, ...times, seed, engine: engine().name, cores, version },
    ...{ node: process.version, data: sums },
  };
  return { document, figures };
}

function checkCovariates({ name, covariates: known = [] }: Study, asked: readonly string[]): void {
  const strange = asked.find((covariate) => !known.includes(covariate));
  if (strange === undefined) return;
  throw new RatewiseError("unknown-name", {
    at: `study ${name}`,
    option: "covariates",
    ...(known.length > 0
      ? { what: `needs covariates among ${known.join(", ")}, got "${strange}"` }
      : {
          what: `needs no covariates, got "${strange}"`,
          advice: say`leave ${mention("covariates")} out`,
        }),
    covariate: strange,
  });
}

/** A stage that is done: plain data, as it is put away. */
interface KeptStage<Result> {
  readonly result: Result;
  readonly seconds: number;
  readonly processorSeconds: number;
}

function add(times: Record<string, number>, name: string, time: number): void {
  times[name] = (times[name] ?? 0) + time;
}

async function timed<Result>(work: () => Promise<Result>): Promise<KeptStage<Result>> {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return {
    result,
    seconds: (performance.now() - start) / 1000,
    processorSeconds: (user + system) / 1e6,
  };
}
