import type { Model } from "@ratewise/core";
import { columnNames, type ExplainDocument } from "@ratewise/core/explain";
import {
  agreementFigure,
  architectureDiagram,
  arePixels,
  groupFigure,
  importanceFigure,
  lightPalette,
  manhattanFigure,
  type Palette,
  pixelFigure,
  predictionFigure,
  reliabilityFigure,
  shapeDomain,
  shapeFigure,
  shuffleFigure,
} from "@ratewise/plots";
import type { FigureName, FigureOptions } from "../protocol.ts";
import type { Outcome } from "./outcome.ts";

/** One drawing serves light and dark: its colours are the page's variables. */
const pagePalette: Palette = {
  ink: "var(--ink)",
  faint: "var(--line)",
  background: "none",
  rate: "var(--rate)",
  direct: "var(--direct)",
  several: Array.from({ length: 10 }, (_, c) => `var(--several-${c})`),
};

/** The width that a phone has for a figure. */
const PHONE = 340;

/** The figures that this result has. */
export function figureNames({ document, comparison, model, places }: Outcome): FigureName[] {
  const { variables, groups, shapes } = document;
  const direct = variables.some((variable) => variable.direct !== null);
  return [
    "importance",
    ...(document.model.kind === "onnx" ? [] : (["quality"] as const)),
    ...shapes.map((_, at) => `shape-${at + 1}` as const),
    ...(groups.length > 0 ? (["groups"] as const) : []),
    ...(arePixels(variables) ? (["pixels"] as const) : []),
    ...(places.length > 0 ? (["manhattan-rate"] as const) : []),
    ...(places.length > 0 && direct ? (["manhattan-direct"] as const) : []),
    ...(comparison ? (["agreement", "shuffle"] as const) : []),
    ...(model && model.networks.length > 0 ? (["architecture"] as const) : []),
  ];
}

/** A figure of the result as SVG. */
export function drawFigure(
  outcome: Outcome,
  name: FigureName,
  { colours, narrow = false }: FigureOptions,
): string {
  const options = {
    palette: colours === "page" ? pagePalette : lightPalette,
    ...(narrow && { width: PHONE }),
  };
  const { comparison, model, places } = outcome;
  // A network trained elsewhere has no shapes and no held-out rows, and none of their figures is asked for.
  const document = outcome.document as ExplainDocument;
  const named = { ...document, target: document.target ?? "the output" };
  switch (name) {
    case "importance":
      return importanceFigure(named, options);
    case "quality":
      return document.calibration.probabilities
        ? reliabilityFigure(document, options)
        : predictionFigure(document, options);
    case "groups":
      return groupFigure(named, options);
    case "pixels":
      return pixelFigure(document, options);
    case "manhattan-rate":
      return manhattanFigure(document, new Map(places), options);
    case "manhattan-direct":
      return manhattanFigure(document, new Map(places), { ...options, by: "direct" });
    case "agreement":
      return agreementFigure(comparison!, options);
    case "shuffle":
      return shuffleFigure(comparison!, options);
    case "architecture":
      return diagramOf(model!);
    default: {
      const shape = document.shapes[Number(name.slice("shape-".length)) - 1];
      return shapeFigure(shape, document.target, {
        ...options,
        domain: shapeDomain(document.shapes),
      });
    }
  }
}

function diagramOf({ networks, encoding, classes, target }: Model): string {
  return architectureDiagram(networks[0].architecture, {
    inputNames: columnNames(encoding),
    outputNames: classes?.length === 2 ? [classes[1]] : (classes ?? [target]),
  });
}
