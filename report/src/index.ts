export { networkAnswers, networkReport } from "./network.ts";
export { type FormatName, formats } from "./number.ts";
export { type Predicted, predictedBy } from "./predicted.ts";
export { compareReport, explainAnswers, explainReport, type ReportOptions } from "./report.ts";
