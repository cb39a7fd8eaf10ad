/** A document to draw in: the page's own. Nothing is added to it. */
export function drawingDocument(): Document {
  return document;
}
