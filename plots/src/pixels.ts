import { rect, text } from "@observablehq/plot";
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

/** The shares where the pixels lie, RATE at the left and direct at the right; colours of a pixel are added up. */
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
  const gap = 40;
  const side = (width - gap) / 2 / columns;
  const panels = [
    panel(pixels, "rate", 0, palette.marginal, "RATE: goes along with the prediction"),
    ...(variables.some(({ direct }) => direct !== null)
      ? [panel(pixels, "direct", columns + gap / side, palette.direct, "direct: the model uses it")]
      : []),
  ];
  return draw({
    palette,
    description: `Where the pixels lie that matter for ${label(target ?? "the output")}: the stronger the colour, the larger the share`,
    width,
    height: 30 + side * rows,
    margin: 0,
    marginTop: 30,
    x: { axis: null, domain: [0, 2 * columns + gap / side] },
    y: { axis: null, domain: [rows, 0] },
    marks: panels.flatMap(({ marks }) => marks(columns, rows, palette)),
  });
}

function panel(
  pixels: readonly Pixel[],
  share: "rate" | "direct",
  left: number,
  colour: string,
  words: string,
) {
  const most = Math.max(...pixels.map((pixel) => pixel[share]), 1e-12);
  const marks = (columns: number, rows: number, palette: Palette) => [
    rect([0], {
      x1: left,
      x2: left + columns,
      y1: 0,
      y2: rows,
      stroke: palette.faint,
      fill: "none",
    }),
    rect(
      pixels.filter((pixel) => pixel[share] > 0),
      {
        x1: ({ column }: Pixel) => left + column,
        x2: ({ column }: Pixel) => left + column + 1,
        y1: "row",
        y2: ({ row }: Pixel) => row + 1,
        fill: colour,
        fillOpacity: (pixel: Pixel) => pixel[share] / most,
        inset: 0.2,
      },
    ),
    text([words], {
      x: left,
      y: 0,
      dy: -12,
      textAnchor: "start",
      fill: colour,
      fontWeight: "bold",
    }),
  ];
  return { marks };
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
