/** Codes beyond as many are numbers: months, ages, amounts. */
const MOST_CODES = 10;
/** Amounts thin out towards their ends; among codes the commonest is seldom more often than this beside the rarest. */
const MOST_UNEVEN = 2;
/** Three levels are read as codes however even they are: as amounts they would say little more. */
const FEW_CODES = 3;

/**
 * Whether the values of a column of numbers look like names of classes: two of them, whatever they are; or whole numbers
 * without a gap from 0 or 1 to at most 10 of them, and either three, or about evenly met.
 *
 * @param counts how many rows hold each value; two values at least
 */
export function lookLikeCodes(counts: ReadonlyMap<number, number>): boolean {
  if (counts.size === 2) return true;
  if (counts.size > MOST_CODES) return false;
  const values = [...counts.keys()].sort((a, b) => a - b);
  const first = values[0];
  if (!(first === 0 || first === 1)) return false;
  if (values.some((value, at) => value !== first + at)) return false;
  const rows = [...counts.values()];
  return counts.size <= FEW_CODES || Math.max(...rows) <= MOST_UNEVEN * Math.min(...rows);
}
