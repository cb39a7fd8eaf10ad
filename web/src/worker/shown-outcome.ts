/** Everything that turns an outcome into something to look at or to save. */
export { explainAnswers, networkAnswers, predictedBy } from "@ratewise/report";
export { drawFigure, figureNames } from "./figures.ts";
export { savedFile, savedNames } from "./saved-files.ts";
