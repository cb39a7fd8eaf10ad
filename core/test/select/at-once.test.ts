import { describe, expect, test } from "vitest";
import { inOrder } from "../../src/select/at-once.ts";

const pause = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : Promise.resolve().then(() => pause(turns - 1));

describe("work done at once", () => {
  test.each([1, 2, 3, 10])(
    "%i at a time gives the results in order, and no more are under way",
    async (atOnce) => {
      let under = 0;
      let most = 0;
      const results = await inOrder(7, atOnce, async (k) => {
        most = Math.max(most, ++under);
        await pause(20 - 2 * k);
        under--;
        return k * k;
      });
      expect(results).toEqual([0, 1, 4, 9, 16, 25, 36]);
      expect(most).toBe(Math.min(atOnce, 7));
    },
  );

  test("begins nothing after a failure, and gives its reason", async () => {
    const begun: number[] = [];
    const work = async (k: number): Promise<number> => {
      begun.push(k);
      await pause(k);
      if (k === 1) throw new Error("no");
      await pause(50);
      return k;
    };
    await expect(inOrder(9, 2, work)).rejects.toThrow("no");
    await pause(500);
    expect(begun).toEqual([0, 1]);
  });
});
