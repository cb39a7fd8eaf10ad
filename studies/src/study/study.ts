import type { RunOptions } from "@ratewise/core";
import type { MeanWithError } from "../mean-with-error.ts";
import type { DataFolder, DataName } from "./data-folder.ts";

/** An experiment of the paper: what it asks, and how it is done again. */
export interface Study {
  readonly name: string;
  readonly title: string;
  readonly question: string;
  /** Where in the paper. */
  readonly source: string;
  /** Data sets it reads; the first that is missing is named before any work. */
  readonly needs: readonly DataName[];
  /** What may be taken out of the response beside what always is, by name; default nothing. */
  readonly covariates?: readonly string[];
  readonly run: (context: StudyContext) => Promise<StudyReport>;
}

export interface StudyContext extends RunOptions {
  readonly seed: number;
  /** A small version, under a minute, whose bars are what it must reach. */
  readonly quick: boolean;
  /** Responses are permuted first: a control in which nothing may be found. */
  readonly permuted: boolean;
  /** To take out of the response too. */
  readonly covariates: readonly string[];
  readonly data: DataFolder;
  /** Measures a stage: its seconds stand in the result. */
  readonly stage: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /** Of the stages so far. */
  readonly seconds: Readonly<Record<string, number>>;
  /** The same in seconds of processors, all threads together: a busy machine does not lengthen them. */
  readonly processorSeconds: Readonly<Record<string, number>>;
}

/** What learners take of a context; they refuse options that they do not know. */
export const runOptions = ({ signal, onProgress }: RunOptions): RunOptions => ({
  ...(signal && { signal }),
  ...(onProgress && { onProgress }),
});

export interface Bar {
  readonly at: "least" | "most";
  readonly value: number;
}

/** A number beside the paper's, and beside what is asked of it. */
export interface Finding {
  readonly what: string;
  /** As printed in the paper; null where it prints none. */
  readonly paper: number | string | null;
  /** A number, or a mean with its standard error; text where there is none, as "no SNP". */
  readonly ours: number | string | MeanWithError;
  readonly bar: Bar | null;
  /** Whether the bar is reached; null without one. */
  readonly holds: boolean | null;
  /** The bar, or what is measured against it, was settled after results had been seen. */
  readonly settledAfterwards?: true;
}

export interface StudyTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export interface StudyFigure {
  readonly name: string;
  readonly caption: string;
  readonly svg: string;
}

/** What a study found: numbers alone. The words that go with them stand on its page in docs/studies, written by hand. */
export interface StudyReport {
  readonly findings: readonly Finding[];
  readonly tables: readonly StudyTable[];
  readonly figures: readonly StudyFigure[];
  /** Everything else, for programs. */
  readonly numbers: Readonly<Record<string, unknown>>;
}

/** A finding with its bar applied. */
export function finding(
  what: string,
  paper: Finding["paper"],
  ours: Finding["ours"],
  bar: Bar | null = null,
): Finding {
  const holds =
    bar === null || typeof ours !== "number"
      ? null
      : bar.at === "least"
        ? ours >= bar.value
        : ours <= bar.value;
  return { what, paper, ours, bar, holds };
}

/** The same, where a reader has to know that the bar or its measure came after results. */
export const settledAfterwards = (row: Finding): Finding => ({ ...row, settledAfterwards: true });

export const atLeast = (value: number): Bar => ({ at: "least", value });
export const atMost = (value: number): Bar => ({ at: "most", value });
