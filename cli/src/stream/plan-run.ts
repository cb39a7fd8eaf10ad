import { type BlockSource, planStream, RatewiseError, type StreamPlan } from "@ratewise/core";
import type { Io } from "../io.ts";
import { outputsOf } from "./answer.ts";
import { hiddenWidth } from "./hidden.ts";
import { planJson, planText } from "./plan-text.ts";
import { rehearse } from "./rehearsal.ts";
import type { StreamResponse } from "./response.ts";
import type { StreamSettings } from "./settings.ts";
import { checkTrainingMemory, trainingPlan } from "./training-plan.ts";

/** `--plan`: what would be done, and what it would take; opening the files took `opening` seconds. */
export async function planned(
  source: BlockSource,
  response: StreamResponse | null,
  checked: StreamSettings,
  { opening, json }: { readonly opening: number; readonly json: boolean },
  io: Io,
): Promise<string> {
  const { from, memory, kept } = checked;
  if (from.kind === "train") checkTrainingMemory(source, from, memory);
  const width = await hiddenWidth(from, io);
  if (width === null)
    throw new RatewiseError(
      "domain",
      "stream: the width of the network's last hidden layer is not in its file",
    );
  const plan = planFor(source, width, response, checked);
  const stages = await rehearse({ source, response, plan, width, checked, io });
  const { beforeTraining, epoch: epochSeconds, hidden, pass, answer } = stages;
  const training = from.kind === "train" ? { ...trainingPlan(source, from), epochSeconds } : null;
  const seconds = opening + beforeTraining + hidden + pass + answer;
  return (json ? planJson : planText)({ source, plan, width, seconds, training, kept, memory });
}

/** The blocks of a run. */
export function planFor(
  source: BlockSource,
  width: number,
  response: StreamResponse | null,
  { memory, by, precision, blockSize }: StreamSettings,
): StreamPlan {
  const outputs = outputsOf(response?.classes);
  return planStream(source, {
    width,
    memory,
    precision,
    outputs,
    ...(by && { by }),
    ...(blockSize !== undefined && { blockSize }),
  });
}
