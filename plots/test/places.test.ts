import { describe, expect, test } from "vitest";
import { arePixels, manhattanFigure, pixelFigure, variantsFigure } from "../src/index.ts";

const row = (name: string, rate: number, direct: number | null = rate) => ({
  name,
  rate,
  direct: direct === null ? null : { rate: direct },
});

describe("the image", () => {
  const variables = [row("r0c0", 0.1), row("r0c2", 0.4, 0), row("r1c1", 0.5, 0.9), row("r1c2", 0)];

  test("is known by the names of its pixels", () => {
    expect(arePixels(variables)).toBe(true);
    expect(arePixels([...variables, row("age", 0)])).toBe(false);
    expect(arePixels(variables.slice(0, 2))).toBe(false);
  });

  test("has a square a pixel with a share, as strong as the share is large", () => {
    const svg = pixelFigure({ variables, target: "digit" });
    const panels = svg.split('<g class="rect"').slice(1);
    const opacities = panels.map((panel) =>
      [...panel.split("</g>")[0].matchAll(/fill-opacity="([\d.e-]+)"/g)].map(([, o]) => Number(o)),
    );
    expect(opacities).toEqual([[], [0.2, 0.8, 1], [], [expect.closeTo(1 / 9, 6), 1]]);
  });

  test("adds up the colours of a pixel", () => {
    const colours = [row("r0c0d0", 0.2), row("r0c0d1", 0.3), row("r0c1d0", 0.25), row("r0c1d1", 0)];
    const svg = pixelFigure({ variables: colours, target: "y" });
    expect(svg.match(/fill-opacity="0\.5"/g)).toHaveLength(2);
  });
});

