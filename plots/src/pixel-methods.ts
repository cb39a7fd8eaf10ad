import { dot, type Markish, rect, text } from "@observablehq/plot";
import { draw } from "./draw.ts";
import { label } from "./label.ts";
import { lightPalette, type Palette } from "./palette.ts";
import type { FigureOptions } from "./predictions.ts";

/** What one method says of every pixel, row by row from the top left. */
export interface PixelScores {
  readonly method: string;
  /** None below 0. */
  readonly scores: ArrayLike<number>;
}

export interface PixelMapsOptions extends FigureOptions {
  /** Pixels in a row of the image. */
  readonly columns: number;
}

export interface PixelTriangleOptions extends PixelMapsOptions {
  /** Of every pair of methods. */
  readonly spearman: readonly (readonly number[])[];
  /** Of every pixel by every method, 1 the least important: what the scatters show. */
  readonly ranks: readonly ArrayLike<number>[];
}

/** Darknesses told apart: neighbours of the same one are drawn as one stretch. */
const LEVELS = 12;
const GAP = 14;
/** Pixels for the name of a method: one line, or two where panels are narrow. */
const TITLE = 24;
const TITLE_OF_TWO_LINES = 38;
const FONT = 11;
const MAPS_IN_A_ROW = 4;

/** An image a method, the darker a pixel the more important. */
export function pixelMapsFigure(
  methods: readonly PixelScores[],
  { columns, palette = lightPalette, width = 760 }: PixelMapsOptions,
): string {
  const across = Math.min(MAPS_IN_A_ROW, methods.length);
  const cell = Math.floor((width - GAP * (across - 1)) / across / columns);
  const down = Math.ceil(methods.length / across);
  const height = cell * Math.ceil(methods[0].scores.length / columns);
  const marks = methods.flatMap((method, m) => {
    const left = (m % across) * (cell * columns + GAP);
    const top = TITLE + Math.floor(m / across) * (height + GAP + TITLE);
    return [
      ...pixelMap(method, left, top, cell, columns, palette),
      title(method, left, top, cell * columns),
    ];
  });
  return drawing(
    `Importance of the pixels by ${namesOf(methods)}: the darker, the more important`,
    across * (cell * columns + GAP) - GAP,
    down * (height + GAP + TITLE),
    marks,
    palette,
  );
}

/**
 * Methods against each other: their images on the diagonal, ranks of all pixels by each pair as scatters below it (the column's method
 * to the right, the row's upward), Spearman's correlations above it.
 */
export function pixelTriangleFigure(
  methods: readonly PixelScores[],
  { columns, spearman, ranks, palette = lightPalette, width = 760 }: PixelTriangleOptions,
): string {
  const across = methods.length;
  const cell = Math.floor((width - GAP * (across - 1)) / across / columns);
  const side = cell * columns;
  const pixels = methods[0].scores.length;
  const at = (index: number): number => index * (side + GAP);
  const marks = methods.flatMap((method, row) => [
    ...pixelMap(method, at(row), TITLE_OF_TWO_LINES + at(row), cell, columns, palette),
    title(method, at(row), TITLE_OF_TWO_LINES, side),
    ...methods.slice(0, row).flatMap((_, column) => [
      frame(at(column), TITLE_OF_TWO_LINES + at(row), side, side, palette),
      dot(
        Array.from({ length: pixels }, (__, j) => ({
          x: at(column) + inside(ranks[column][j], pixels, side),
          y: TITLE_OF_TWO_LINES + at(row) + side - inside(ranks[row][j], pixels, side),
        })),
        { x: "x", y: "y", r: 1.2, fill: palette.rate, fillOpacity: 0.55 },
      ),
      text([spearman[row][column].toFixed(2).replace("-", "−")], {
        x: at(row) + side / 2,
        y: TITLE_OF_TWO_LINES + at(column) + side / 2,
        fontSize: 12 + 8 * Math.abs(spearman[row][column]),
        fill: palette.ink,
      }),
    ]),
  ]);
  return drawing(
    `${namesOf(methods)}: images of the pixels' importance, scatters of their ranks and Spearman's correlations pair by pair`,
    at(across) - GAP,
    TITLE_OF_TWO_LINES + at(across) - GAP,
    marks,
    palette,
  );
}

/** A rank within a panel, in whole pixels and off its frame. */
function inside(rank: number, ranks: number, side: number): number {
  return Math.round(3 + ((side - 6) * (rank - 1)) / (ranks - 1));
}

interface Stretch {
  readonly x: number;
  readonly y: number;
  readonly cells: number;
  readonly level: number;
}

function pixelMap(
  { scores }: PixelScores,
  left: number,
  top: number,
  cell: number,
  columns: number,
  palette: Palette,
): Markish[] {
  const most = Math.max(...Array.from(scores), 1e-300);
  const stretches: Stretch[] = [];
  for (let j = 0; j < scores.length; j++) {
    const level = Math.round((LEVELS * scores[j]) / most);
    const x = j % columns;
    const before = stretches.at(-1);
    if (x > 0 && before?.level === level)
      stretches[stretches.length - 1] = { ...before, cells: before.cells + 1 };
    else stretches.push({ x, y: Math.floor(j / columns), cells: 1, level });
  }
  const rows = Math.ceil(scores.length / columns);
  return [
    rect(
      stretches.filter(({ level }) => level > 0),
      {
        x1: ({ x }: Stretch) => left + x * cell,
        x2: ({ x, cells }: Stretch) => left + (x + cells) * cell,
        y1: ({ y }: Stretch) => top + y * cell,
        y2: ({ y }: Stretch) => top + (y + 1) * cell,
        fill: palette.rate,
        fillOpacity: ({ level }: Stretch) => Number((level / LEVELS).toFixed(3)),
      },
    ),
    frame(left, top, cell * columns, cell * rows, palette),
  ];
}

function frame(
  left: number,
  top: number,
  width: number,
  height: number,
  palette: Palette,
): Markish {
  const [x1, x2, y1, y2] = [left, left + width, top, top + height];
  return rect([0], { x1, x2, y1, y2, stroke: palette.faint, fill: "none" });
}

function title({ method }: PixelScores, x: number, top: number, width: number): Markish {
  return text([label(method, 20)], {
    x,
    y: top - 5,
    textAnchor: "start",
    lineAnchor: "bottom",
    // In ems: bold letters are a little wider than Plot takes them to be.
    lineWidth: (0.9 * width) / FONT,
    fontSize: FONT,
    fontWeight: "bold",
  });
}

function namesOf(methods: readonly PixelScores[]): string {
  return methods.map(({ method }) => method).join(", ");
}

/** Everything is placed in pixels: whole numbers make the file a third as long. */
function drawing(
  description: string,
  width: number,
  height: number,
  marks: readonly Markish[],
  palette: Palette,
): string {
  return draw({
    ...{ palette, description, width, height, margin: 0 },
    x: { axis: null, type: "identity" },
    y: { axis: null, type: "identity" },
    r: { type: "identity" },
    opacity: { type: "identity" },
    marks: [...marks],
  });
}
