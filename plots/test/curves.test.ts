import { expect, test } from "vitest";
import { type CurvePanel, curvesFigure } from "../src/index.ts";

const panels: CurvePanel[] = [
  {
    name: "n = 10",
    curves: [
      { name: "one", x: [0, 1, 2], y: [0.1, 0.5, 0.9], low: [0, 0.4, 0.8], high: [0.2, 0.6, 1] },
      { name: "two <b>", x: [0, 2], y: [0.3, 0.4] },
    ],
  },
  { name: "n = 20", curves: [{ name: "one", x: [0, 1], y: [0.2, 0.3] }] },
];
const options = {
  x: { label: "rows" },
  y: { label: "area" },
  description: "areas by rows",
  points: true,
};
const count = (svg: string, pattern: RegExp): number => svg.match(pattern)?.length ?? 0;

test("every curve is a line in its panel, those with a band have one, and every method is named once", () => {
  const svg = curvesFigure(panels, { ...options, points: false });
  expect(count(svg, />one</g)).toBe(1);
  expect(count(svg, />two &lt;b&gt;</g)).toBe(1);
  expect(svg).not.toContain("<b>");
  expect(svg).toContain("<title>areas by rows</title>");
  for (const words of ["n = 10", "n = 20", ">rows<", ">area<"]) expect(svg).toContain(words);
  // Ticks are paths from 0,0; areas close.
  const drawn = [...svg.matchAll(/<path[^>]* d="(M[^"]*L[^"]*)"/g)]
    .map(([, path]) => path)
    .filter((path) => !/^M0,/.test(path));
  expect(drawn.filter((path) => path.endsWith("Z"))).toHaveLength(1);
  expect(drawn.filter((path) => !path.endsWith("Z"))).toHaveLength(3);
  expect(count(svg, /stroke-dasharray="7 3"/g)).toBe(1);
});

test("a logarithmic axis spaces ratios alike, and other numbers draw another figure", () => {
  const log = curvesFigure(panels.slice(1), {
    ...options,
    y: { label: "area", log: true, domain: [0.01, 1] },
  });
  const linear = curvesFigure(panels.slice(1), {
    ...options,
    y: { label: "area", domain: [0.01, 1] },
  });
  expect(log).not.toBe(linear);
  const moved = [{ name: "n = 20", curves: [{ name: "one", x: [0, 1], y: [0.2, 0.31] }] }];
  expect(curvesFigure(moved, options)).not.toBe(curvesFigure(panels.slice(1), options));
});

test("a lone tick stands in the middle of its axis", () => {
  const placed = (x: number, ticks: readonly number[]): number => {
    const alone = [{ name: "only", curves: [{ name: "one", x: [x], y: [0.5] }] }];
    const svg = curvesFigure(alone, { ...options, x: { label: "rows", log: true, ticks } });
    return Number(/<circle [^>]*cx="([\d.]+)"/.exec(svg)![1]);
  };
  const ends = [3000, 10_000];
  const [left, right] = ends.map((x) => placed(x, ends));
  expect(right - left).toBeGreaterThan(500);
  expect(placed(3000, [3000])).toBeCloseTo((left + right) / 2, 6);
});

test("eight methods have signs of their own, and panels may be taller", () => {
  const many = [
    {
      name: "all",
      curves: Array.from({ length: 8 }, (_, k) => ({ name: `m${k}`, x: [0, 1], y: [k, k] })),
    },
  ];
  const svg = curvesFigure(many, { ...options, panelHeight: 300 });
  for (const sign of ["●", "■", "▲", "◆", "★", "✚", ">Y<", "⬢"]) expect(svg).toContain(sign);
  const height = (text: string): number => Number(/ height="(\d+)"/.exec(text)![1]);
  expect(height(svg) - height(curvesFigure(many, options))).toBe(90);
});
