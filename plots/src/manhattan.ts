import { axisX, axisY, dot, type Markish, rect, ruleX, ruleY, text } from "@observablehq/plot";
import type { Position } from "@ratewise/core/data";
import { draw } from "./draw.ts";
import {
  type Chromosome,
  type GenomePoint,
  genomePoints,
  type VariantShares,
} from "./genome-points.ts";
import { label } from "./label.ts";
import { nameSides } from "./name-sides.ts";
import { lightPalette, type Palette } from "./palette.ts";
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
  /** Begins a logarithmic axis here, a share above 0: smaller ones, and those of 0, stand at its lower end. Default a straight axis from 0. */
  readonly logarithmicFrom?: number;
  /** A stretch to mark from top to bottom, with its name. */
  readonly marked?: MarkedStretch;
  /** What the shares are of, default "RATE" or "direct share". */
  readonly what?: string;
}

export interface MarkedStretch {
  readonly name: string;
  readonly chromosome: string;
  /** In base pairs. */
  readonly from: number;
  readonly to: number;
}

const HEIGHT = 320;
const MARGINS = { left: 56, right: 16, top: 34, bottom: 44 };
const TICKS = 5;
/** Pixels of a dot's radius, and of a letter with the room around it. */
const [RADIUS, LETTER] = [2.4, 10];
const LONGEST_NAME = 18;
/** Where names stand beside their dots. */
const SIDES = [
  { side: "above", dy: -9 },
  { side: "right", dx: 6, textAnchor: "start" },
  { side: "left", dx: -6, textAnchor: "end" },
] as const;

/** Shares of variants along the chromosomes, from rows of a result. */
export function manhattanFigure(
  { variables }: { readonly variables: readonly SharesRow[] },
  positions: ReadonlyMap<string, Position>,
  options: ManhattanOptions = {},
): string {
  const { by = "rate" } = options;
  const placed = variables.flatMap(({ name, rate, direct }) => {
    const place = positions.get(name);
    const share = (by === "rate" ? rate : direct?.rate) ?? 0;
    return place ? [{ name, place, share }] : [];
  });
  return variantsFigure(
    {
      count: placed.length,
      name: (v) => placed[v].name,
      share: (v) => placed[v].share,
      chromosome: (v) => placed[v].place.chromosome,
      position: (v) => placed[v].place.position,
    },
    options,
  );
}

/**
 * Shares of variants along the chromosomes. Of points that would lie on the same few pixels the largest is drawn, so that a million
 * of them are a drawing of some thousand.
 */
