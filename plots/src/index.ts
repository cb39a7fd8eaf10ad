export { architectureDiagram } from "./architecture-diagram.ts";
export {
  agreementFigure,
  type ShuffleCurves,
  type ShuffleOptions,
  shuffleFigure,
} from "./comparison.ts";
export { type Curve, type CurvePanel, type CurvesOptions, curvesFigure } from "./curves.ts";
export type { DiagramLayer, DiagramOptions, DiagramSource } from "./diagram-columns.ts";
export { type EstimatePanel, type EstimatesOptions, estimatesFigure } from "./estimates.ts";
export type { VariantShares } from "./genome-points.ts";
export { label } from "./label.ts";
export {
  type ManhattanOptions,
  type MarkedStretch,
  manhattanFigure,
  variantsFigure,
} from "./manhattan.ts";
export { lightPalette, type Palette } from "./palette.ts";
export {
  type PixelMapsOptions,
  type PixelScores,
  type PixelTriangleOptions,
  pixelMapsFigure,
  pixelTriangleFigure,
} from "./pixel-methods.ts";
export { arePixels, pixelFigure, type SharesRow } from "./pixels.ts";
export { type FigureOptions, predictionFigure, reliabilityFigure } from "./predictions.ts";
export { type ShapeOptions, shapeDomain, shapeFigure } from "./shape.ts";
export { groupFigure, importanceFigure, type SharesOptions } from "./shares.ts";
export { type TopNames, type TopNamesOptions, topNamesFigure } from "./top-names.ts";
