export { type CsvOptions, parseCsv, readCsv } from "./csv.ts";
