export { drawingDocument } from "#document";
