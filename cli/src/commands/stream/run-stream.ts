import { type RateResult, RatewiseError } from "@ratewise/core";
import { contentHash } from "@ratewise/core/parallel";
import { type StreamPlan, streamProjection } from "@ratewise/core/stream";
import { told } from "../../output/told.ts";
import { answerOf, nullsOf, outputsOf } from "./answer.ts";
import { cautions } from "./cautions.ts";
import { collectAfterStage } from "./collect.ts";
import { groupsOf } from "./groups.ts";
import { type HiddenLayer, hiddenLayer } from "./hidden.ts";
import { type BlockFolder, blockFolder } from "./kept-blocks.ts";
import { keptTraining } from "./kept-training.ts";
import { planFor } from "./plan-run.ts";
import { present } from "./present.ts";
import { type Kept, keptText, sayingFound } from "./resuming.ts";
import type { StreamWork } from "./stream-work.ts";
import { checkTrainingMemory } from "./training-plan.ts";

/** Hidden layer, projection, RATE, nulls, and what is written of them. */
export async function runStream(work: StreamWork): Promise<void> {
  const { source, response, checked, values, io } = work;
  const { seed, memory, from } = checked;
  if (from.kind === "train") checkTrainingMemory(source, from, memory);
  const outputs = outputsOf(response?.classes);
  if (checked.fdr !== null && outputs > 1)
    throw new RatewiseError("usage", {
      at: "stream",
      what: `--select needs numbers or two classes, got ${outputs} classes`,
      advice: "leave it out",
    });
  const { out, resume = false } = values;
  const folder = out === undefined ? null : await blockFolder(out, "training", resume, io.err);
  const training = keptTraining(folder, source, response, checked, work.engine);
  const kept: Kept = { training, blocks: null, plan: null };
  const left = (): string | null => keptText(kept);
  const over = io.whenStopped?.(
    () =>
      `ratewise: stopped; ${left() ?? `nothing is kept${out === undefined ? " without --out" : " yet"}`}`,
  );
  try {
    const { onProgress } = work.progress;
    const options = { seed, memory, onProgress, ...(training && { keep: training }) };
    const made = await hiddenLayer(from, source, response, options, io);
    kept.plan = planFor(source, made.hidden.cols, response, checked);
    kept.blocks =
      out === undefined ? null : await blockFolder(out, identityOf(work, made, kept.plan), true);
    await rankAndPresent(work, made, kept.plan, kept.blocks);
  } catch (error) {
    const line = left();
    if (line) io.err(`ratewise: ${line}`);
    throw error;
  } finally {
    over?.();
  }
  await folder?.discard();
}

/** A hash of what finished blocks depend on, but for the numbers of X themselves. */
function identityOf(
  { source, checked }: StreamWork,
  { hidden }: HiddenLayer,
  plan: StreamPlan,
): string {
  return contentHash({
    x: [source.where, source.rows, source.columns, plan.by, plan.blockSize],
    hidden: hidden.data,
    precision: checked.precision,
  }).slice(0, 24);
}

async function rankAndPresent(
  work: StreamWork,
  made: HiddenLayer,
  plan: StreamPlan,
  blocks: BlockFolder | null,
): Promise<void> {
  const { source, response, checked, values, io, progress } = work;
  const groups = await groupsOf(work);
  const found = blocks && sayingFound(blocks, plan, values.resume ?? false, made.resumed, io);
  const projected = await streamProjection(source, made.hidden, {
    ...{ plan, precision: checked.precision },
    onProgress: (event) => {
      found?.say();
      progress.onProgress(event);
    },
    ...(found && { keep: found.keep }),
  });
  found?.say();
  collectAfterStage(source.columns);
  const { columnMeans } = projected;
  const answer = answerOf(projected, made, groups);
  const { onProgress } = progress;
  const nulls = await nullsOf(answer, made, groups, response, checked, { onProgress });
  const notes = [
    ...(response?.diagnostics ?? []),
    ...made.refit.diagnostics,
    ...cautions(made, checked),
  ];
  const result: RateResult = told(answer.result, notes);
  progress.finish();
  collectAfterStage(source.columns);
  for (const note of work.notes()) io.err(`ratewise: ${note}`);
  await present(work, { result, made, nulls, plan, columnMeans });
}
