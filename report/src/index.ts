export { directInWords, rateInWords } from "./definitions.ts";
export { networkReport } from "./network.ts";
export { type FormatName, formats } from "./number.ts";
export { compareReport, explainAnswers, explainReport, type ReportOptions } from "./report.ts";