export function variantsFigure(variants: VariantShares, options: ManhattanOptions = {}): string {
  const { palette = lightPalette, width = 720, by = "rate", named = 5 } = options;
  const { labelled, threshold, logarithmicFrom } = options;
  const { left, right, top, bottom } = MARGINS;
  const inner = { width: width - left - right, height: HEIGHT - top - bottom };
  const points = genomePoints(variants, { ...inner, named, labelled, logarithmicFrom });
  const { chromosomes, placed, whole, most, shown, leading, cell, least, level } = points;
  const colour = by === "rate" ? palette.rate : palette.direct;
  const inPixels = ({ name, x, share }: GenomePoint) => ({
    name: label(name, LONGEST_NAME),
    x: (x / whole) * inner.width,
    y: level(share) * inner.height,
  });
  const sides = nameSides(leading.map(inPixels), shown.map(inPixels), inner.width);
  const what = options.what ?? (by === "rate" ? "RATE" : "direct share");
  return draw({
    palette,
    description: `${what} of ${placed} variants along ${chromosomes.length === 1 ? "one chromosome" : `${chromosomes.length} chromosomes`}`,
    width,
    height: HEIGHT,
    marginLeft: left,
    marginBottom: bottom,
    marginTop: top,
    marginRight: right,
    x: { domain: [0, whole], axis: null },
    y: { ...(least > 0 && { type: "log" }), domain: [least, most], nice: least === 0 },
    marks: [
      least === 0
        ? axisY({ label: what, tickFormat: `.${decimalsOf(most)}%`, ticks: TICKS })
        : axisY(decades(least, most), { label: what, tickFormat: percent }),
      ruleY([least], { stroke: palette.faint }),
      ruleX(
        chromosomes.slice(1).map(({ start }) => start),
        { stroke: palette.faint },
      ),
      ...marksOf(options.marked, chromosomes, { whole, least, most, palette }),
      axisX(
        spread(chromosomes, whole / inner.width).map(({ start, length }) => start + length / 2),
        {
          tickSize: 0,
          label: "chromosome",
          tickFormat: (x: number) =>
            chromosomes.find(({ start, length }) => x >= start && x <= start + length)!.name,
        },
      ),
      dot(shown, {
        x: "x",
        y: ({ share }: GenomePoint) => Math.max(share, least),
        // Dots of larger cells touch each other, as all those would that they stand for.
        r: Math.max(RADIUS, 0.8 * cell),
        fill: colour,
        fillOpacity: ({ odd }: GenomePoint) => (odd ? 0.55 : 0.95),
      }),
      ruleY(threshold === undefined ? [] : [threshold], {
        stroke: palette.ink,
        strokeDasharray: "4 4",
      }),
      ...SIDES.map(({ side, ...place }) =>
        text(
          leading.filter((_, k) => sides[k] === side),
          {
            x: "x",
            y: "share",
            text: ({ name }: GenomePoint) => label(name, LONGEST_NAME),
            fill: palette.ink,
            stroke: palette.background,
            ...place,
          },
        ),
      ),
    ],
  });
}

/** A band behind the dots, a few pixels wide at least, and its name at its upper end. */
function marksOf(
  marked: MarkedStretch | undefined,
  chromosomes: readonly Chromosome[],
  { whole, least, most, palette }: { whole: number; least: number; most: number; palette: Palette },
): Markish[] {
  const own = chromosomes.find(({ name }) => name === marked?.chromosome);
  if (!marked || !own) return [];
  const [x1, x2] = [own.start + marked.from, own.start + marked.to];
  const left = x1 + x2 < whole;
  return [
    rect([0], { x1, x2, y1: least, y2: most, inset: -1, fill: palette.ink, fillOpacity: 0.15 }),
    text([label(marked.name, LONGEST_NAME)], {
      ...{ x: left ? x2 : x1, y: most, dx: left ? 12 : -12, dy: 6 },
      textAnchor: left ? "start" : "end",
      fill: palette.ink,
      stroke: palette.background,
    }),
  ];
}

/** Powers of ten in a range. */
function decades(from: number, to: number): number[] {
  const first = Math.ceil(Math.log10(from) - 1e-9);
  return Array.from(
    { length: Math.floor(Math.log10(to)) - first + 1 },
    (_, k) => 10 ** (first + k),
  );
}

/** "0.001%", without the zeros of a fixed number of decimals. */
const percent = (share: number): string => `${Number((100 * share).toPrecision(2))}%`;

/** Decimals of percentages at which the ticks of shares up to `most` differ: steps are 1, 2 or 5 of a power of ten, the next one from √50 on. */
function decimalsOf(most: number): number {
  return Math.max(0, -Math.floor(Math.log10((Math.SQRT2 * most) / TICKS)) - 2);
}

/** Those whose names have room beside the one before, `pixel` base pairs wide each. */
function spread(chromosomes: readonly Chromosome[], pixel: number): Chromosome[] {
  let free = Number.NEGATIVE_INFINITY;
  return chromosomes.filter(({ name, start, length }) => {
    const [middle, half] = [(start + length / 2) / pixel, (LETTER * name.length) / 2];
    if (middle - half < free) return false;
    free = middle + half;
    return true;
  });
}
