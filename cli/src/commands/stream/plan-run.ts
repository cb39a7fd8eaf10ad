import { RatewiseError } from "@ratewise/core";
import { type BlockSource, planStream, type StreamPlan } from "@ratewise/core/stream";
import { outputsOf } from "./answer.ts";
import { groupsOf } from "./groups.ts";
import { hiddenWidth } from "./hidden.ts";
import { planJson, planText } from "./plan-text.ts";
import { rehearse } from "./rehearsal.ts";
import type { StreamResponse } from "./response.ts";
import type { StreamSettings } from "./settings.ts";
import type { StreamWork } from "./stream-work.ts";
import { checkTrainingMemory, trainingPlan } from "./training-plan.ts";

/** `--plan`: what would be done, and what it would take; opening the files took `opening` seconds. */
export async function planned(
  work: Pick<StreamWork, "source" | "response" | "variants" | "checked" | "values" | "io">,
  opening: number,
): Promise<string> {
  const { source, response, checked, values, io } = work;
  const { from, memory, kept } = checked;
  if (from.kind === "train") checkTrainingMemory(source, from, memory);
  const width = await hiddenWidth(from, io);
  if (width === null)
    throw new RatewiseError("domain", {
      at: "stream",
      what: "the width of the network's last hidden layer is not in its file",
    });
  const plan = planFor(source, width, response, checked);
  const stages = await rehearse({
    ...{ source, response, plan, width, checked, io },
    groups: await groupsOf(work),
  });
  const { beforeTraining, epoch: epochSeconds, hidden, pass, answer } = stages;
  const training = from.kind === "train" ? { ...trainingPlan(source, from), epochSeconds } : null;
  const seconds = opening + beforeTraining + hidden + pass + answer;
  return (values.json ? planJson : planText)({
    source,
    plan,
    width,
    seconds,
    training,
    kept,
    memory,
  });
}

/** Bytes per variable: its place among the names and in its groups; counts, p-values and q-values. Measured. */
const [PER_GROUPED, PER_TESTED] = [130, 80];

/** The blocks of a run. */
export function planFor(
  source: BlockSource,
  width: number,
  response: StreamResponse | null,
  { memory, by, precision, blockSize, fdr, grouped }: StreamSettings,
): StreamPlan {
  const outputs = outputsOf(response?.classes);
  return planStream(source, {
    width,
    memory,
    precision,
    outputs,
    perVariable: (grouped ? PER_GROUPED : 0) + (fdr === null ? 0 : PER_TESTED),
    ...(by && { by }),
    ...(blockSize !== undefined && { blockSize }),
  });
}
