import { type TrainedNetworkDocument, writeModel } from "@ratewise/core";
import { type ExplainDocument, safeJson } from "@ratewise/core/explain";
import { compareReport, explainReport, networkReport } from "@ratewise/report";
import { explainCsv, importanceParquet } from "ratewise/page";
import type { Outcome } from "./outcome.ts";
import { writeSession } from "./session-file.ts";

type Pieces = Iterable<string | Uint8Array>;
type Maker = (outcome: Outcome) => Pieces;

const kinds: Readonly<Record<string, string>> = {
  html: "text/html",
  csv: "text/csv",
  json: "application/json",
};

const makers: Readonly<Record<string, Maker>> = {
  "report.html": ({ document, comparison }) => [
    document.model.kind === "onnx"
      ? networkReport(document as TrainedNetworkDocument)
      : explainReport(document as ExplainDocument, comparison ? { compare: comparison } : {}),
  ],
  "result.json": ({ document }) => [`${safeJson(document)}\n`],
  "importance.csv": ({ document }) => explainCsv(document),
  "importance.parquet": ({ document }) => [importanceParquet(document)],
  "model.ratewise": ({ model }) => [writeModel(model!)],
  "comparison.json": ({ comparison }) => [`${safeJson(comparison)}\n`],
  "comparison.html": ({ comparison }) => [compareReport(comparison!)],
  "result.ratewise-session": (outcome) => [writeSession(outcome)],
};

/** What can be saved of a result, by the names that the command gives it. */
export function savedNames(outcome: Outcome): string[] {
  const { comparison, model, beside } = outcome;
  const missing = new Set([
    ...(model ? [] : ["model.ratewise"]),
    ...(comparison ? [] : ["comparison.json", "comparison.html"]),
  ]);
  return [...Object.keys(makers).filter((name) => !missing.has(name)), ...beside.keys()];
}

/** One of them. */
export function savedFile(outcome: Outcome, name: string): Blob {
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const type = kinds[ending] ?? "application/octet-stream";
  const kept = outcome.beside.get(name);
  const pieces = kept === undefined ? makers[name](outcome) : [kept];
  return new Blob([...pieces] as BlobPart[], { type });
}
