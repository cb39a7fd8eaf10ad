import { type Markish, rect, text } from "@observablehq/plot";
import type { ScoreRow } from "@ratewise/core";
import { draw } from "./draw.ts";
import { label } from "./label.ts";
import { lightPalette, type Palette } from "./palette.ts";
import type { FigureOptions } from "./predictions.ts";

/** A variable with its shares; `direct` where there is one. */
export interface SharesRow extends Pick<ScoreRow, "name" | "rate"> {
  readonly direct: { readonly rate: number } | null;
}

interface Pixel {
  readonly row: number;
  readonly column: number;
  readonly rate: number;
  readonly direct: number;
}

/** Names such as r3c14 or, with colours, r3c14d2. */
const PLACE = /^r(\d+)c(\d+)(?:d\d+)?$/;

/** Whether the variables are the pixels of an image; some may be missing, as constant borders are. */
export function arePixels(variables: readonly Pick<ScoreRow, "name">[]): boolean {
  return variables.length > 3 && variables.every(({ name }) => PLACE.test(name));
}

/** Below this width the two images stand one below the other: their titles have no room side by side. */
const NARROW = 480;
const TITLE = 30;
const GAP = 40;

/** The shares where the pixels lie, RATE at the left (or above) and direct at the right (or below); colours of a pixel are added up. */
export function pixelFigure(
  {
    variables,
    target,
  }: { readonly variables: readonly SharesRow[]; readonly target: string | null },
  { palette = lightPalette, width = 720 }: FigureOptions = {},
): string {
  const pixels = pixelsOf(variables);
  const rows = 1 + Math.max(...pixels.map(({ row }) => row));
  const columns = 1 + Math.max(...pixels.map(({ column }) => column));
  const below = width < NARROW;
  const side = (below ? width : (width - GAP) / 2) / columns;
  const panels = variables.some(({ direct }) => direct !== null) ? 2 : 1;
  const size = { columns, rows, palette };
  const whole = below ? panels * (rows + TITLE / side) : rows + TITLE / side;
  // Where the second one begins, in pixels of the image.
  const next = below
    ? { left: 0, top: rows + TITLE / side }
    : { left: columns + GAP / side, top: 0 };
  return draw({
    palette,
    description: `Where the pixels lie that matter for ${label(target ?? "the output")}: the stronger the colour, the larger the share`,
    width,
    height: whole * side,
    margin: 0,
    marginTop: TITLE,
    x: { axis: null, domain: [0, width / side] },
    y: { axis: null, domain: [whole - TITLE / side, 0] },
    marks: [
      ...panel(pixels, "rate", { left: 0, top: 0 }, size),
      ...(panels === 2 ? panel(pixels, "direct", next, size) : []),
    ],
  });
}

interface Place {
  readonly left: number;
  readonly top: number;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
  readonly palette: Palette;
}

const WORDS = {
  rate: "RATE: moves with the prediction",
  direct: "direct: the model uses it",
} as const;

/** One image with its frame and its title. */
function panel(
  pixels: readonly Pixel[],
  share: "rate" | "direct",
  { left, top }: Place,
  { columns, rows, palette }: Size,
): Markish[] {
  const colour = share === "rate" ? palette.rate : palette.direct;
  const most = Math.max(...pixels.map((pixel) => pixel[share]), 1e-12);
  return [
    rect([0], {
      x1: left,
      x2: left + columns,
      y1: top,
      y2: top + rows,
      stroke: palette.faint,
      fill: "none",
    }),
    rect(
      pixels.filter((pixel) => pixel[share] > 0),
      {
        x1: ({ column }: Pixel) => left + column,
        x2: ({ column }: Pixel) => left + column + 1,
        y1: ({ row }: Pixel) => top + row,
        y2: ({ row }: Pixel) => top + row + 1,
        fill: colour,
        fillOpacity: (pixel: Pixel) => pixel[share] / most,
        inset: 0.2,
      },
    ),
    text([WORDS[share]], {
      x: left,
      y: top,
      dy: -12,
      textAnchor: "start",
      fill: colour,
      fontWeight: "bold",
    }),
  ];
}

function pixelsOf(variables: readonly SharesRow[]): Pixel[] {
  const found = new Map<string, Pixel>();
  for (const { name, rate, direct } of variables) {
    const [, r, c] = PLACE.exec(name)!;
    const before = found.get(`${r},${c}`) ?? {
      row: Number(r),
      column: Number(c),
      rate: 0,
      direct: 0,
    };
    found.set(`${r},${c}`, {
      ...before,
      rate: before.rate + (rate ?? 0),
      direct: before.direct + (direct?.rate ?? 0),
    });
  }
  return [...found.values()];
}
