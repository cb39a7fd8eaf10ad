import { explain, type Table, version } from "@ratewise/core";
import { targetFromColumn } from "@ratewise/core/data";
import { predictTable } from "@ratewise/core/explain";
import { type CorpusEntry, type CorpusSplit, rowsOf } from "./corpus.ts";
import { type Scores, scoresOf } from "./scores.ts";

/** One split of a table, for an ensemble of so many networks. */
export interface TableRequest {
  readonly table: string;
  readonly sha256: string;
  readonly cut: number | null;
  readonly seed: number;
  readonly members: number;
}

/** What our model came to there. */
export interface TableResult extends TableRequest, Scores {
  /** Of `explain` as a whole, on the wall clock. */
  readonly seconds: number;
  readonly layers: readonly number[];
  /** Whether ratewise takes the target for what it is without being told. */
  readonly taskGuessed: boolean;
  readonly version: string;
}

/** All rows but one are trained on: `explain` needs a row to hold out. */
const HELD_OUT = 1e-9;

/**
 * Trains as `ratewise explain` does without options, on the training rows of a split, and predicts the others as `ratewise predict`
 * does. The task is the one that the other models have; whether it would have been guessed is noted.
 */
export async function measureSplit(
  source: Table,
  { task, target }: Pick<CorpusEntry, "task" | "target">,
  split: CorpusSplit,
  request: TableRequest,
): Promise<TableResult> {
  const began = performance.now();
  const { document, model } = await explain(rowsOf(source, split.train), {
    target,
    task,
    seed: request.seed,
    ensemble: request.members,
    testFraction: HELD_OUT,
    workers: 0,
  });
  const seconds = (performance.now() - began) / 1000;
  const test = rowsOf(source, split.test);
  const column = test.columns.find(({ name }) => name === target)!;
  const whole = source.columns.find(({ name }) => name === target)!;
  return {
    ...request,
    ...scoresOf(predictTable(model, test), model.classes, column),
    seconds: Math.round(seconds * 1000) / 1000,
    layers: document.model.layers,
    taskGuessed: targetFromColumn(whole).target.task === task,
    version,
  };
}
