import { expect, test } from "vitest";
import { meanAbsolute } from "../../src/importance/index.ts";
import { fromRows } from "../../src/linalg/index.ts";

test("an attribution's aggregate is the mean of absolute values, a variable each", () => {
  const S = fromRows([
    [1, -2, 0],
    [-3, 2, 0],
  ]);
  expect([...meanAbsolute(S)]).toEqual([2, 2, 0]);
});
