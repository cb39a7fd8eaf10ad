import { parseHTML } from "linkedom";

/** A document to draw in: Node has none of its own. */
export function drawingDocument(): Document {
  return parseHTML("<!doctype html><html><body></body></html>").document as unknown as Document;
}
