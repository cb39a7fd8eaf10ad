export { type FormatName, formats } from "./number.ts";
export { compareReport, explainReport, type ReportOptions } from "./report.ts";
