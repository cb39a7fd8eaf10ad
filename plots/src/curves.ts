import { areaY, axisX, axisY, dot, gridY, line, text } from "@observablehq/plot";
import { draw } from "./draw.ts";
import { label, labelRoom } from "./label.ts";
import { lightPalette } from "./palette.ts";
import type { FigureOptions } from "./predictions.ts";

/** One method's curve in one panel. */
export interface Curve {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** A band around it, where there is one. */
  readonly low?: readonly number[];
  readonly high?: readonly number[];
}

export interface CurvePanel {
  readonly name: string;
  readonly curves: readonly Curve[];
}

export interface CurvesOptions extends FigureOptions {
  /** The axis ends at the first and the last tick, where there are any; a lone tick stands in the middle. */
  readonly x: {
    readonly label: string;
    readonly log?: boolean;
    readonly ticks?: readonly number[];
  };
  readonly y: {
    readonly label: string;
    readonly log?: boolean;
    readonly domain?: readonly [number, number];
  };
  /** Panels in a row; default 4, or as many as there are. */
  readonly columns?: number;
  /** A mark at every point, for curves of few points. Default false. */
  readonly points?: boolean;
  /** Of a panel; default 210. */
  readonly panelHeight?: number;
  /** What the whole is, for those who do not see it. */
  readonly description: string;
}

interface Point {
  readonly curve: string;
  readonly panel: number;
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

/** Told apart without colour too. */
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "2 6", "9 3 2 3 2 3"];
const DASH_LETTERS = ["——", "– –", "····", "–·–", "- - -", "— —", "·  ·", "–··–"];
const SYMBOLS = [
  ...(["circle", "square", "triangle", "diamond"] as const),
  ...(["star", "cross", "wye", "hexagon"] as const),
];
const SYMBOL_LETTERS = ["●", "■", "▲", "◆", "★", "✚", "Y", "⬢"];
const PANEL = 210;
const KEY_LINE = 18;

