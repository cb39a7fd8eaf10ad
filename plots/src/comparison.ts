import { axisX, axisY, cell, line, text } from "@observablehq/plot";
import type { CompareDocument } from "@ratewise/core";
import { draw } from "./draw.ts";
import { label, labelRoom } from "./label.ts";
import { lightPalette } from "./palette.ts";
import type { FigureOptions } from "./predictions.ts";
import { spread } from "./spread.ts";

/** Rank correlations of every pair of methods. */
export function agreementFigure(
  { methods, spearman }: Pick<CompareDocument, "methods" | "spearman">,
  { palette = lightPalette, width = 720 }: FigureOptions = {},
): string {
  const names = methods.map(({ name }) => name);
  const cells = spearman.flatMap((row, i) =>
    row.map((value, j) => ({ x: names[j], y: names[i], value })),
  );
  const room = 16 + labelRoom(names);
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
        fill: palette.marginal,
        fillOpacity: ({ value }: { value: number | null }) => 0.08 + 0.6 * Math.max(0, value ?? 0),
      }),
      text(cells, {
        x: "x",
        y: "y",
        text: ({ value }: { value: number | null }) => (value === null ? "–" : value.toFixed(2)),
        fill: palette.ink,
      }),
    ],
  });
}

/** Of a comparison, or of a study with methods of its own. */
export interface ShuffleCurves extends Pick<CompareDocument["shuffle"], "metric" | "counts"> {
  readonly curves: readonly { readonly name: string; readonly scores: readonly number[] }[];
}

/** The held-out score as the variables that a method ranks first are shuffled: the lower, the better the ranking. */
export function shuffleFigure(
  { shuffle }: { readonly shuffle: ShuffleCurves },
  { palette = lightPalette, width = 720 }: FigureOptions = {},
): string {
  const points = shuffle.curves.flatMap(({ name, scores }, c) =>
    scores.map((score, at) => ({
      name,
      score,
      count: shuffle.counts[at],
      colour: name === "random" ? palette.ink : palette.several[c % palette.several.length],
      dashed: name === "random",
    })),
  );
  const ends = points.filter(({ count }) => count === shuffle.counts.at(-1));
  const what = shuffle.metric === "r2" ? "R² on rows never seen" : "share right on rows never seen";
  return draw({
    palette,
    description: `${what} as more and more of the variables each method ranks first are shuffled`,
    width,
    height: 360,
    marginLeft: 56,
    marginBottom: 44,
    marginTop: 28,
    marginRight: 20 + labelRoom(ends.map(({ name }) => name)),
    y: { nice: true },
    marks: [
      axisX({ label: "variables shuffled", ticks: 6 }),
      axisY({ label: what, ticks: 6 }),
      line(points, { x: "count", y: "score", z: "name", stroke: "colour", strokeWidth: 1.8 }),
      text(ends, {
        x: "count",
        y: spread(
          ends.map(({ score }) => score),
          rangeOf(points.map(({ score }) => score)) / 20,
        ),
        text: ({ name }: { name: string }) => label(name),
        fill: "colour",
        textAnchor: "start",
        dx: 6,
      }),
    ],
    color: { type: "identity" },
  });
}

function rangeOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}
