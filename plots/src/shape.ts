import { areaY, axisX, axisY, dot, gridX, gridY, line, link, text } from "@observablehq/plot";
import type { EffectShape } from "@ratewise/core/explain";
import { draw } from "./draw.ts";
import { label, labelRoom } from "./label.ts";
import { lightPalette, type Palette } from "./palette.ts";
import type { FigureOptions } from "./predictions.ts";
import { spread } from "./spread.ts";

interface Point {
  readonly value: number | string;
  readonly curve: string;
  readonly colour: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface ShapeOptions extends FigureOptions {
  /** Bounds of the axis of the prediction, to draw several shapes alike; default those of the curves. */
  readonly domain?: readonly [number, number];
}

/** Bounds that hold all curves and bands, so that small effects look small. */
export function shapeDomain(shapes: readonly EffectShape[]): [number, number] {
  const curves = shapes.flatMap((shape) => shape.curves);
  const low = Math.min(...curves.flatMap((curve) => [...curve.mean, ...curve.low]));
  const high = Math.max(...curves.flatMap((curve) => [...curve.mean, ...curve.high]));
  // All of a probability's scale: what moves by a hundredth should look so.
  return curves[0].class === null ? [low, high] : [0, 1];
}

/** How the prediction changes with one variable, the others as they are. */
export function shapeFigure(
  shape: EffectShape,
  target: string,
  { palette = lightPalette, width = 340, domain }: ShapeOptions = {},
): string {
  const points = pointsOf(shape, palette);
  const [first] = shape.curves;
  const classes = first.class !== null;
  const what =
    first.class === null
      ? `predicted ${label(target)}`
      : shape.curves.length === 1
        ? `probability of ${label(first.class, 20)}`
        : "probability of each class";
  const common = {
    palette,
    description: `How the ${what} changes with ${label(shape.name)}`,
    width,
  };
  const percent = classes ? { tickFormat: "%" } : {};
  // Of two values there is no curve: a line would speak of what lies between.
  return shape.kind === "number" && shape.values.length > 2
    ? draw({ ...common, ...curvesOf(shape, points, what, percent, domain, palette.faint) })
    : draw({ ...common, ...levelsOf(shape, points, what, percent, domain, palette.faint) });
}

function pointsOf({ curves, values }: EffectShape, palette: Palette): Point[] {
  return curves.flatMap((curve, c) =>
    values.map((value, at) => ({
      value,
      curve: curve.class ?? "",
      colour: palette.several[c % palette.several.length],
      mean: curve.mean[at],
      low: curve.low[at],
      high: curve.high[at],
    })),
  );
}

type Tick = { readonly tickFormat?: string };
type Domain = readonly [number, number] | undefined;

function curvesOf(
  shape: EffectShape,
  points: Point[],
  what: string,
  tick: Tick,
  domain: Domain,
  faint: string,
) {
  const several = shape.curves.length > 1;
  const ends = several ? points.filter(({ value }) => value === shape.values.at(-1)) : [];
  return {
    height: 240,
    marginLeft: 58,
    marginBottom: 40,
    marginTop: 28,
    marginRight: several
      ? Math.min(110, 14 + labelRoom(ends.map(({ curve }) => label(curve, 14))))
      : 16,
    y: { ...(domain && { domain }), nice: !domain },
    marks: [
      gridY({ ticks: 5, stroke: faint, strokeOpacity: 1 }),
      axisX({ label: label(shape.name), ticks: several ? 3 : 5 }),
      axisY({ label: what, ticks: 5, ...tick }),
      ...(several
        ? []
        : [
            areaY(points, {
              x: "value",
              y1: "low",
              y2: "high",
              fill: points[0].colour,
              fillOpacity: 0.18,
            }),
          ]),
      line(points, { x: "value", y: "mean", z: "curve", stroke: "colour", strokeWidth: 2 }),
      dot(points, { x: "value", y: "mean", r: 2, fill: "colour" }),
      text(ends, {
        x: "value",
        y: spread(
          ends.map(({ mean }) => mean),
          0.075 * (domain ? domain[1] - domain[0] : 1),
        ),
        text: ({ curve }: Point) => label(curve, 14),
        fill: "colour",
        textAnchor: "start",
        dx: 6,
      }),
    ],
    color: { type: "identity" as const },
  };
}

function levelsOf(
  shape: EffectShape,
  points: Point[],
  what: string,
  tick: Tick,
  domain: Domain,
  faint: string,
) {
  const names = shape.values.map((value) => label(`${value}`, 18));
  const several = shape.curves.length > 1;
  const placed = points.map((point) => ({ ...point, at: shape.values.indexOf(point.value) }));
  return {
    height: Math.max(240, 84 + 22 * names.length),
    marginLeft: 16 + labelRoom(names),
    marginBottom: 40,
    marginTop: several ? 46 : 28,
    marginRight: 20,
    x: { ...(domain && { domain }), nice: !domain },
    y: {
      type: "band" as const,
      domain: names.map((_, at) => at),
      label: label(shape.name),
      labelAnchor: "top" as const,
      tickFormat: (at: number) => names[at],
      tickSize: 0,
    },
    marks: [
      gridX({ ticks: 5, stroke: faint, strokeOpacity: 1 }),
      axisX({ label: what, ticks: 5, ...tick }),
      ...(several
        ? []
        : [
            link(placed, {
              x1: "low",
              x2: "high",
              y: "at",
              stroke: "colour",
              strokeOpacity: 0.35,
              strokeWidth: 6,
            }),
          ]),
      dot(placed, { x: "mean", y: "at", r: 4, fill: "colour" }),
      ...(several ? classKey(placed) : []),
    ],
    color: { type: "identity" as const },
  };
}

/** The classes' names in their colours, in one line above the picture. */
function classKey(points: readonly Point[]) {
  const named = [...new Map(points.map(({ curve, colour }) => [curve, colour]))];
  let dx = 0;
  return named.map(([curve, colour]) => {
    const words = `● ${label(curve, 14)}`;
    const mark = text([words], { frameAnchor: "top-left", dx, dy: -16, fill: colour });
    dx += 8 + labelRoom([words]);
    return mark;
  });
}
