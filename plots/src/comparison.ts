import { axisX, axisY, cell, line, text } from "@observablehq/plot";
import { type CompareDocument, methodTitle } from "@ratewise/core/explain";
import { draw } from "./draw.ts";
import { label, labelRoom } from "./label.ts";
import { lightPalette } from "./palette.ts";
import type { FigureOptions } from "./predictions.ts";

/** Below this width correlations have no zero before the point, those of many methods smaller digits, and panels are two in a row. */
const NARROW = 480;
const MANY = 7;

/** Rank correlations of every pair of methods. */
export function agreementFigure(
  { methods, spearman }: Pick<CompareDocument, "methods" | "spearman">,
  { palette = lightPalette, width = 720 }: FigureOptions = {},
): string {
  const names = methods.map(({ name }) => methodTitle(name));
  const cells = spearman.flatMap((row, i) =>
    row.map((value, j) => ({ x: names[j], y: names[i], value })),
  );
  const room = 16 + labelRoom(names);
  const narrow = width < NARROW;
  // Without the zero before the point they have room on a phone.
  const digits = (value: number): string =>
    narrow ? value.toFixed(2).replace("0.", ".").replace("1.00", "1") : value.toFixed(2);
  return draw({
    palette,
    description: "Spearman's rank correlation of the methods' scores, pair by pair",
    width,
    height: room + 30 + 34 * names.length,
    marginLeft: room,
    marginTop: 10,
    marginBottom: room,
    padding: 0.04,
    x: { domain: names, tickRotate: -45, label: null, tickSize: 0 },
    y: { domain: names, label: null, tickSize: 0 },
    marks: [
      cell(cells, {
        x: "x",
        y: "y",
        fill: palette.rate,
        fillOpacity: ({ value }: { value: number | null }) => 0.08 + 0.6 * Math.max(0, value ?? 0),
      }),
      text(cells, {
        x: "x",
        y: "y",
        text: ({ value }: { value: number | null }) => (value === null ? "–" : digits(value)),
        fontSize: narrow && names.length > MANY ? 9 : 12,
        fill: palette.ink,
      }),
    ],
  });
}

/** Of a comparison, or of a study with methods of its own. */
export interface ShuffleCurves extends Pick<CompareDocument["shuffle"], "metric" | "counts"> {
  readonly curves: readonly { readonly name: string; readonly scores: readonly number[] }[];
}

export interface ShuffleOptions extends FigureOptions {
  /** What the score is, in words for the axis; default by the metric. */
  readonly score?: string;
}

/** Panels in a row, at most, and the height of each. */
const COLUMNS = 4;
const PANEL = 132;

/**
 * The held-out score as the variables that a method ranks first are shuffled: the lower, the better the ranking. Rankings that
 * agree have one and the same curve, so each method has a panel of its own, the lowest mean first: its curve over those of
 * all others, and random orders dashed. No colour needs to be told from another.
 */
export function shuffleFigure(
  { shuffle }: { readonly shuffle: ShuffleCurves },
  { palette = lightPalette, width = 720, score }: ShuffleOptions = {},
): string {
  const curves = shuffle.curves.map(({ name, scores }) => ({ name: methodTitle(name), scores }));
  const points = curves.flatMap(({ name, scores }) =>
    scores.map((score, at) => ({ name, score, count: shuffle.counts[at] })),
  );
  const isRandom = ({ name }: { name: string }): boolean => name === "random";
  const random = points.filter(isRandom);
  const ranked = points.filter((point) => !isRandom(point));
  const names = curves
    .filter((curve) => !isRandom(curve))
    .sort((a, b) => meanOf(a.scores) - meanOf(b.scores))
    .map(({ name }) => name);
  const columns = Math.max(1, Math.min(width < NARROW ? 2 : COLUMNS, names.length));
  const rows = Math.max(1, Math.ceil(names.length / columns));
  // Where no method ranks anything there are no panels, and the random orders stand alone.
  const placed = (fx: (at: number) => number, fy: (at: number) => number) =>
    names.length > 0 && {
      fx: ({ name }: { name: string }) => fx(names.indexOf(name)),
      fy: ({ name }: { name: string }) => fy(names.indexOf(name)),
    };
  const panel = placed(
    (at) => at % columns,
    (at) => Math.floor(at / columns),
  );
  const curve = { x: "count", y: "score", z: "name" };
  // Half way down its curve, away from the titles above, and in the first panel alone: what is dashed in one is dashed in all.
  const half = (Math.max(...random.map(scoreOf)) + Math.min(...random.map(scoreOf))) / 2;
  const below = random.find((point) => scoreOf(point) <= half);
  const named = below ? [below] : [];
  const what =
    score ??
    (shuffle.metric === "r2"
      ? "R² on rows the network never saw"
      : "share predicted right on rows the network never saw");
  return draw({
    palette,
    description: `${what} as the variables that each method ranks first are shuffled, one after another; one panel per method, lowest mean first: ${names.join(", ")}`,
    width,
    height: 84 + PANEL * rows,
    marginLeft: 56,
    marginBottom: 44,
    marginTop: 40,
    marginRight: 22,
    fx: { axis: null, padding: 0.2 },
    fy: { axis: null, padding: 0.22 },
    y: { nice: true },
    marks: [
      axisX({ label: "variables shuffled", ticks: 3, tickFormat: "d" }),
      axisY({ label: what, ticks: 4 }),
      line(ranked, { ...curve, stroke: palette.faint, strokeWidth: 1 }),
      line(random, { ...curve, stroke: palette.ink, strokeWidth: 1.2, strokeDasharray: "4 3" }),
      line(ranked, { ...curve, ...panel, stroke: palette.direct, strokeWidth: 2.2 }),
      text(
        names.map((name) => ({ name })),
        {
          ...panel,
          text: ({ name }: { name: string }) => label(name, 20),
          fill: palette.ink,
          fontWeight: "bold",
          frameAnchor: "top-left",
          lineAnchor: "bottom",
          dy: -4,
        },
      ),
      text(named, {
        x: "count",
        y: "score",
        ...placed(
          () => 0,
          () => 0,
        ),
        text: () => "random",
        fill: palette.ink,
        textAnchor: "start",
        dx: 6,
        dy: -6,
      }),
    ],
  });
}

function scoreOf({ score }: { readonly score: number }): number {
  return score;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
