export { agreementFigure, shuffleFigure } from "./comparison.ts";
export { type EstimatePanel, type EstimatesOptions, estimatesFigure } from "./estimates.ts";
export { label } from "./label.ts";
export { type ManhattanOptions, manhattanFigure } from "./manhattan.ts";
export { lightPalette, type Palette } from "./palette.ts";
export { arePixels, pixelFigure, type SharesRow } from "./pixels.ts";
export { type FigureOptions, predictionFigure, reliabilityFigure } from "./predictions.ts";
export { type ShapeOptions, shapeDomain, shapeFigure } from "./shape.ts";
export { groupFigure, importanceFigure, type SharesOptions } from "./shares.ts";
