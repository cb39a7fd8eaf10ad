import { isMainThread } from "node:worker_threads";

/**
 * What seconds of a cell are: of the process's processor time where it does one cell after another, which does not count the
 * waiting on a busy machine; of the wall clock in a thread beside others, whose share of the processor Node cannot tell.
 */
export const clockName: "processor" | "wall" = isMainThread ? "processor" : "wall";

/** Seconds on that clock since some moment. */
export function secondsNow(): number {
  if (!isMainThread) return performance.now() / 1000;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
