import { type Model, type TrainedNetworkDocument, writeModel } from "@ratewise/core";
import { type CompareDocument, columnNames, type ExplainDocument } from "@ratewise/core/explain";
import {
  architectureDiagram,
  groupFigure,
  importanceFigure,
  predictionFigure,
  reliabilityFigure,
  shapeDomain,
  shapeFigure,
} from "@ratewise/plots";
import { explainReport, networkReport } from "@ratewise/report";
import type { FolderFile } from "./atomic-folder.ts";
import { comparisonFigures, comparisonTables } from "./compare-folder.ts";
import { explainCsv } from "./explain-csv.ts";
import { figureFiles } from "./figure-files.ts";
import { made } from "./folder-files.ts";

/** An explanation, and what other methods say where that was asked. */
export type ComparedExplanation = ExplainDocument & { readonly compare?: CompareDocument };

/** What `ratewise explain --out` writes, but for the forms of importance that other programs read. */
export function explainFiles(
  { compare, ...document }: ComparedExplanation,
  model: Model,
  json: string,
): FolderFile[] {
  return [
    { path: "result.json", pieces: [json] },
    made("report.html", () => explainReport(document, compare && { compare })),
    { path: "importance.csv", pieces: explainCsv(document) },
    ...(compare ? comparisonTables(compare) : []),
    made("model.ratewise", () => writeModel(model)),
    ...figuresOf(document, model),
    ...(compare ? comparisonFigures(compare) : []),
  ];
}

/** The same for a network that was trained elsewhere: there is no model of ours to keep. */
export function networkFiles(document: TrainedNetworkDocument, json: string): FolderFile[] {
  const target = document.target ?? "the output";
  return [
    { path: "result.json", pieces: [json] },
    made("report.html", () => networkReport(document)),
    { path: "importance.csv", pieces: explainCsv(document) },
    ...figureFiles("importance", () => importanceFigure({ ...document, target })),
    ...(document.groups.length > 0
      ? figureFiles("groups", () => groupFigure({ ...document, target }))
      : []),
  ];
}

/** A Gaussian process has no layers to draw. */
function figuresOf(document: ExplainDocument, model: Model): FolderFile[] {
  const { shapes, target, groups, calibration } = document;
  const domain = shapes.length > 0 ? shapeDomain(shapes) : undefined;
  return [
    ...figureFiles("importance", () => importanceFigure(document)),
    ...(calibration.probabilities
      ? figureFiles("reliability", () => reliabilityFigure(document))
      : figureFiles("predictions", () => predictionFigure(document))),
    ...shapes.flatMap((shape, at) =>
      figureFiles(`shape-${at + 1}`, () => shapeFigure(shape, target, domain && { domain })),
    ),
    ...(groups.length > 0 ? figureFiles("groups", () => groupFigure(document)) : []),
    ...(model.networks.length > 0 ? figureFiles("architecture", () => diagramOf(model)) : []),
  ];
}

function diagramOf({ networks, encoding, classes, target }: Model): string {
  return architectureDiagram(networks[0].architecture, {
    inputNames: columnNames(encoding),
    outputNames: classes?.length === 2 ? [classes[1]] : (classes ?? [target]),
  });
}
