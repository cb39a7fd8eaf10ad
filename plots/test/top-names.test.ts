import { expect, test } from "vitest";
import { topNamesFigure } from "../src/index.ts";

test("every name is a bar with its sign, scaled within its method", () => {
  const svg = topNamesFigure(
    [
      {
        method: "RATE",
        top: [
          { name: "bad", share: 0.4, direction: "down" },
          { name: "great", share: 0.2, direction: "up" },
        ],
      },
      { method: "a <mimic>", top: [{ name: "plot", share: 0.01, direction: null }] },
    ],
    { up: "good", down: "poor" },
  );
  const widths = Array.from(svg.matchAll(/<rect [^>]*?width="([\d.]+)"/g), ([, width]) =>
    Number(width),
  );
  expect(widths).toHaveLength(3);
  expect(widths[1]).toBeCloseTo(widths[0] / 2, 6);
  expect(widths[2]).toBeCloseTo(widths[0], 6);
  for (const words of ["− bad", "+ great", "+ good", "− poor", "a &lt;mimic&gt;"])
    expect(svg).toContain(words);
});

test("the key has room for long words", () => {
  const places = (down: string): number[] => {
    const top = [{ name: "bad", share: 1, direction: "down" } as const];
    const svg = topNamesFigure([{ method: "RATE", top }], { up: "good", down });
    return Array.from(svg.matchAll(/translate\((\d+),-46\)/g), ([, x]) => Number(x));
  };
  const [[first, second], [, later]] = [places("poor"), places("poor reviews of the year")];
  expect(second - first).toBeGreaterThan(7 * "− poor".length);
  expect(later - second).toBe(7 * " reviews of the year".length);
});
