import { axisX, axisY, dot, ruleX, ruleY, text } from "@observablehq/plot";
import type { Position } from "@ratewise/core";
import { draw } from "./draw.ts";
import { label } from "./label.ts";
import { lightPalette } from "./palette.ts";
import type { SharesRow } from "./pixels.ts";
import type { FigureOptions } from "./predictions.ts";

export interface ManhattanOptions extends FigureOptions {
  /** Which share, default `rate`. */
  readonly by?: "rate" | "direct";
  /** Leading variables that are named, default 5. */
  readonly named?: number;
  /** Name these instead, as far as their shares stand out. */
  readonly labelled?: ReadonlySet<string>;
  /** A share to draw a line at. */
  readonly threshold?: number;
  /** What the shares are of, default "RATE" or "direct share". */
  readonly what?: string;
}

interface Point {
  readonly name: string;
  readonly x: number;
  readonly share: number;
  readonly odd: boolean;
}

interface Chromosome {
  readonly name: string;
  readonly start: number;
  readonly length: number;
}

const HEIGHT = 320;
/** Names are given to shares above this part of the largest: lower ones would lie on top of each other. */
const LEAST_NAMED = 0.1;

/**
 * Shares of variants along the chromosomes. Points that would lie on the same pixel are drawn once, so that a million of
 * them are a drawing of some thousand.
 */
export function manhattanFigure(
  { variables }: { readonly variables: readonly SharesRow[] },
  positions: ReadonlyMap<string, Position>,
  options: ManhattanOptions = {},
): string {
  const { palette = lightPalette, width = 720, by = "rate", named = 5 } = options;
  const { labelled, threshold } = options;
  const placed = variables.flatMap(({ name, rate, direct }) => {
    const place = positions.get(name);
    const share = (by === "rate" ? rate : direct?.rate) ?? 0;
    return place ? [{ name, place, share }] : [];
  });
  const chromosomes = chromosomesOf(placed.map(({ place }) => place));
  const index = new Map(chromosomes.map(({ name }, at) => [name, at]));
  const points = placed.map(({ name, place, share }): Point => {
    const at = index.get(place.chromosome)!;
    return { name, share, odd: at % 2 === 1, x: chromosomes[at].start + place.position };
  });
  const end = chromosomes.at(-1)!;
  const whole = end.start + end.length;
  const most = points.reduce((best, { share }) => Math.max(best, share), 1e-12);
  const shown = onePerPixel(points, whole / width, most / HEIGHT);
  const leading = points
    .filter(({ name, share }) => share > LEAST_NAMED * most && (labelled?.has(name) ?? true))
    .sort((a, b) => b.share - a.share)
    .slice(0, named);
  const colour = by === "rate" ? palette.marginal : palette.direct;
  const what = options.what ?? (by === "rate" ? "RATE" : "direct share");
  return draw({
    palette,
    description: `${what} of ${points.length} variants along ${chromosomes.length === 1 ? "one chromosome" : `${chromosomes.length} chromosomes`}`,
    width,
    height: HEIGHT,
    marginLeft: 56,
    marginBottom: 44,
    marginTop: 34,
    marginRight: 16,
    x: { domain: [0, whole], axis: null },
    y: { domain: [0, most], nice: true },
    marks: [
      axisY({ label: what, tickFormat: "%", ticks: 5 }),
      ruleY([0], { stroke: palette.faint }),
      ruleY(threshold === undefined ? [] : [threshold], {
        stroke: palette.ink,
        strokeDasharray: "4 4",
      }),
      ruleX(
        chromosomes.slice(1).map(({ start }) => start),
        { stroke: palette.faint },
      ),
      axisX(
        chromosomes.map(({ start, length }) => start + length / 2),
        {
          tickSize: 0,
          label: "chromosome",
          tickFormat: (x: number) =>
            chromosomes.find(({ start, length }) => x >= start && x <= start + length)!.name,
        },
      ),
      dot(shown, {
        x: "x",
        y: "share",
        r: 2.4,
        fill: colour,
        fillOpacity: ({ odd }: Point) => (odd ? 0.55 : 0.95),
      }),
      text(leading, {
        x: "x",
        y: "share",
        text: ({ name }: Point) => label(name, 18),
        fill: palette.ink,
        dy: -9,
      }),
    ],
  });
}

/** Chromosomes in the order of their first variant, one after another with a gap. */
function chromosomesOf(places: readonly Position[]): Chromosome[] {
  const ends = new Map<string, number>();
  for (const { chromosome, position } of places)
    ends.set(chromosome, Math.max(ends.get(chromosome) ?? 1, position));
  const gap = [...ends.values()].reduce((sum, end) => sum + end, 0) / 200;
  let start = 0;
  return [...ends].map(([name, length]) => {
    const chromosome = { name, start, length };
    start += length + gap;
    return chromosome;
  });
}

function onePerPixel(points: readonly Point[], across: number, up: number): Point[] {
  const found = new Map<number, Point>();
  for (const point of points) {
    const cell = Math.floor(point.x / across) * 4096 + Math.floor(point.share / up);
    if (!found.has(cell)) found.set(cell, point);
  }
  return [...found.values()];
}
