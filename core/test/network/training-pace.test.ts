import { describe, expect, test } from "vitest";
import { STANDARD } from "../../src/network/recipe.ts";
import { trainingPace } from "../../src/network/training-pace.ts";

/** Patience, epochs at each penalty, and the penalty chosen: trainings by the standard recipe on the paper's simulation. */
const recorded: [string, number, number[], number][] = [
  ["70,000 rows", 4, [22, 5, 5, 6, 6, 19, 5, 5], 2],
  ["70,000 rows of two classes", 4, [15, 5, 5, 6, 11, 17, 5, 5], 2],
  ["7,000 rows", 12, [27, 50, 13, 13, 14, 14, 15, 13], 3],
  ["7,000 rows of two classes", 12, [23, 53, 13, 13, 42, 13, 13, 13], 4],
  ["1,400 rows", 12, [27, 58, 13, 13, 13, 13, 14, 14], 4],
  ["1,400 rows of two classes", 12, [24, 13, 39, 39, 14, 13, 13, 13], 5],
];

/** Every event of such a training, with what was really left: epochs that had a best one `patience` before their end. */
function replay(patience: number, lengths: readonly number[], chosen: number) {
  const pace = trainingPace(STANDARD, patience);
  const again = lengths[chosen] - patience;
  const whole = lengths.reduce((sum, length) => sum + length, again);
  const events: { done: number; total: number; left: number }[] = [];
  const tell = (ahead: number): void => {
    for (const part of [0.5, 1]) {
      const { done, total } = pace.progress(ahead, part);
      events.push({ done, total, left: whole - done });
    }
    pace.finishEpoch(1);
  };
  lengths.forEach((length, at) => {
    for (let epoch = 0; epoch < length; epoch++)
      tell(pace.ahead(at, epoch, Math.min(epoch, length - patience)));
    if (at === chosen) pace.choose(at, again);
  });
  for (let epoch = 0; epoch < again; epoch++) tell(again - epoch);
  return { events, whole };
}

describe("after a fifth of the work the time to go is within a factor of two", () => {
  test.each(recorded)("%s", (_, patience, lengths, chosen) => {
    const { events, whole } = replay(patience, lengths, chosen);
    const judged = events.filter(({ done, left }) => done >= 0.2 * whole && left >= 0.05 * whole);
    expect(judged.length).toBeGreaterThan(50);
    for (const { done, total, left } of judged) {
      const factor = (total - done) / left;
      expect(Math.max(factor, 1 / factor)).toBeLessThanOrEqual(2);
    }
  });
});

test.each(recorded)("the share of %s never goes back, and ends at the whole", (_, ...run) => {
  const { events } = replay(...run);
  // To rounding: a share is told as two numbers.
  const shares = events.map(({ done, total }) => Number((done / total).toFixed(12)));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares[0]).toBeGreaterThan(0);
  expect(shares.at(-1)).toBe(1);
});

test("epochs that are sure to come are counted exactly", () => {
  const sure = { penalties: [0, 1], epochs: 10, trainAgain: false };
  const pace = trainingPace(sure, Number.POSITIVE_INFINITY);
  expect(pace.ahead(0, 3, 1)).toBe(17);
  expect(pace.ahead(1, 9, 9)).toBe(1);
});
