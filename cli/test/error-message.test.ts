import { RatewiseError } from "@ratewise/core";
import { mention, say } from "@ratewise/core/words";
import { expect, test } from "vitest";
import { errorMessage, reasonText } from "../src/output/error-message.ts";

test("a function's name is not shown, a place is", () => {
  const refused = new RatewiseError("domain", { in: "readNpz", what: "needs a ZIP archive" });
  expect(errorMessage(refused)).toBe("needs a ZIP archive");
  expect(errorMessage(refused.within("a.npz"))).toBe("a.npz: needs a ZIP archive");
  expect(errorMessage(refused.within("mean").within("a.npz"))).toBe(
    "a.npz: mean: needs a ZIP archive",
  );
});

test("files that are called like a function keep their name", () => {
  const what = "there is no such file";
  expect(errorMessage(new RatewiseError("domain", { at: "rate", what }))).toBe(`rate: ${what}`);
});

test("options are spoken of as flags", () => {
  const error = new RatewiseError("domain", {
    in: "explain",
    what: say`needs ${mention("testFraction")} below 1`,
    advice: say`use ${mention("missing", "mean")}`,
  });
  expect(errorMessage(error)).toBe("needs --test-fraction below 1; use --missing mean");
  expect(reasonText(error.within("t.csv"))).toBe(errorMessage(error));
  expect(error.message).toBe('explain: needs testFraction below 1; use missing: "mean"');
});

test("what is not a refusal is a fault of ours, but for memory and disk", () => {
  expect(errorMessage(new TypeError("x is undefined"))).toContain("ratewise has a bug");
  expect(errorMessage(new RangeError("Array buffer allocation failed"))).toBe(
    "not enough memory (Array buffer allocation failed)",
  );
  expect(errorMessage(Object.assign(new Error("write"), { code: "ENOSPC" }))).toContain(
    "the disk is full",
  );
});
