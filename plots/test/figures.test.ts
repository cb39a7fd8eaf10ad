import type { CompareDocument, EffectShape, ExplainDocument } from "@ratewise/core/explain";
import { describe, expect, test } from "vitest";
import {
  agreementFigure,
  groupFigure,
  importanceFigure,
  label,
  lightPalette,
  predictionFigure,
  reliabilityFigure,
  shapeDomain,
  shapeFigure,
  shuffleFigure,
} from "../src/index.ts";
import { figurePng } from "../src/png.ts";
import { spread } from "../src/spread.ts";

const hostile = "<script>alert(1)</script>";
const row = (name: string, rank: number, rate: number, direct: number) =>
  ({ name, rank, rate, direct: { rate: direct, rank } }) as ExplainDocument["variables"][number];
const variables = [row("b", 2, 0.25, 0.75), row(hostile, 1, 0.75, 0.25)];
const importance = { target: "y", variables };

/** x positions of the marks of one kind, in order of the rows. */
const positions = (svg: string, kind: "circle" | "path"): number[] => {
  const group = svg.split("<g ").filter((part) => part.includes('class="dot"'));
  const of = group.find((part) => part.includes(`<${kind}`))!;
  return kind === "circle"
    ? [...of.matchAll(/cx="([\d.]+)"/g)].map(([, x]) => Number(x))
    : [...of.matchAll(/<path [^>]*translate\(([\d.]+),/g)].map(([, x]) => Number(x));
};

describe("the importance figure", () => {
  const svg = importanceFigure(importance);

  test("places shares in proportion, best first, both kinds on one scale", () => {
    const [best, second] = positions(svg, "circle");
    const [bestDirect, secondDirect] = positions(svg, "path");
    expect(best).toBeCloseTo(secondDirect, 1);
    expect(second).toBeCloseTo(bestDirect, 1);
    const zero = second - (best - second) / 2;
    expect((best - zero) / (second - zero)).toBeCloseTo(3, 1);
    expect(svg.indexOf("&lt;script&gt;")).toBeLessThan(svg.indexOf(">b<"));
  });

  test("is an SVG of its own with a name for those who do not see it, and no markup from names", () => {
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toMatch(/role="img"/);
    expect(svg).toContain("<title>Importance of the variables for y</title>");
    expect(svg).not.toContain("<script");
  });

  test("takes the colours it is given, CSS variables too", () => {
    const themed = importanceFigure(importance, {
      palette: { ...lightPalette, rate: "var(--rate)" },
    });
    expect(themed).toContain('fill="var(--rate)"');
    expect(themed).not.toContain(lightPalette.rate);
  });

  test("two long names that begin alike stay two rows", () => {
    const long = (end: string, rank: number) => row("a".repeat(60) + end, rank, 0.5, 0.5);
    const drawn = importanceFigure({ target: "y", variables: [long("1", 1), long("2", 2)] });
    expect(drawn.match(/a{27}…/g)).toHaveLength(2);
  });

  test("groups are drawn the same way", () => {
    const groups = variables.map((variable) => ({ ...variable, size: 2 }));
    expect(positions(groupFigure({ target: "y", groups }), "circle")).toEqual(
      positions(svg, "circle"),
    );
  });
});

test("predictions stand at their values, and agreement on the diagonal", () => {
  const predictions = {
    of: 3,
    row: [1, 2, 3],
    observed: [0, 50, 100],
    predicted: [0, 100, 100],
    sd: [1, 1, 1],
    probability: null,
  };
  const svg = predictionFigure({ target: "y", predictions });
  const x = positions(svg, "circle");
  expect(x[1]).toBeCloseTo(x[2], 6);
  expect(x[0]).toBeLessThan(x[1]);
  const y = [...svg.matchAll(/cy="([\d.]+)"/g)].map(([, value]) => Number(value));
  expect(y[1]).toBeCloseTo((y[0] + y[2]) / 2, 0);
});

test("reliability has one dot a bin that holds rows", () => {
  const bin = (from: number, count: number, observed: number | null) => ({
    from,
    to: from + 0.1,
    count,
    predicted: observed === null ? null : from + 0.05,
    observed,
  });
  const bins = [bin(0, 4, 0.1), bin(0.1, 0, null), bin(0.8, 16, 0.9)];
  const svg = reliabilityFigure({
    calibration: {
      intervals: null,
      confusion: null,
      probabilities: {
        class: "yes",
        bins,
        error: 0,
        test: { statistic: 0, degrees: 1, pValue: 1 },
      },
    },
  });
  expect(positions(svg, "circle")).toHaveLength(2);
  const radii = [...svg.matchAll(/ r="([\d.]+)"/g)].map(([, r]) => Number(r));
  expect(radii.map((r) => Number(r.toFixed(3))).sort()).toEqual([6, 9]);
});

const shape: EffectShape = {
  name: "x",
  kind: "number",
  values: [0, 1, 2],
  curves: [{ class: null, mean: [1, 2, 3], low: [0, 2, 2], high: [2, 3, 5], shape: "rises" }],
  rows: 10,
};

describe("shapes", () => {
  test("share bounds that hold every curve and band", () => {
    const higher = { ...shape, curves: [{ ...shape.curves[0], high: [9, 9, 9] }] };
    expect(shapeDomain([shape, higher])).toEqual([0, 9]);
    const chance = { ...shape, curves: [{ ...shape.curves[0], class: "yes" }] };
    expect(shapeDomain([chance])).toEqual([0, 1]);
  });

  test("are a line with a band, or a dot a level", () => {
    const line = shapeFigure(shape, "y");
    expect(line).toContain('class="area"');
    expect(line.match(/<circle/g)).toHaveLength(3);
    const levels = shapeFigure({ ...shape, kind: "category", values: ["p", "q", hostile] }, "y");
    expect(levels).not.toContain('class="area"');
    expect(levels.match(/<circle/g)).toHaveLength(3);
    expect(levels).not.toContain("<script");
  });

  test("name every class of several", () => {
    const curves = ["one", "two"].map((name) => ({ ...shape.curves[0], class: name }));
    for (const kind of ["number", "category"] as const) {
      const svg = shapeFigure(
        { ...shape, kind, values: [1, 2, 3].map((v) => (kind === "number" ? v : `${v}`)), curves },
        "y",
      );
      expect(svg).toMatch(/one<\/text>/);
      expect(svg).toMatch(/two<\/text>/);
    }
  });
});

test("a comparison shows every correlation and every curve", () => {
  const methods = [{ name: "rate" }, { name: "direct" }] as unknown as CompareDocument["methods"];
  const agreement = agreementFigure({
    methods,
    spearman: [
      [1, 0.375],
      [0.375, null],
    ],
  });
  expect([...agreement.matchAll(/>(0\.38|1\.00|–)</g)].map(([, text]) => text)).toEqual([
    "1.00",
    "0.38",
    "0.38",
    "–",
  ]);
  const curve = (name: "rate" | "random", scores: number[]) => ({
    name,
    scores,
    standardErrors: [0, 0],
    area: 1,
    areaStandardError: 0,
  });
  const shuffle = {
    metric: "r2" as const,
    counts: [1, 2],
    repeats: 1,
    randomOrders: 1,
    curves: [curve("rate", [0.5, 0.1]), curve("random", [0.5, 0.3])],
  };
  expect(shuffleFigure({ shuffle })).toMatch(/RATE<\/text>.*random<\/text>/s);
});

test("the shuffle test has a panel a method, the lowest mean first, and no colour stands for two methods", () => {
  const names = Array.from({ length: 12 }, (_, m) => `method ${12 - m}`);
  const curves = [
    ...names.map((name, m) => ({ name, scores: [0.9, 0.5 - m / 40, -0.1] })),
    { name: "random", scores: [0.9, 0.7, -0.1] },
  ];
  const svg = shuffleFigure({ shuffle: { metric: "r2", counts: [0, 1, 2], curves } });
  const titles = [...svg.matchAll(/>(method \d+|random)<\/text>/g)].map(([, name]) => name);
  // Four in a row, written column by column.
  const placed = [1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12].map((m) => `method ${m}`);
  expect(titles).toEqual([...placed, "random"]);
  // A panel has its own curve in the one colour, the dashed one, and those of all others behind them.
  const drawn = (mark: string) =>
    [...svg.matchAll(/<g transform="translate[^>]*stroke-linejoin[^>]*>/g)].filter(([group]) =>
      group.includes(mark),
    ).length;
  expect(drawn("stroke=")).toBe(36);
  for (const mark of [lightPalette.direct, lightPalette.ink, lightPalette.faint])
    expect([mark, drawn(`stroke="${mark}"`)]).toEqual([mark, 12]);
  expect(drawn("stroke-dasharray")).toBe(12);
  const named = shuffleFigure(
    { shuffle: { metric: "accuracy", counts: [0, 1, 2], curves } },
    { score: "accuracy on test images" },
  );
  expect(named).toContain("accuracy on test images");
  expect(named).not.toContain("rows never seen");
  const alone = shuffleFigure({
    shuffle: { metric: "accuracy", counts: [0], curves: [{ name: "random", scores: [1] }] },
  });
  expect(alone).toContain(">random</text>");
});

test("labels show what would hide or command, and are cut", () => {
  expect(label("a\u001b[31m\u202eb")).toBe("a\\u{1b}[31m\\u{202e}b");
  expect(label("x".repeat(40))).toBe(`${"x".repeat(27)}…`);
});

test("names at the ends of lines are moved apart and keep their mean", () => {
  const moved = spread([1, 1.1, 5], 1);
  expect(moved[1] - moved[0]).toBeCloseTo(1, 12);
  expect(moved[2] - moved[1]).toBeGreaterThanOrEqual(1);
  expect(moved.reduce((a, b) => a + b)).toBeCloseTo(7.1, 12);
});

test("a picture has twice the size of its figure, the same bytes each time, and letters of other scripts", () => {
  const svg = importanceFigure(importance);
  const png = figurePng(svg);
  expect([...png.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
  const view = new DataView(png.buffer, png.byteOffset);
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!;
  expect([view.getUint32(16), view.getUint32(20)]).toEqual([2 * Number(width), 2 * Number(height)]);
  expect(figurePng(svg)).toEqual(png);
  // Without the font there would be no letters, and another name would give the same picture.
  expect(figurePng(svg.replace(">b<", ">c<"))).not.toEqual(png);
  expect(figurePng(svg.replace(">b<", ">Ж<"))).not.toEqual(figurePng(svg.replace(">b<", ">θ<")));
});