/** Curves of some methods with their bands, one panel a setting; a method has one colour, dash and sign in all panels, named above them. */
export function curvesFigure(
  panels: readonly CurvePanel[],
  { palette = lightPalette, width = 860, ...options }: CurvesOptions,
): string {
  const names = [...new Set(panels.flatMap(({ curves }) => curves.map(({ name }) => name)))];
  const columns = Math.max(1, Math.min(options.columns ?? 4, panels.length));
  const rows = Math.ceil(panels.length / columns);
  const points = panels.flatMap(({ curves }, panel) =>
    curves.flatMap(({ name, x, y, low, high }) =>
      x.map(
        (at, i): Point => ({
          curve: name,
          panel,
          x: at,
          y: y[i],
          low: low ? low[i] : Number.NaN,
          high: high ? high[i] : Number.NaN,
        }),
      ),
    ),
  );
  const place = {
    fx: ({ panel }: { panel: number }) => panel % columns,
    fy: ({ panel }: { panel: number }) => Math.floor(panel / columns),
  };
  const room = options.points ? 18 : 34;
  const key = keyOf(names, room, width - 92);
  const top = 44 + KEY_LINE * (1 + Math.max(...key.map(({ row }) => row)));
  const bands = points.filter(({ low }) => !Number.isNaN(low));
  const { x, y } = options;
  const heights = y.log
    ? powersOfTen(points.flatMap((point) => [point.y, point.low, point.high]))
    : 5;
  return draw({
    palette,
    description: options.description,
    width,
    height: top + 48 + (options.panelHeight ?? PANEL) * rows,
    marginLeft: 58,
    marginRight: 34,
    marginTop: top,
    marginBottom: 46,
    fx: { axis: null, padding: 0.16 },
    fy: { axis: null, padding: 0.2 },
    x: {
      type: x.log ? "log" : "linear",
      ...(x.ticks && { domain: ends(x.ticks, x.log) }),
    },
    y: {
      type: y.log ? "log" : "linear",
      ...(y.domain && { domain: y.domain, clamp: false }),
      nice: !y.domain,
    },
    marks: [
      gridY({ ticks: heights, stroke: palette.faint, strokeOpacity: 0.6 }),
      axisX({
        label: x.label,
        labelArrow: "none",
        ...(x.ticks ? { ticks: [...x.ticks] } : { ticks: 4 }),
        ...(x.log && { tickFormat: thousands }),
      }),
      axisY({
        label: y.label,
        labelArrow: "none",
        ticks: heights,
        ...(y.log && { tickFormat: plain }),
      }),
      ...names.flatMap((name, at) => {
        const stroke = palette.several[at % palette.several.length];
        const own = (of: readonly Point[]) => of.filter(({ curve }) => curve === name);
        const along = { ...place, x: "x", y: "y", z: "panel" };
        return [
          areaY(own(bands), {
            ...place,
            ...{ x: "x", y1: "low", y2: "high", z: "panel", fill: stroke, fillOpacity: 0.13 },
          }),
          line(own(points), {
            ...along,
            ...{ stroke, strokeWidth: 1.9, strokeDasharray: DASHES[at % DASHES.length] },
          }),
          ...(options.points
            ? [
                dot(own(points), {
                  ...along,
                  fill: stroke,
                  r: 3.5,
                  symbol: SYMBOLS[at % SYMBOLS.length],
                }),
              ]
            : []),
        ];
      }),
      text(
        panels.map(({ name }, panel) => ({ name, panel })),
        {
          ...place,
          text: ({ name }: { name: string }) => label(name, 40),
          ...{ fill: palette.ink, fontWeight: "bold", frameAnchor: "top-left" },
          ...{ lineAnchor: "bottom", dy: -5 },
        },
      ),
      ...key.flatMap(({ name, left, row }, at) => {
        const stroke = palette.several[at % palette.several.length];
        const own = [{ panel: 0 }];
        const dy = KEY_LINE * row - top + 22;
        const spot = {
          ...place,
          frameAnchor: "top-left" as const,
          dy,
          textAnchor: "start" as const,
        };
        return [
          text(own, { ...spot, dx: left, text: () => signOf(at, options.points), fill: stroke }),
          text(own, { ...spot, dx: left + room, text: () => label(name, 48), fill: stroke }),
        ];
      }),
    ],
  });
}

/** From the first tick to the last; around a lone one there is room on either side. */
function ends(ticks: readonly number[], log = false): [number, number] {
  const [first, last] = [ticks[0], ticks.at(-1)!];
  if (first < last) return [first, last];
  return log ? [first / 2, first * 2] : [first - 1, first + 1];
}

/** The powers of ten that hold all of the positive values. */
function powersOfTen(values: readonly number[]): number[] {
  const exponents = values.filter((value) => value > 0).map((value) => Math.log10(value));
  const least = Math.floor(Math.min(...exponents));
  const most = Math.ceil(Math.max(...exponents));
  return Array.from({ length: most - least + 1 }, (_, k) => 10 ** (least + k));
}

/** Dash or sign of a method as letters: a key needs no scale. */
function signOf(at: number, points = false): string {
  const letters = points ? SYMBOL_LETTERS : DASH_LETTERS;
  return letters[at % letters.length];
}

/** Where each name stands: from left to right, on as many lines as they need. */
function keyOf(
  names: readonly string[],
  sign: number,
  room: number,
): { readonly name: string; readonly left: number; readonly row: number }[] {
  let [left, row] = [0, 0];
  return names.map((name) => {
    const own = sign + labelRoom([label(name, 48)]) + 22;
    if (left > 0 && left + own > room) [left, row] = [0, row + 1];
    const place = { name, left, row };
    left += own;
    return place;
  });
}

const thousands = (value: number): string => value.toLocaleString("en");
const plain = (value: number): string =>
  value < 1000 ? `${Number(value.toPrecision(3))}` : thousands(value);
