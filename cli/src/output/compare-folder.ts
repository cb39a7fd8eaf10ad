import { type Model, writeModel } from "@ratewise/core";
import type { CompareDocument } from "@ratewise/core/explain";
import { agreementFigure, shuffleFigure } from "@ratewise/plots";
import { compareReport } from "@ratewise/report";
import type { FolderFile } from "./atomic-folder.ts";
import { compareCsv, searchCsv, shuffleCsv } from "./compare-csv.ts";
import { figureFiles } from "./figure-files.ts";
import { made } from "./folder-files.ts";

/** What `ratewise compare --out` writes. */
export function compareFiles(document: CompareDocument, model: Model, json: string): FolderFile[] {
  const searched = document.methods.some(({ search }) => search !== null);
  return [
    { path: "result.json", pieces: [json] },
    made("report.html", () => compareReport(document)),
    ...comparisonTables(document),
    ...(searched ? [{ path: "search.csv", pieces: searchCsv(document) }] : []),
    made("model.ratewise", () => writeModel(model)),
    ...comparisonFigures(document),
  ];
}

/** The scores, and the curves of the shuffle test. */
export function comparisonTables(document: CompareDocument): FolderFile[] {
  return [
    { path: "comparison.csv", pieces: compareCsv(document) },
    { path: "shuffle.csv", pieces: shuffleCsv(document) },
  ];
}

export function comparisonFigures(document: CompareDocument): FolderFile[] {
  return [
    ...figureFiles("agreement", () => agreementFigure(document)),
    ...figureFiles("shuffle-test", () => shuffleFigure(document)),
  ];
}
