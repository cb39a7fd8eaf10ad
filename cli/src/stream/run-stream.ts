import {
  contentHash,
  fold,
  indexNames,
  keyFromSeed,
  type RateResult,
  RatewiseError,
  type StreamNull,
  type StreamPlan,
  streamNull,
  streamProjection,
} from "@ratewise/core";
import type { Io } from "../io.ts";
import { readPositions, windowOption } from "../posterior/intervals.ts";
import { readGroups } from "../posterior/variable-files.ts";
import { answerOf } from "./answer.ts";
import { type HiddenLayer, hiddenLayer } from "./hidden.ts";
import { type BlockFolder, blockFolder } from "./kept-blocks.ts";
import { planFor } from "./plan-run.ts";
import { present } from "./present.ts";
import type { StreamWork } from "./stream-work.ts";
import { checkTrainingMemory } from "./training-plan.ts";

/** Hidden layer, projection, RATE, nulls, and what is written of them. */
export async function runStream(work: StreamWork): Promise<void> {
  const { source, response, checked, values, io, progress } = work;
  const { seed, memory, precision, from } = checked;
  const { onProgress } = progress;
  if (from.kind === "train") checkTrainingMemory(source, from, memory);
  const made = await hiddenLayer(from, source, response, { seed, memory, onProgress }, io);
  const plan = planFor(source, made.hidden.cols, response, checked);
  const groups = await groupsOf(work);
  const identity = contentHash({
    x: [source.where, source.rows, source.columns, plan.by, plan.blockSize],
    hidden: made.hidden.data,
    precision,
  }).slice(0, 24);
  const keep =
    values.out === undefined
      ? undefined
      : await blockFolder(values.out, identity, values.resume ?? false);
  const projected = await streamProjection(source, made.hidden, {
    plan,
    precision,
    onProgress,
    ...(keep && { keep }),
  }).catch((error: unknown) => sayKept(error, keep, plan, io));
  const { result: ranked, effects } = answerOf(projected, made, groups);
  const notes = [...(response?.diagnostics ?? []), ...made.refit.diagnostics];
  const result: RateResult = { ...ranked, diagnostics: [...notes, ...ranked.diagnostics] };
  const nulls =
    effects && checked.fdr !== null ? await nullsOf(work, made, result, effects, groups) : null;
  progress.finish();
  for (const note of work.notes()) io.err(`ratewise: ${note}`);
  await present(work, result, made, nulls, plan);
  await keep?.discard();
}

async function sayKept(
  error: unknown,
  keep: BlockFolder | undefined,
  plan: StreamPlan,
  io: Io,
): Promise<never> {
  const kept = (await keep?.count()) ?? 0;
  if (kept > 0)
    io.err(
      `ratewise: ${plan.by === "columns" ? `${kept} of ${plan.blocks} blocks are finished and kept` : "what was read is kept"}; the same command with --resume goes on from there`,
    );
  throw error;
}

async function groupsOf({ path, source, values, io }: StreamWork) {
  if (values.groups === undefined) return undefined;
  const window = windowOption("stream", values.window);
  const genes = /\.(bed|tsv|txt|csv)(\.gz)?$/i.test(values.groups) && source.format === "bed";
  const positions = genes ? await readPositions(path.replace(/\.bed$/i, ".bim"), io) : undefined;
  const read = await readGroups(values.groups, io, {
    ...(window !== undefined && { window }),
    positions: () => positions,
  });
  return read(
    indexNames(source.names ?? Array.from({ length: source.columns }, (_, j) => `x${j + 1}`)),
  );
}

async function nullsOf(
  { checked, response, progress }: StreamWork,
  { hidden, refit }: HiddenLayer,
  { variables }: RateResult,
  effects: NonNullable<ReturnType<typeof answerOf>["effects"]>,
  groups: Awaited<ReturnType<typeof groupsOf>>,
): Promise<StreamNull> {
  if (!response)
    throw new RatewiseError(
      "usage",
      "stream: --select needs a response, --target, or --pheno and --trait",
    );
  const { factor, noise } = effects;
  return streamNull(
    {
      ...{
        factor,
        noise: noise!,
        sd: variables.sd,
        mutualInformation: variables.mutualInformation!,
      },
      ...{ hidden, weights: refit.posterior.outputs[0], responses: [response.values] },
      ...(groups && { groups }),
    },
    {
      key: fold(keyFromSeed(checked.seed), "null"),
      fdr: checked.fdr!,
      ...(checked.permutations !== undefined && { permutations: checked.permutations }),
      onProgress: progress.onProgress,
    },
  );
}
