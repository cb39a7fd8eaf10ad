import { expect, test } from "vitest";
import { RatewiseError } from "../src/errors.ts";
import { mention, say } from "../src/words/words.ts";

const what = "needs 3 columns, got 2";

test("a message is composed of where, what and advice", () => {
  const told = (parts: object) => new RatewiseError("shape", { what, ...parts }).message;
  expect(told({})).toBe(what);
  expect(told({ in: "gemm" })).toBe(`gemm: ${what}`);
  expect(told({ in: "gemm", at: "X.npy" })).toBe(`X.npy: ${what}`);
  expect(told({ in: "gemm", advice: "transpose it" })).toBe(`gemm: ${what}; transpose it`);
});

test("where, option and details are fields, the cause is the error's own", () => {
  const cause = new Error("first");
  const error = new RatewiseError("domain", { in: "rate", what, option: "variant", row: 4, cause });
  expect(error.where).toBe("rate");
  expect(error.option).toBe("variant");
  expect(error.details).toEqual({ row: 4 });
  expect(error.cause).toBe(cause);
  expect("cause" in new RatewiseError("domain", { what })).toBe(false);
});

test("a place goes before the place that is there, and takes the place of the function", () => {
  const error = new RatewiseError("parse", { in: "readNpy", what, advice: "x", row: 4 });
  const inEntry = error.within("mean.npy");
  expect(inEntry.message).toBe(`mean.npy: ${what}; x`);
  const inFile = inEntry.within("a.npz");
  expect(inFile.message).toBe(`a.npz: mean.npy: ${what}; x`);
  expect(inFile.where).toBe("a.npz: mean.npy");
  expect(inFile).toMatchObject({ code: "parse", details: { row: 4 }, cause: inEntry });
  expect(error.inFunction("readNpz").message).toBe(`readNpz: ${what}; x`);
});

test("options are spoken of as the reader has them", () => {
  const error = new RatewiseError("domain", {
    in: "explain",
    what: say`needs ${mention("hidden")}, got ${2}`,
    advice: say`${say`use ${mention("missing", "mean")}`} or ${mention("ensemble", 5)}`,
  });
  expect(error.message).toBe('explain: needs hidden, got 2; use missing: "mean" or ensemble: 5');
  expect(error.text(({ option, value }) => `<${option}|${value}>`)).toBe(
    "needs <hidden|undefined>, got 2; use <missing|mean> or <ensemble|5>",
  );
});
