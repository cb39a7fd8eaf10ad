import type { Progress } from "@ratewise/core";
import type { Io } from "./io.ts";

/** A line is shown at most this often on a terminal, and in a log. */
const LIVE_MS = 100;
const LOG_MS = 2000;
/** Before this share of a stage is done, a time to go would be a guess. */
const ENOUGH = 0.05;

/** Shows how far each stage of the work is: one live line on a terminal, plain lines in a log. */
export interface ProgressLine {
  readonly onProgress: (event: Progress) => void;
  /** Clears the live line. */
  readonly finish: () => void;
}

/** `now` in milliseconds; passed in so that a test can turn the clock. */
export function progressLine(io: Io, now: () => number = () => performance.now()): ProgressLine {
  let phase = "";
  let started = 0;
  let shown = Number.NEGATIVE_INFINITY;
  const every = io.liveLine ? LIVE_MS : LOG_MS;
  return {
    onProgress(event) {
      io.onProgress?.(event);
      const time = now();
      if (event.phase !== phase) {
        phase = event.phase;
        started = time;
        shown = io.liveLine ? Number.NEGATIVE_INFINITY : time;
      }
      const complete = event.done >= event.total;
      if (time - shown < every && !complete) return;
      // A stage that is over at once is not worth a line in a log.
      if (!io.liveLine && complete && time - started < LOG_MS) return;
      shown = time;
      const text = progressText(event, time - started);
      if (io.liveLine) io.liveLine(text);
      else io.err(text);
    },
    finish() {
      io.liveLine?.("");
    },
  };
}

/** "train 42% · 0:12 gone, about 0:17 to go" */
export function progressText({ phase, done, total }: Progress, elapsedMs: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const gone = `${clock(elapsedMs)} gone`;
  const left =
    share >= ENOUGH && share < 1 ? `, about ${clock((elapsedMs * (1 - share)) / share)} to go` : "";
  return `${phase} ${Math.floor(100 * share)}% · ${gone}${left}`;
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
