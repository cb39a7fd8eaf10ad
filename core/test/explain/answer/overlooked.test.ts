import { expect, test } from "vitest";
import { overlookedByRate } from "../../../src/explain/answer/overlooked.ts";
import type { ExplainedVariable } from "../../../src/explain/index.ts";

/** Shares in the order of RATE. */
const rows = (shares: readonly (readonly [string, number, number])[]): ExplainedVariable[] => {
  const place = (values: readonly number[], at: number) =>
    1 + values.filter((value) => value > values[at]).length;
  return shares.map(([name, rate, direct], j) => ({
    name,
    rank: place(
      shares.map((share) => share[1]),
      j,
    ),
    rate,
    kld: 0,
    kldExact: null,
    mutualInformation: null,
    mean: null,
    sd: null,
    direct: {
      rate: direct,
      rank: place(
        shares.map((share) => share[2]),
        j,
      ),
    },
    standInFor: null,
    selected: null,
    pValue: null,
    qValue: null,
    topK: null,
    rankInterval: null,
  }));
};

test("a variable that is used four times as much as RATE shows is named, the most used first", () => {
  const [note, ...more] = overlookedByRate(
    rows([
      ["along", 0.9, 0.2],
      ["curve", 0.06, 0.3],
      ["apart", 0.04, 0.5],
      ["nothing", 0, 0],
    ]),
  );
  expect(more).toEqual([]);
  expect(note).toMatchObject({
    code: "overlooked-by-rate",
    count: 2,
    names: ["apart", "curve"],
  });
  expect(note.message).toContain(
    "The model uses apart (direct rank 1, RATE rank 3), curve (direct rank 2, RATE rank 2), which RATE hardly sees",
  );
});

test("nothing is said of a share below average, or less than four times the other", () => {
  const none = overlookedByRate(
    rows([
      ["a", 0.8, 0.6],
      ["b", 0.12, 0.35],
      ["c", 0.08, 0.05],
    ]),
  );
  expect(none).toEqual([]);
  const without = rows([["a", 0.01, 0.9]]).map((row) => ({ ...row, direct: null }));
  expect(overlookedByRate(without)).toEqual([]);
});
