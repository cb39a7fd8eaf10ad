import { join } from "node:path";
import {
  architectureDiagram,
  columnNames,
  type ExplainDocument,
  type Model,
  writeModel,
} from "@ratewise/core";
import {
  groupFigure,
  importanceFigure,
  predictionFigure,
  reliabilityFigure,
  shapeDomain,
  shapeFigure,
} from "@ratewise/plots";
import { figurePng } from "@ratewise/plots/png";
import { explainReport } from "@ratewise/report";
import type { FolderFile } from "./atomic-folder.ts";
import { explainCsv } from "./explain-csv.ts";

/** What `ratewise explain --out` writes, but for the forms of importance that other programs read. */
export function explainFiles(document: ExplainDocument, model: Model, json: string): FolderFile[] {
  return [
    { path: "result.json", pieces: [json] },
    { path: "report.html", pieces: [explainReport(document)] },
    { path: "importance.csv", pieces: explainCsv(document) },
    { path: "model.ratewise", pieces: [writeModel(model)] },
    ...figuresOf(document, model).flatMap(([name, svg]) => [
      { path: `figures/${name}.svg`, pieces: [svg] },
      { path: `figures/${name}.png`, pieces: [figurePng(svg)] },
    ]),
  ];
}

/** Where the report is, and what lies beside it. */
export function writtenText(folder: string, files: readonly FolderFile[]): string {
  const names = new Set(files.map(({ path }) => path.split("/")[0]));
  names.delete("report.html");
  const beside = [...names].sort((a, b) => Number(a === "figures") - Number(b === "figures"));
  return `ratewise: the report is ${join(folder, "report.html")}; beside it are ${beside.slice(0, -1).join(", ")} and ${beside.at(-1)}`;
}

/** Every figure with the name of its file. A Gaussian process has no layers to draw. */
function figuresOf(document: ExplainDocument, model: Model): [string, string][] {
  const { shapes, target, groups, calibration } = document;
  const domain = shapes.length > 0 ? shapeDomain(shapes) : undefined;
  return [
    ["importance", importanceFigure(document)],
    calibration.probabilities
      ? ["reliability", reliabilityFigure(document)]
      : ["predictions", predictionFigure(document)],
    ...shapes.map((shape, at): [string, string] => [
      `shape-${at + 1}`,
      shapeFigure(shape, target, domain && { domain }),
    ]),
    ...(groups.length > 0 ? [["groups", groupFigure(document)] as [string, string]] : []),
    ...(model.networks.length > 0 ? [["architecture", diagramOf(model)] as [string, string]] : []),
  ];
}

function diagramOf({ networks, encoding, classes, target }: Model): string {
  return architectureDiagram(networks[0].architecture, {
    inputNames: columnNames(encoding),
    outputNames: classes?.length === 2 ? [classes[1]] : (classes ?? [target]),
  });
}
