import { describe, expect, test } from "vitest";
import { changesOf, sameShares } from "../src/what-if.ts";

const row = (name: string, rank: number | null, rate: number | null) => ({ name, rank, rate });
const before = [row("a", 2, 0.3), row("b", 1, 0.5), row("c", 3, 0.15), row("d", 4, 0.05)];

describe("what changes when a variable is taken for zero", () => {
  const after = [row("a", 1, 0.6), row("b", null, null), row("c", 3, 0.1), row("d", 2, 0.3)];
  const changes = changesOf(before, after);

  test("ranks before are those among the variables that are left", () => {
    expect(changes.map(({ rankBefore }) => rankBefore)).toEqual([1, null, 2, 3]);
  });

  test("who keeps its place among them has not moved", () => {
    expect(changes.map(({ moved }) => moved)).toEqual([0, null, -1, 1]);
  });

  test("shares stay as they were, that of the one taken for zero too", () => {
    expect(changes.map(({ rateBefore }) => rateBefore)).toEqual([0.3, 0.5, 0.15, 0.05]);
    expect(changes.map(({ rate }) => rate)).toEqual([0.6, null, 0.1, 0.3]);
  });
});

test("shares that differ by rounding alone are the same, others are not", () => {
  const nearly = before.map(({ name, rank, rate }) => row(name, rank, rate! + 1e-14));
  expect(sameShares(before, nearly)).toBe(true);
  expect(sameShares(before, [row("a", 2, 0.31), ...before.slice(1)])).toBe(false);
  expect(sameShares(before, [row("a", null, null), ...before.slice(1)])).toBe(false);
});
