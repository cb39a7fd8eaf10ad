import { expect, test } from "vitest";
import { didYouMean } from "../../src/words/suggest.ts";

test("the nearest word is suggested, and none where nothing is near", () => {
  const known = ["rank", "demo", "explain"];
  expect(didYouMean("rnak", known)).toBe('; did you mean "rank"?');
  expect(didYouMean("dmeo", known)).toBe('; did you mean "demo"?');
  expect(didYouMean("EXPLIAN", known)).toBe('; did you mean "explain"?');
  expect(didYouMean("frobnicate", known)).toBe("");
});
