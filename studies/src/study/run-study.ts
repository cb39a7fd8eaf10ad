import { engine, type RunOptions, version } from "@ratewise/core";
import type { DataFolder } from "./data-folder.ts";
import type { Finding, Study, StudyFigure, StudyTable } from "./study.ts";

export interface RunStudyOptions extends RunOptions {
  readonly seed: number;
  readonly quick: boolean;
  readonly permuted: boolean;
  readonly data: DataFolder;
  /** Cores of the machine, for the record. */
  readonly cores: number;
}

/** result.json of a study. */
export interface StudyDocument {
  readonly kind: "study";
  readonly study: string;
  readonly title: string;
  readonly question: string;
  readonly source: string;
  readonly quick: boolean;
  readonly permuted: boolean;
  readonly method: readonly string[];
  readonly answer: readonly string[];
  readonly findings: readonly Finding[];
  readonly tables: readonly StudyTable[];
  readonly figures: readonly Omit<StudyFigure, "svg">[];
  readonly numbers: Readonly<Record<string, unknown>>;
  /** Of the stages, in their order, and of the whole. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly seed: number;
  readonly engine: string;
  readonly cores: number;
  readonly version: string;
}

export interface StudyRun {
  readonly document: StudyDocument;
  readonly figures: readonly StudyFigure[];
}

/** Runs a study from data to document. What it needs is looked for before anything is computed. */
export async function runStudy(study: Study, options: RunStudyOptions): Promise<StudyRun> {
  const { seed, quick, permuted, data, cores, signal, onProgress } = options;
  for (const name of study.needs) data.check(study.name, name);
  const seconds: Record<string, number> = {};
  const stage = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    signal?.throwIfAborted();
    onProgress?.({ phase: name, done: 0, total: 1 });
    const start = performance.now();
    const result = await work();
    seconds[name] = (seconds[name] ?? 0) + (performance.now() - start) / 1000;
    onProgress?.({ phase: name, done: 1, total: 1 });
    return result;
  };
  const start = performance.now();
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const report = await study.run({ ...run, seed, quick, permuted, data, stage, seconds });
  seconds.whole = (performance.now() - start) / 1000;
  const { name, title, question, source } = study;
  const { method, answer, findings, tables, figures, numbers } = report;
  const document: StudyDocument = {
    ...({ kind: "study", study: name, title, question, source, quick, permuted } as const),
    ...{ method, answer, findings, tables },
    figures: figures.map(({ name: figure, caption }) => ({ name: figure, caption })),
    ...{ numbers, seconds, seed, engine: engine().name, cores, version },
  };
  return { document, figures };
}
