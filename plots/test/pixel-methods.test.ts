import { expect, test } from "vitest";
import { pixelMapsFigure, pixelTriangleFigure } from "../src/index.ts";

const methods = [
  { method: "RATE", scores: [0, 0, 6, 12] },
  { method: "a <mimic>", scores: [1, 1, 1, 0.5] },
];

function numberAt(element: string, name: string): number {
  return Number(new RegExp(` ${name}="([^"]*)"`).exec(element)![1]);
}

test("pixels lie row by row, the most important darkest, equal neighbours as one stretch", () => {
  const svg = pixelMapsFigure(methods, { columns: 2, width: 114 });
  const cells = Array.from(svg.matchAll(/<rect fill-opacity=[^>]*>/g), ([cell]) =>
    ["x", "y", "width", "height", "fill-opacity"].map((name) => numberAt(cell, name)),
  );
  // Two maps of 2×2 cells of 25, 14 apart, below titles of 24.
  expect(cells).toEqual([
    [0, 49, 25, 25, 0.5],
    [25, 49, 25, 25, 1],
    [64, 24, 50, 25, 1],
    [64, 49, 25, 25, 1],
    [89, 49, 25, 25, 0.5],
  ]);
  expect(svg).toContain("a &lt;mimic&gt;");
});

test("below the diagonal every pixel is a point at its two ranks, above it stands Spearman's correlation", () => {
  const svg = pixelTriangleFigure(methods, {
    columns: 2,
    width: 114,
    spearman: [
      [1, -0.63],
      [-0.63, 1],
    ],
    ranks: [
      [1.5, 1.5, 3, 4],
      [3, 3, 3, 1],
    ],
  });
  const points = Array.from(svg.matchAll(/<circle [^>]*>/g), ([point]) =>
    ["cx", "cy"].map((name) => numberAt(point, name)),
  );
  // The panel is at (0, 38 + 64), 50 wide; ranks 1 … 4 lie from 3 to 47, upward.
  expect(points).toEqual([
    [10, 120],
    [10, 120],
    [32, 120],
    [47, 149],
  ]);
  expect(svg).toContain(">−0.63<");
  expect(svg.match(/<g class="dot"/g)).toHaveLength(1);
});

test("names too long for a narrow panel stand in two lines", () => {
  const methods = ["RATE", "integrated gradient"].map((method) => ({
    method,
    scores: [0, 1, 1, 0],
  }));
  const ranks = [Array.from({ length: 4 }, (_, j) => j + 1)];
  const triangle = (width: number): string =>
    pixelTriangleFigure(methods, {
      ...{ columns: 2, width, spearman: [[1], [0.5, 1]], ranks: [...ranks, ...ranks] },
    });
  expect(triangle(200)).toMatch(/<tspan[^>]*>integrated<\/tspan><tspan[^>]*>gradient</);
  expect(triangle(600)).toContain(">integrated gradient<");
});
