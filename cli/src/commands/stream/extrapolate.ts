/** A trial has worked long enough to be believed: so many seconds of this process, or of the clock where it mostly waits. */
const ENOUGH = 0.15;
const ENOUGH_WAITING = 2;
const GROWTH = 4;

/** One trial: the seconds of each part of the work. */
export type Trial = (units: number) => Promise<readonly number[]>;

/** Seconds that this process has worked, not those that others made it wait. */
function worked(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * What all `total` units of some work will take, from trials of more and more of them. The line through the last two trials, which takes what every trial
 * costs however small (a start, a compilation) for what it is. `effort` counts seconds of work: on a busy machine a trial may have waited more than it did.
 */
export async function extrapolate(
  total: number,
  first: number,
  trial: Trial,
  effort: () => number = worked,
): Promise<readonly number[]> {
  const least = Math.min(total, first);
  // The first time is for the compilers.
  await trial(least);
  let before: { readonly units: number; readonly seconds: readonly number[] } | null = null;
  for (let units = least; ; units = Math.min(total, GROWTH * units)) {
    const start = effort();
    // The smaller of two: other programs' work is no part of this one's.
    const [one, other] = [await trial(units), await trial(units)];
    const seconds = one.map((value, part) => Math.min(value, other[part]));
    if (units === total) return seconds;
    const took = seconds.reduce((sum, value) => sum + value, 0);
    if (before && ((effort() - start) / 2 >= ENOUGH || took >= ENOUGH_WAITING)) {
      const { units: fewer, seconds: shorter } = before;
      return seconds.map((now, part) => {
        const each = Math.max(0, (now - shorter[part]) / (units - fewer));
        return now + each * (total - units);
      });
    }
    before = { units, seconds };
  }
}
