import { expect, test } from "vitest";
import { rateShareFindings } from "../src/rate-share.ts";
import { wholeSearchMinutes } from "../src/searched-mimic.ts";

test("the share of RATE is in reading, training, effect sizes and other methods; searches and other stages are not counted", () => {
  const seconds = {
    read: 1,
    train: 10,
    hidden: 2,
    effects: 3,
    RATE: 0.5,
    forest: 33.5,
    search: 1000,
  };
  const stages = {
    ...{ rate: "RATE", before: ["hidden", "effects"] },
    ...{ trained: ["read", "train"], others: ["forest"] },
  };
  const [share, own, alone, together] = rateShareFindings(seconds, stages);
  expect(share).toMatchObject({ ours: expect.closeTo(0.01, 12), bar: { at: "most", value: 0.01 } });
  // What is counted came after shares had been seen.
  expect(share.settledAfterwards).toBe(true);
  expect(own.ours).toBe(0.5);
  expect(alone.ours).toBeCloseTo(0.5 / 16.5, 12);
  expect(together.ours).toBeCloseTo(5.5 / 50, 12);
  const [missed] = rateShareFindings({ ...seconds, RATE: 0.6 }, stages);
  expect(missed.holds).toBe(false);
});

test("what 30 models by 5 folds would take follows from the fits of a smaller search and the rows they learn from", () => {
  // 4 candidates by 2 folds: 8 fits on half of the rows; 30 by 5: 150 fits on four fifths of them.
  expect(wholeSearchMinutes(60, { candidates: 4, folds: 2 })).toBeCloseTo(
    (150 * 0.8) / (8 * 0.5),
    12,
  );
  expect(wholeSearchMinutes(60, { candidates: 30, folds: 5 })).toBeCloseTo(1, 12);
});
