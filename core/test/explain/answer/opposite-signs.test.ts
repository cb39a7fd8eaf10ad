import { expect, test } from "vitest";
import type { CurveShape } from "../../../src/explain/answer/curve-shape.ts";
import { oppositeSigns } from "../../../src/explain/answer/opposite-signs.ts";
import type { EffectShape } from "../../../src/explain/answer/shape-of-effects.ts";

const shape = (name: string, ...shapes: (CurveShape | null)[]): EffectShape => ({
  name,
  kind: "number",
  values: [0, 1],
  curves: shapes.map((word) => ({
    class: null,
    mean: [0, 1],
    low: [0, 1],
    high: [0, 1],
    shape: word,
  })),
  rows: 2,
});

test("a curve against a clear effect is named, in either direction", () => {
  const [note, ...others] = oppositeSigns(
    [
      { name: "up", mean: 3, sd: 1 },
      { name: "down", mean: -3, sd: 1 },
    ],
    [shape("down", "rises"), shape("up", "falls")],
  );
  expect(others).toEqual([]);
  expect(note).toMatchObject({ code: "opposite-signs", count: 2, names: ["down", "up"] });
  expect(note.message).toContain(
    "the prediction is low where down is high, but it rises when only down grows; the prediction is high where up is high, but it falls when only up grows.",
  );
});

test.each<[number | null, number | null, (CurveShape | null)[]]>([
  [3, 1, ["rises"]],
  [-3, 1, ["falls"]],
  [1.9, 1, ["falls"]],
  [3, 1, ["flat"]],
  [3, 1, ["falls, then rises"]],
  [3, 1, ["falls", "falls"]],
  [null, null, [null]],
])("an effect of %d ± %d with %j has no two directions", (mean, sd, words) => {
  expect(oppositeSigns([{ name: "x", mean, sd }], [shape("x", ...words)])).toEqual([]);
});
