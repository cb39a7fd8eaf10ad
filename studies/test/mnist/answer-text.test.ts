import { describe, expect, test } from "vitest";
import { agreementOf, agreementText } from "../../src/mnist/agreement.ts";
import { type Answered, answerText } from "../../src/mnist/answer-text.ts";
import { QUESTIONS } from "../../src/mnist/question.ts";
import { rankingOf } from "../../src/ranking.ts";

test("agreement is told by the least, the median and the largest correlation, and by who is farthest", () => {
  const agreement = agreementOf(
    ["a", "b", "c", "d"],
    [
      [1, 0.9, 0.2, 0.6],
      [0.9, 1, 0.3, 0.5],
      [0.2, 0.3, 1, 0.1],
      [0.6, 0.5, 0.1, 1],
    ],
  );
  expect(agreement).toEqual({
    least: { names: ["c", "d"], correlation: 0.1 },
    median: expect.closeTo(0.4, 12),
    most: { names: ["a", "b"], correlation: 0.9 },
    apart: { name: "c", mean: expect.closeTo(0.2, 12) },
  });
  expect(agreementText(agreement, 4)).toBe(
    "Do the 4 methods agree? Partly: Spearman's correlation of two of them goes from 0.10 (c and d) to 0.90 (a and b) and is 0.40 in the median. Farthest from the others is c, with 0.20 on average.",
  );
  expect(agreementText({ ...agreement, median: 0.39 }, 4)).toContain("agree? Hardly:");
  expect(agreementText({ ...agreement, median: 0.8 }, 4)).toContain("agree? Mostly:");
});

describe("the answer of a question", () => {
  const [zerosOnes, evensOdds] = QUESTIONS;
  const answered = (areas: Readonly<Record<string, number>>): Answered => {
    const names = Object.keys(areas).filter((name) => name !== "random");
    return {
      images: [10, 2000],
      accuracy: 0.9912,
      rankings: Object.fromEntries(names.map((name) => [name, rankingOf(Float64Array.of(1, 2))])),
      spearman: names.map((_, i) => names.map((__, k) => (i === k ? 1 : 0.5))),
      curves: {
        counts: [],
        curves: Object.entries(areas).map(([name, area]) => ({
          ...{ name, area, scores: [], areaStandardError: 0.001 },
        })),
      },
    };
  };
  // Four methods by five shuffles: 16 degrees of freedom, t is 2.12.
  const walked = { repeats: 5, randomOrders: 10 };
  const behind = { RATE: 0.66, "RF mimic": 0.65, "GBM mimic": 0.64, gradient: 0.63, random: 0.7 };

  test("says that RATE is not among the best where the paper has it there and it is last", () => {
    const [, agree, confirmed, beside] = answerText(evensOdds, answered(behind), walked);
    expect(agree).toMatch(/^Do the 4 methods agree\? Partly/);
    expect(confirmed).toContain(
      "RATE is number 4 of 4 by that, told apart from every other; the best is gradient (0.6300 ± 0.0010).",
    );
    expect(beside).toContain("RATE does not match the better mimic here, the GBM mimic (0.6400");
    expect(beside).toMatch(
      /That it is among the best is not confirmed: it is the last of all here\.$/,
    );
  });

  test("says which methods cannot be told from RATE", () => {
    const near = { ...behind, "RF mimic": 0.6575, "GBM mimic": 0.69 };
    const [, , confirmed, beside] = answerText(zerosOnes, answered(near), walked);
    expect(confirmed).toContain(
      "RATE is number 3 of 4 by that, but cannot be told apart from RF mimic (0.6575 ± 0.0010); the best is gradient",
    );
    expect(beside).toMatch(
      /RATE matches the better mimic here, the RF mimic \(0\.6575 ± 0\.0010\)\.$/,
    );
  });

  test("does not take from RATE what it has", () => {
    const [, , confirmed, beside] = answerText(
      evensOdds,
      answered({ ...behind, RATE: 0.6 }),
      walked,
    );
    expect(confirmed).toMatch(/RATE is number 1 of 4 by that, told apart from every other\.$/);
    expect(beside).toMatch(/matches the better mimic.* It is among the best here too\.$/);
  });
});
