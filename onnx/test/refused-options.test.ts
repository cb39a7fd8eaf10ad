import type { RatewiseError } from "@ratewise/core";
import { expect, test } from "vitest";
import { columnOf, responseOf } from "../src/response.ts";

const texts = columnOf(["yes", "no", "yes"]);
const halves = columnOf([0.5, 1, 0]);

test.each<[string, () => unknown]>([
  ["target", () => responseOf(texts, "identity", 1, undefined)],
  ["target", () => responseOf(halves, "logistic", 1, undefined)],
  ["classes", () => responseOf(null, "softmax", 3, ["a", "b"])],
  ["classes", () => responseOf(texts, "softmax", 3, undefined)],
  ["classes", () => responseOf(texts, "logistic", 1, ["a", "b"])],
])("an error about a network's response carries the option %s", (option, call) => {
  const refused = (): RatewiseError | null => {
    try {
      call();
    } catch (error) {
      return error as RatewiseError;
    }
    return null;
  };
  expect(refused()?.option).toBe(option);
});
