import { describe, expect, test } from "vitest";
import { agreementFigure, pixelFigure, reliabilityFigure, shuffleFigure } from "../src/index.ts";

/** Where each text of a figure with these words begins: x and y in the whole drawing. */
function placeOf(svg: string, words: string): { readonly x: number; readonly y: number } {
  const at = svg.indexOf(`>${words}</text>`);
  expect(at, words).toBeGreaterThan(0);
  const before = svg.slice(0, at);
  const shifts = [
    ...before.slice(before.lastIndexOf("<g")).matchAll(/translate\(([-\d.]+),([-\d.]+)\)/g),
  ];
  return {
    x: shifts.reduce((sum, [, x]) => sum + Number(x), 0),
    y: shifts.reduce((sum, [, , y]) => sum + Number(y), 0),
  };
}

const heightOf = (svg: string) => Number(/viewBox="0 0 [\d.]+ ([\d.]+)"/.exec(svg)![1]);

describe("on a phone", () => {
  const variables = Array.from({ length: 12 }, (_, i) => ({
    name: `r${Math.floor(i / 4)}c${i % 4}`,
    rate: i / 66,
    direct: { rate: (11 - i) / 66 },
  }));
  const [rate, direct] = ["RATE: moves with the prediction", "direct: the model uses it"];

  test("the two images of pixels stand one below the other, so that their titles do not meet", () => {
    const wide = pixelFigure({ variables, target: "digit" });
    expect(placeOf(wide, rate).y).toBe(placeOf(wide, direct).y);
    expect(placeOf(wide, direct).x).toBeGreaterThan(placeOf(wide, rate).x + 300);
    const narrow = pixelFigure({ variables, target: "digit" }, { width: 340 });
    expect(placeOf(narrow, rate).x).toBe(placeOf(narrow, direct).x);
    // Three rows of four pixels, as wide as the figure, and a line for each title.
    expect(heightOf(narrow)).toBeCloseTo(2 * (30 + (3 * 340) / 4), 0);
    expect(placeOf(narrow, direct).y - placeOf(narrow, rate).y).toBeCloseTo(30 + (3 * 340) / 4, 0);
  });

  test("the key of a reliability figure stands below its frame", () => {
    const bin = { count: 5, predicted: 0.9, observed: 0.1 };
    const probabilities = { class: "ill", error: 0.1, bins: [bin] };
    const svg = reliabilityFigure(
      { calibration: { intervals: null, confusion: null, probabilities } } as never,
      { width: 340 },
    );
    expect(placeOf(svg, "larger dots: more rows").y).toBeGreaterThan(340 - 62);
  });

  test("correlations have no zero before the point, and panels two in a row", () => {
    const methods = [{ name: "one" }, { name: "two" }] as never;
    const spearman = [
      [1, 0.54],
      [0.54, 1],
    ];
    expect(agreementFigure({ methods, spearman })).toContain(">0.54<");
    expect(agreementFigure({ methods, spearman }, { width: 340 })).toMatch(/>1<.*>\.54</s);
    const curves = ["a", "b", "c", "d", "random"].map((name, at) => ({
      name,
      scores: [1, at / 9],
    }));
    const shuffle = { metric: "r2" as const, counts: [0, 1], curves };
    const wide = shuffleFigure({ shuffle });
    const narrow = shuffleFigure({ shuffle }, { width: 340 });
    expect(heightOf(narrow)).toBeGreaterThan(heightOf(wide) + 100);
  });
});
