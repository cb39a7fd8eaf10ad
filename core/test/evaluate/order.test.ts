import { describe, expect, test } from "vitest";
import { endOfTie, stableOrder } from "../../src/evaluate/order.ts";
import { keyFromSeed, normalInto, permutation } from "../../src/random/index.ts";

describe("order", () => {
  test("the order of doubles of any sign and size is that of a comparison sort, and stable", () => {
    const values = new Float64Array(5000);
    normalInto(values, keyFromSeed(3));
    for (let j = 0; j < values.length; j++) {
      if (j % 3 === 0)
        values[j] = Math.round(values[j]); // ties, 0 and −0 among them
      else values[j] *= 10 ** ((j % 601) - 300);
    }
    values.set([1 / 0, -1 / 0, Number.MAX_VALUE, -Number.MIN_VALUE, Number.MIN_VALUE], 17);
    const expected = Array.from(values.keys()).sort((i, j) => values[i] - values[j] || i - j);
    expect([...stableOrder(values).index]).toEqual(expected);
  });

  test("values that differ in their last bits alone are told apart, few and many of them", () => {
    for (const length of [5, 40, 3000])
      for (const sign of [1, -1]) {
        const order = permutation(keyFromSeed(length), length);
        const values = Float64Array.from(order, (i) => sign * (1 + (i >> 1) * Number.EPSILON));
        const expected = [...values.keys()].sort((i, j) => values[i] - values[j] || i - j);
        expect([...stableOrder(values).index]).toEqual(expected);
        expect([...stableOrder(values).value]).toEqual(expected.map((i) => values[i]));
      }
  });

  test("NaN is left out, and a tie ends where its values do", () => {
    const order = stableOrder(Float64Array.of(2, Number.NaN, 1, 2, -0, 0));
    expect([...order.index]).toEqual([4, 5, 2, 0, 3]);
    expect([0, 2, 3].map((start) => endOfTie(order, start))).toEqual([2, 3, 5]);
  });
});
