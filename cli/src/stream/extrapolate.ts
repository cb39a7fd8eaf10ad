/** A trial has taken long enough to be believed. */
const ENOUGH = 0.3;
const GROWTH = 4;

/**
 * What all `total` units of some work will take, from trials of more and more of them: `trial` does so many units and tells the seconds of each
 * part of the work. The line through the last two trials, which takes what every trial costs however small (a start, a compilation) for what it is.
 */
export async function extrapolate(
  total: number,
  first: number,
  trial: (units: number) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  // The first time is for the compilers.
  await trial(Math.min(total, first));
  let before: { readonly units: number; readonly seconds: readonly number[] } | null = null;
  for (let units = Math.min(total, first); ; units = Math.min(total, GROWTH * units)) {
    // The smaller of two: other programs' work is no part of this one's.
    const [one, other] = [await trial(units), await trial(units)];
    const seconds = one.map((value, part) => Math.min(value, other[part]));
    if (units === total) return seconds;
    const took = seconds.reduce((sum, value) => sum + value, 0);
    if (took >= ENOUGH) {
      const last = before;
      return seconds.map((now, part) => {
        const each = last
          ? Math.max(0, (now - last.seconds[part]) / (units - last.units))
          : now / units;
        return now + each * (total - units);
      });
    }
    before = { units, seconds };
  }
}
