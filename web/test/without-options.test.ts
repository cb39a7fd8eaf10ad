import { expect, test } from "vitest";
import { withoutOptions } from "../src/views/without-options.ts";

test.each([
  ["3 rows are left out; --missing mean keeps them.", "3 rows are left out."],
  ["Values are missing. --missing drop leaves them out, mean fills them.", "Values are missing."],
  ["May differ by more. --ensemble 5 includes some of that.", "May differ by more."],
  ["--classes says otherwise", ""],
  [
    "Only 2 whole numbers, so they are classes; use --task regression to predict a number.",
    "Only 2 whole numbers, so they are classes.",
  ],
  [
    "Not known: no response was given (--target). Add one.",
    "Not known: no response was given. Add one.",
  ],
  [
    "They are ranked, not selected. Use --by permutation, or groups that share none.",
    "They are ranked, not selected.",
  ],
  ["A range of 1--2 and x -- y stay.", "A range of 1--2 and x -- y stay."],
])("%s", (message, expected) => {
  expect(withoutOptions(message)).toBe(expected);
});
