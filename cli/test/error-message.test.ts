import { RatewiseError } from "@ratewise/core";
import { expect, test } from "vitest";
import { errorMessage } from "../src/output/error-message.ts";

const messageOf = (message: string, details: Record<string, unknown> = {}) =>
  errorMessage(new RatewiseError("domain", message, details));

test("a function's name is not shown, wherever it stands before the matter", () => {
  expect(messageOf("readNpz: needs a ZIP archive")).toBe("needs a ZIP archive");
  expect(messageOf("a.npz: readNpz: needs a ZIP archive")).toBe("a.npz: needs a ZIP archive");
  expect(messageOf("net.onnx: refitLastLayer: needs a response")).toBe(
    "net.onnx: needs a response",
  );
  expect(messageOf("rate: needs at least 2 variables")).toBe("needs at least 2 variables");
});

test("names of files stay, also when they are called like a function", () => {
  expect(messageOf("myTable: there is no such file")).toBe("myTable: there is no such file");
  expect(messageOf("rate: there is no such file", { path: "rate" })).toBe(
    "rate: there is no such file",
  );
  expect(errorMessage(new RatewiseError("usage", "explain: needs one table"))).toBe(
    "explain: needs one table",
  );
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
