import { axisX, axisY, dot, ruleY, tickY } from "@observablehq/plot";
import { draw } from "./draw.ts";
import { label } from "./label.ts";
import { lightPalette } from "./palette.ts";
import type { FigureOptions } from "./predictions.ts";

/** Repeated estimates of some quantities by one method. */
export interface EstimatePanel {
  readonly name: string;
  readonly estimates: readonly { readonly name: string; readonly values: readonly number[] }[];
}

export interface EstimatesOptions extends FigureOptions {
  /** Values to hold the estimates against. */
  readonly truths?: readonly number[];
}

interface Point {
  readonly panel: string;
  readonly name: string;
  readonly value: number;
  readonly which: number;
  /** In pixels from the middle: points of one height beside each other. */
  readonly aside: number;
}

/** Every estimate as a point, one panel a method, with a tick at each mean. */
export function estimatesFigure(
  panels: readonly EstimatePanel[],
  { palette = lightPalette, width = 760, truths = [] }: EstimatesOptions = {},
): string {
  const points = panels.flatMap(({ name: panel, estimates }) =>
    estimates.flatMap(({ name, values }, which) =>
      values.map((value, i): Point => {
        const aside = ((i % 9) - 4) * 3;
        return { panel: label(panel, 34), name: label(name), value, which, aside };
      }),
    ),
  );
  const means = panels.flatMap(({ name: panel, estimates }) =>
    estimates.map(({ name, values }) => ({
      panel: label(panel, 34),
      name: label(name),
      value: values.reduce((sum, value) => sum + value, 0) / values.length,
    })),
  );
  return draw({
    palette,
    description: `Estimates of ${panels[0]?.estimates.map(({ name }) => name).join(" and ")} by ${panels.map(({ name }) => name).join("; ")}`,
    width,
    height: 320,
    marginLeft: 48,
    marginTop: 40,
    marginBottom: 40,
    fx: { domain: panels.map(({ name }) => label(name, 34)), label: null, padding: 0.12 },
    x: { type: "band", padding: 0.3 },
    y: { nice: true },
    marks: [
      axisY({ label: "estimate", ticks: 8, anchor: "left" }),
      axisX({ label: null, tickSize: 0 }),
      ruleY(truths, { stroke: palette.faint, strokeWidth: 1.5 }),
      ...Array.from({ length: 9 }, (_, at) =>
        dot(
          points.filter(({ aside }) => aside === (at - 4) * 3),
          {
            fx: "panel",
            x: "name",
            y: "value",
            dx: (at - 4) * 3,
            r: 1.8,
            fill: ({ which }: Point) => palette.several[which % palette.several.length],
            fillOpacity: 0.6,
          },
        ),
      ),
      tickY(means, { fx: "panel", x: "name", y: "value", stroke: palette.ink, strokeWidth: 2 }),
    ],
    color: { type: "identity" },
  });
}
