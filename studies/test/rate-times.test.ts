import { expect, test } from "vitest";
import { rateTimes } from "../src/rate-times.ts";

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
  const clock = { ...seconds, RATE: 60.5 };
  const [minutes, byClock, share, own, alone, together] = rateTimes(
    { seconds: clock, processorSeconds: seconds },
    stages,
    1,
  );
  expect(minutes).toMatchObject({ ours: expect.closeTo(16.5 / 60, 12), holds: true });
  expect(byClock).toMatchObject({ ours: expect.closeTo(76.5 / 60, 12), holds: null });
  expect(share).toMatchObject({ ours: expect.closeTo(0.01, 12), bar: { at: "most", value: 0.01 } });
  // What is counted came after shares had been seen.
  expect(share.settledAfterwards).toBe(true);
  expect(own.ours).toBe(0.5);
  expect(alone.ours).toBeCloseTo(0.5 / 16.5, 12);
  expect(together.ours).toBeCloseTo(5.5 / 50, 12);
  const slower = { seconds, processorSeconds: { ...seconds, RATE: 0.6 } };
  const [late, , missed] = rateTimes(slower, stages, 0.1);
  expect(late.holds).toBe(false);
  expect(missed.holds).toBe(false);
});
