import { expect, test } from "vitest";
import { estimatesFigure } from "../src/index.ts";

test("every estimate is a point, every mean a tick, every truth a line", () => {
  const svg = estimatesFigure(
    [
      { name: "one", estimates: [{ name: "x1", values: [1, 2, 3] }] },
      {
        name: "two <b>",
        estimates: [
          { name: "x1", values: [4, 5] },
          { name: "x2", values: [6] },
        ],
      },
    ],
    { truths: [2, -2] },
  );
  expect(svg.match(/<circle/g)).toHaveLength(6);
  expect(svg).toContain("two &lt;b&gt;");
  expect(svg).not.toContain("<b>");
  const moved = estimatesFigure([{ name: "one", estimates: [{ name: "x1", values: [1, 2, 9] }] }]);
  expect(moved).not.toBe(
    estimatesFigure([{ name: "one", estimates: [{ name: "x1", values: [1, 2, 3] }] }]),
  );
});
