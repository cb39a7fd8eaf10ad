import type { Progress } from "@ratewise/core";
import type { Io } from "../io.ts";

/** A line is shown at most this often on a terminal, and in a log, where nobody is to wait two seconds for a sign of life. */
const LIVE_MS = 100;
const LOG_MS = 1800;
/** Before this share of a stage is done a time to go would be a guess. */
const ENOUGH = 0.05;

/** Shows how far each stage of the work is: one live line on a terminal, plain lines in a log. */
export interface ProgressLine {
  readonly onProgress: (event: Progress) => void;
  /** Clears the live line. */
  readonly finish: () => void;
  /** Prints a line of its own. */
  readonly say: (line: string) => void;
}

/** `now` in milliseconds; passed in so that a test can turn the clock. */
export function progressLine(io: Io, now: () => number = () => performance.now()): ProgressLine {
  let phase = "";
  let started = 0;
  let began = 0;
  let last = 0;
  // Of the whole work, not of a stage: many short stages must not add up to a long silence.
  let shown = now();
  let ended = "";
  return {
    onProgress(event) {
      io.onProgress?.(event);
      const time = now();
      // Of a stage that several pieces of work have after each other, each begins anew.
      const next = event.phase !== phase || event.done < last;
      last = event.done;
      if (next) {
        phase = event.phase;
        started = time;
        began = event.done;
      }
      const complete = event.done >= event.total;
      const due = io.liveLine
        ? next || complete || time - shown >= LIVE_MS
        : time - shown >= LOG_MS || (complete && time - started >= LOG_MS);
      if (!due || (complete && ended === phase && !next)) return;
      shown = time;
      ended = complete ? phase : "";
      if (io.liveLine) io.liveLine(liveText(event, time - started, began));
      else io.err(progressText(event, time - started, began));
    },
    finish() {
      io.liveLine?.("");
    },
    say(line) {
      io.liveLine?.("");
      io.err(line);
    },
  };
}

/** "train 42% · 0:12 elapsed, about 0:17 to go", of work that went on with `began` done already. */
export function progressText(event: Progress, elapsedMs: number, began = 0): string {
  return `${nameOf(event)} ${amount(event, elapsedMs, began)}`;
}

/** Columns of a bar. */
const BAR = 20;

/** The same with a bar: "train ████████············ 42% · 0:12 elapsed, about 0:17 to go" */
function liveText(event: Progress, elapsedMs: number, began: number): string {
  const filled = Math.floor(BAR * shareOf(event));
  const bar = "█".repeat(filled) + "·".repeat(BAR - filled);
  return `${nameOf(event)} ${bar} ${amount(event, elapsedMs, began)}`;
}

function amount(event: Progress, elapsedMs: number, began: number): string {
  const share = shareOf(event);
  const made = share - shareOf({ ...event, done: began });
  const left =
    made >= ENOUGH && share < 1 ? `, about ${clock((elapsedMs * (1 - share)) / made)} to go` : "";
  return `${Math.floor(100 * share)}% · ${clock(elapsedMs)} elapsed${left}`;
}

function shareOf({ done, total }: Progress): number {
  return total > 0 ? Math.min(1, done / total) : 0;
}

/** Stages that are called by the name of a task. */
const TASKS: Readonly<Record<string, string>> = {
  "fit-member": "train",
  "grow-forest-trees": "forest",
  "lasso-fold": "lasso",
  "search-fold": "search",
};

/** What a stage is called in a line. */
export function nameOf({ phase }: Progress): string {
  return TASKS[phase] ?? phase;
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
