import { safeJson } from "@ratewise/core/explain";
import type { BlockSource, StreamPlan } from "@ratewise/core/stream";
import { bytesText } from "./bytes-text.ts";

/** What a run would do and take. */
export interface WholePlan {
  readonly source: Pick<BlockSource, "where" | "format" | "rows" | "columns">;
  readonly plan: StreamPlan;
  readonly width: number;
  /** Seconds of everything but the epochs of training, from small parts of the work. */
  readonly seconds: number;
  /** Of training here: peak memory, scratch room, room for epochs that are kept, seconds of an epoch, fewest and most epochs; null where none is trained. */
  readonly training: {
    readonly memory: number;
    readonly disk: number;
    readonly keptDisk: number;
    readonly epochSeconds: number;
    readonly fewestEpochs: number;
    readonly epochs: number;
  } | null;
  /** Whether finished blocks are kept on disk. */
  readonly kept: boolean;
  readonly memory: number;
}

/** The plan for people. */
export function planText(whole: WholePlan): string {
  const { source, plan, width, training, kept, memory } = whole;
  const count = (n: number): string => n.toLocaleString("en");
  const peak = Math.max(plan.memory, training?.memory ?? 0);
  const lines = [
    `${source.where} (${source.format}): ${count(source.rows)} rows, ${count(source.columns)} columns, ${bytesText(plan.read)} to read`,
    ...(training
      ? [
          `train     ${training.fewestEpochs === training.epochs ? "" : `${training.fewestEpochs} to `}${training.epochs} epochs of about ${timeText(training.epochSeconds)}; ${bytesText(training.disk)} of scratch room`,
        ]
      : []),
    `blocks    ${count(plan.blocks)} of ${count(plan.blockSize)} ${plan.by}, for ${width} hidden units`,
    `time      about ${wholeTime(whole)}, estimated by rehearsing small parts`,
    `memory    about ${bytesText(peak)} of ${bytesText(memory)} allowed`,
    `disk      ${kept ? `${bytesText(plan.disk)} for finished blocks${training ? ` or ${bytesText(training.keptDisk)} for epochs of training` : ""} until the run is over` : "nothing is saved (no --out)"}${training ? `, ${bytesText(training.disk)} of scratch room` : ""}`,
  ];
  return `${lines.join("\n")}\n`;
}

function wholeTime({ seconds, training }: WholePlan): string {
  const { epochSeconds, fewestEpochs, epochs } = training ?? {
    ...{ epochSeconds: 0, fewestEpochs: 0, epochs: 0 },
  };
  const [least, most] = [fewestEpochs, epochs].map((n) => timeText(seconds + n * epochSeconds));
  return least === most ? most : `${least} to ${most}`;
}

export function timeText(seconds: number): string {
  if (seconds < 1) return "a second";
  if (seconds < 120) return `${Math.ceil(seconds)} seconds`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${(seconds / 3600).toFixed(1)} hours`;
}

/** The plan as a document. */
export function planJson({ source, plan, width, seconds, training, memory }: WholePlan): string {
  const { where, format, rows, columns } = source;
  const most = seconds + (training ? training.epochs * training.epochSeconds : 0);
  const least = seconds + (training ? training.fewestEpochs * training.epochSeconds : 0);
  return `${safeJson({
    kind: "stream-plan",
    ...{ data: where, format, rows, columns, width, ...plan },
    memory: Math.max(plan.memory, training?.memory ?? 0),
    ...{ allowed: memory, seconds: [least, most], training },
  })}\n`;
}