describe("the genome", () => {
  const places = new Map(
    Array.from({ length: 2000 }, (_, v) => [
      `rs${v}`,
      { chromosome: v < 1000 ? "1" : "X", position: 1000 * (v % 1000) },
    ]),
  );
  const variables = [...places.keys()].map((name, v) =>
    row(name, v === 1500 ? 0.5 : 0.5 / 1999, v === 3 ? 1 : 0),
  );
  const circles = (svg: string): number => svg.match(/<circle/g)!.length;

  test("names what the shares are of", () => {
    expect(manhattanFigure({ variables }, places)).toContain(">↑ RATE<");
    const svg = manhattanFigure({ variables }, places, { what: "share by a forest" });
    expect(svg).toContain(">↑ share by a forest<");
    expect(svg).toContain("share by a forest of 2000 variants");
  });

  test("marks a stretch with its name, on the side that has room, if its chromosome is there", () => {
    const marked = (chromosome: string) => {
      const stretch = { name: "a locus", chromosome, from: 400_000, to: 500_000 };
      const svg = manhattanFigure({ variables }, places, { marked: stretch });
      const band = svg.match(/<rect height="[\d.]+" width="([\d.]+)" y="[\d.]+" x="([\d.]+)"/);
      const anchor = svg.match(/text-anchor="(\w+)"[^<]*<text [^<]*>a locus</);
      return { width: Number(band?.[1]), x: Number(band?.[2]), anchor: anchor?.[1] };
    };
    const [first, second] = [marked("1"), marked("X")];
    // Of both chromosomes and the gaps after them, and a pixel on each side.
    expect(first.width).toBeCloseTo((648 * 100) / (999 * 2.01) + 2, 0);
    expect(second.width).toBeCloseTo(first.width, 6);
    expect(second.x - first.x).toBeCloseTo((648 * 1.005) / 2.01, -1);
    expect([first.anchor, second.anchor]).toEqual(["start", "end"]);
    expect(marked("7")).toEqual({ width: Number.NaN, x: Number.NaN, anchor: undefined });
  });

  test("on a logarithmic axis a tenth is a step, and what is below its beginning stands there", () => {
    const some = [
      row("rs0", 0.1),
      row("rs1", 0.01),
      row("rs2", 0.001),
      row("rs3", 1e-6),
      row("rs4", 0),
    ];
    const options = { logarithmicFrom: 0.0001, threshold: 0.001, named: 1 };
    const svg = manhattanFigure({ variables: some }, places, options);
    const dots = svg.split('class="dot"')[1].split("</g>")[0];
    const at = [...dots.matchAll(/cy="([\d.]+)"/g)].map(([, y]) => Number(y));
    const [first, second, third, least, none] = at.sort((a, b) => a - b);
    expect(at).toHaveLength(5);
    expect(second - first).toBeCloseTo(third - second, 1);
    expect(least - third).toBeCloseTo(second - first, 1);
    expect(none).toBe(least);
    const line = svg.match(/stroke-dasharray="4 4"[^<]*<line [^>]*y1="([\d.]+)"/);
    expect(Number(line![1])).toBeCloseTo(third, 0);
    for (const tick of ["10%", "1%", "0.1%", "0.01%"]) expect(svg).toContain(`>${tick}<`);
    // Where no share reaches its beginning the axis is straight.
    const straight = manhattanFigure({ variables: some }, places, { logarithmicFrom: 0.5 });
    expect(straight).toBe(manhattanFigure({ variables: some }, places));
  });

  test("has the leading variants by name, the chromosomes below, and a dot a pixel at most", () => {
    const svg = manhattanFigure({ variables }, places);
    expect(svg).toContain(">rs1500<");
    expect(svg).toContain(">X<");
    expect(svg).toContain("RATE of 2000 variants along 2 chromosomes");
    expect(circles(svg)).toBeGreaterThan(600);
    expect(circles(svg)).toBeLessThan(800);
  });

  test("shows the other share on request", () => {
    const svg = manhattanFigure({ variables }, places, { by: "direct", named: 1 });
    expect(svg).toContain(">rs3<");
    expect(svg).not.toContain(">rs1500<");
  });

  describe("of a million variants", () => {
    const count = 1_000_000;
    // Noise in a band, and three peaks of neighbours that rise together; the last hundred have no place.
    const peaks = [123_456, 500_000, 876_543];
    const shares = Float64Array.from({ length: count }, (_, v) => ((v * 7919) % 1009) / 1009e6);
    peaks.forEach((peak, k) => {
      for (let d = -200; d <= 200; d++)
        shares[peak + d] += ((3 - k) * 1e-5) / (1 + Math.abs(d) / 9);
    });
    shares[count - 1] = 1;
    const svg = variantsFigure({
      count,
      name: (v) => `rs${v}`,
      share: (v) => shares[v],
      chromosome: (v) => `${1 + Math.floor(v / 50_000)}`,
      position: (v) => (v < count - 100 ? 1 + 1000 * (v % 50_000) : null),
    });

    test("is a small drawing, with the largest share of every few pixels", () => {
      expect(svg.length).toBeLessThan(500_000);
      expect(circles(svg)).toBeLessThanOrEqual(4000);
      expect(circles(svg)).toBeGreaterThan(1000);
      expect(svg).toContain("RATE of 999900 variants along 20 chromosomes");
      // Heights of dots against the shares of the peaks: the scale is from 0 to the end of the axis.
      const dots = svg.split('class="dot"')[1];
      const heights = [...dots.matchAll(/cy="([\d.]+)"/g)].map(([, y]) => Number(y));
      const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
      const second = (shares[peaks[1]] / shares[peaks[0]]) * (bottom - top);
      expect(heights.some((y) => Math.abs(bottom - y - second) < 1)).toBe(true);
    });

    test("has one name a peak, and ticks that differ", () => {
      const names = [...svg.matchAll(/>(rs\d+)</g)].map(([, name]) => name);
      expect(names).toEqual(peaks.map((peak) => `rs${peak}`));
      const ticks = [...svg.matchAll(/>([\d.]+%)</g)].map(([, text]) => text);
      expect(ticks.length).toBeGreaterThan(2);
      expect(new Set(ticks).size).toBe(ticks.length);
    });
  });

  test("has as many chromosomes' names as there is room for", () => {
    const svg = variantsFigure({
      ...{ count: 200, name: (v) => `rs${v}`, share: (v) => v, position: (v) => 1 + v },
      chromosome: (v) => `scaffold${v}`,
    });
    const labels = svg.match(/>scaffold\d+</g)!.length;
    expect(labels).toBeGreaterThan(3);
    expect(labels).toBeLessThan(10);
  });

  test("leaves out variables without a place, and escapes names", () => {
    const hostile = "<b>&";
    const some = [row(hostile, 0.9), row("nowhere", 0.1)];
    const svg = manhattanFigure(
      { variables: some },
      new Map([[hostile, { chromosome: "7", position: 5 }]]),
    );
    expect(circles(svg)).toBe(1);
    expect(svg).toContain("&lt;b&gt;&amp;");
  });
});
