import type { ExplainDocument } from "@ratewise/core/explain";
import { expect, test } from "vitest";
import { importanceFigure } from "../src/index.ts";

const variables = [
  { name: "a name of twenty-five letters", rank: 1, rate: 1, direct: { rate: 1, rank: 1 } },
] as unknown as ExplainDocument["variables"];

test("a narrow figure cuts names and has its key in two lines", () => {
  const wide = importanceFigure({ variables, target: "y" });
  const narrow = importanceFigure({ variables, target: "y" }, { width: 330 });
  expect(wide).toContain("a name of twenty-five");
  expect(narrow).not.toContain("a name of twenty-five");
  expect(narrow).toContain("a name of twenty-fi…");
  expect(narrow).toContain('width="330"');
  const key = (svg: string) => svg.split("<g ").filter((part) => /[●◆]/.test(part));
  expect(key(narrow)).toHaveLength(2);
  const drops = (svg: string) => new Set(key(svg).map((part) => /,([-\d.]+)\)/.exec(part)?.[1]));
  expect(drops(wide).size).toBe(1);
  expect(drops(narrow).size).toBe(2);
});
