import type { BlockSource, StreamPlan } from "@ratewise/core";
import { bytesText } from "./memory-option.ts";

/** What a run would do and take. */
export interface WholePlan {
  readonly source: Pick<BlockSource, "where" | "format" | "rows" | "columns">;
  readonly plan: StreamPlan;
  readonly width: number;
  /** Seconds of going through X once, from a timed piece of it. */
  readonly seconds: number;
  /** Of training here: peak memory, scratch room, seconds of an epoch, the most epochs; null where none is trained. */
  readonly training: {
    readonly memory: number;
    readonly disk: number;
    readonly epochSeconds: number;
    readonly epochs: number;
  } | null;
  /** Whether finished blocks are kept on disk. */
  readonly kept: boolean;
  readonly memory: number;
}

/** The plan for people. */
export function planText(whole: WholePlan): string {
  const { source, plan, width, seconds, training, kept, memory } = whole;
  const count = (n: number): string => n.toLocaleString("en");
  const peak = Math.max(plan.memory, training?.memory ?? 0);
  const lines = [
    `${source.where} (${source.format}): ${count(source.rows)} rows, ${count(source.columns)} columns, ${bytesText(plan.read)} to read`,
    ...(training
      ? [
          `train     at most ${training.epochs} epochs of about ${timeText(training.epochSeconds)}; ${bytesText(training.disk)} of scratch room`,
        ]
      : []),
    `blocks    ${count(plan.blocks)} of ${count(plan.blockSize)} ${plan.by}, for ${width} hidden units`,
    `time      about ${timeText(seconds + (training ? training.epochSeconds * training.epochs : 0))}, by a timed piece`,
    `memory    about ${bytesText(peak)} of ${bytesText(memory)} allowed`,
    `disk      ${kept ? `${bytesText(plan.disk)} for finished blocks until the run is over` : "nothing is kept (no --out)"}${training ? `, ${bytesText(training.disk)} of scratch room` : ""}`,
  ];
  return `${lines.join("\n")}\n`;
}

export function timeText(seconds: number): string {
  if (seconds < 1) return "a second";
  if (seconds < 120) return `${Math.ceil(seconds)} seconds`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${(seconds / 3600).toFixed(1)} hours`;
}
