import { parseHTML } from "linkedom/worker";

/** A document to draw figures in: a worker has none of its own. */
export function drawingDocument(): Document {
  return parseHTML("<!doctype html><html><body></body></html>").document as unknown as Document;
}
