import { axisX, axisY, dot, line, link, text } from "@observablehq/plot";
import type { ExplainDocument } from "@ratewise/core/explain";
import { draw } from "./draw.ts";
import { label } from "./label.ts";
import { lightPalette, type Palette } from "./palette.ts";

export interface FigureOptions {
  readonly palette?: Palette;
  readonly width?: number;
}

/** Predicted against observed numbers of held-out rows, with the diagonal on which both agree. */
export function predictionFigure(
  { predictions, target }: Pick<ExplainDocument, "predictions" | "target">,
  { palette = lightPalette, width = 460 }: FigureOptions = {},
): string {
  const points = predictions.row.map((_, i) => ({
    observed: predictions.observed[i] as number,
    predicted: predictions.predicted[i] as number,
  }));
  const all = points.flatMap(({ observed, predicted }) => [observed, predicted]);
  const ends = [Math.min(...all), Math.max(...all)];
  return draw({
    palette,
    description: `Predicted and observed ${label(target)} of ${points.length} rows that the model never saw`,
    width,
    height: width,
    marginLeft: 62,
    marginBottom: 44,
    marginTop: 34,
    marginRight: 26,
    x: { domain: ends, nice: true },
    y: { domain: ends, nice: true },
    marks: [
      axisX({ label: `predicted ${label(target)}`, ticks: 5 }),
      axisY({ label: `observed ${label(target)}`, ticks: 6 }),
      link([ends], {
        x1: "0",
        y1: "0",
        x2: "1",
        y2: "1",
        stroke: palette.ink,
        strokeDasharray: "4 3",
      }),
      dot(points, {
        x: "predicted",
        y: "observed",
        r: 2.5,
        fill: palette.rate,
        fillOpacity: 0.55,
      }),
    ],
  });
}

/** How often what was given a probability came true, in bins of that probability. */
export function reliabilityFigure(
  { calibration }: Pick<ExplainDocument, "calibration">,
  { palette = lightPalette, width = 460 }: FigureOptions = {},
): string {
  const { class: of, bins } = calibration.probabilities!;
  const full = bins.filter(({ count }) => count > 0);
  const most = Math.max(...full.map(({ count }) => count));
  const what = of === null ? "the predicted class" : label(of);
  return draw({
    palette,
    description: `How often ${what} happened, by predicted probability, on rows that the model never saw`,
    width,
    height: width,
    marginLeft: 62,
    marginBottom: 62,
    marginTop: 34,
    marginRight: 26,
    x: { domain: [0, 1] },
    y: { domain: [0, 1] },
    marks: [
      axisX({
        label: `predicted probability of ${what}`,
        labelOffset: 40,
        tickFormat: "%",
        ticks: 5,
      }),
      axisY({ label: "share of the rows where it happened", tickFormat: "%", ticks: 5 }),
      link([[0, 1]], {
        x1: "0",
        y1: "0",
        x2: "1",
        y2: "1",
        stroke: palette.ink,
        strokeDasharray: "4 3",
      }),
      line(full, { x: "predicted", y: "observed", stroke: palette.rate }),
      dot(full, {
        x: "predicted",
        y: "observed",
        r: ({ count }: { count: number }) => 3 + 6 * Math.sqrt(count / most),
        fill: palette.rate,
      }),
      text(["larger dots: more rows"], {
        // Below the axis and its label, where no line of dots comes.
        frameAnchor: "bottom-right",
        lineAnchor: "top",
        dx: 16,
        dy: 48,
        fill: palette.ink,
      }),
    ],
    r: { type: "identity" },
  });
}
