import { keyFromSeed } from "@ratewise/core";
import { expect, test } from "vitest";
import { rankingOf } from "../src/ranking.ts";
import { curveNamed, shuffleCurves } from "../src/shuffle-curves.ts";

test("variables are ranked from the largest score down, ties by place", () => {
  expect([...rankingOf(Float64Array.of(0.1, 3, 0, 3)).order]).toEqual([1, 3, 0, 2]);
});

test("curves are means over repeats, areas lie under them, and equal orders are walked once", async () => {
  const walks: string[] = [];
  const walk = async (order: Uint32Array, repeat: number, counts: readonly number[]) => {
    walks.push(`${order.join("")}/${repeat}`);
    // Falls by 0.1 for each variable; the second repeat lies 0.2 higher.
    return counts.map((count) => 1 - count / 10 + 0.2 * repeat);
  };
  const orders = {
    one: Uint32Array.of(2, 0, 1, 3),
    other: Uint32Array.of(3, 2, 1, 0),
    same: Uint32Array.of(2, 0, 1, 3),
  };
  const events: number[] = [];
  const curves = await shuffleCurves(walk, orders, {
    key: keyFromSeed(1),
    variables: 4,
    points: 3,
    repeats: 2,
    randomOrders: 3,
    onProgress: ({ done, total }) => events.push(done / total),
  });
  expect(curves.counts).toEqual([0, 2, 4]);
  expect(curves.curves.map(({ name }) => name)).toEqual(["one", "other", "same", "random"]);
  expect(walks).toHaveLength(2 * 2 + 3);
  expect(walks.slice(0, 4)).toEqual(["2013/0", "2013/1", "3210/0", "3210/1"]);
  expect(events.at(-1)).toBe(1);
  const { scores, area, areaStandardError } = curveNamed(curves, "same");
  expect(scores).toEqual([1.1, 0.9, 0.7].map((score) => expect.closeTo(score, 12)));
  expect(area).toBeCloseTo(0.9, 12);
  // Areas 0.8 and 1: a standard deviation of 0.2/√2, over √2.
  expect(areaStandardError).toBeCloseTo(0.1, 12);
  // Random orders take the repeats in turn: 0.8, 1, 0.8.
  expect(curveNamed(curves, "random").area).toBeCloseTo(2.6 / 3, 12);
});

test("the area is that under the curve: its ends count half", async () => {
  const walk = async (_: Uint32Array, __: number, counts: readonly number[]) =>
    counts.map((count) => (count < 4 ? 1 : 0));
  const options = { key: keyFromSeed(1), variables: 4, repeats: 2, randomOrders: 2 };
  const areaOf = async (points: number) => {
    const curves = await shuffleCurves(
      walk,
      { one: Uint32Array.of(0, 1, 2, 3) },
      { ...options, points },
    );
    return curveNamed(curves, "one").area;
  };
  expect(await areaOf(3)).toBeCloseTo(0.75, 12);
  expect(await areaOf(5)).toBeCloseTo(0.875, 12);
});
