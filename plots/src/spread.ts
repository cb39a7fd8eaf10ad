/**
 * Heights for the names at the ends of lines, moved apart so that none covers another: in order of height each at least `gap`
 * above the one before, then all moved back so that their mean stays.
 */
export function spread(heights: readonly number[], gap: number): number[] {
  const order = [...heights.keys()].sort((a, b) => heights[a] - heights[b]);
  const moved = [...heights];
  let last = Number.NEGATIVE_INFINITY;
  for (const at of order) {
    moved[at] = Math.max(heights[at], last + gap);
    last = moved[at];
  }
  const drift = moved.reduce((sum, height, at) => sum + height - heights[at], 0) / heights.length;
  return moved.map((height) => height - drift);
}
