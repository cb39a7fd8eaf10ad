export { type CsvOptions, parseCsv, readCsv } from "./csv.ts";
export { readCsvRecords } from "./csv-records.ts";
export { csvCellOfText, textOfCsvCell } from "./csv-text.ts";
export { type GunzipOptions, gunzip, gunzipPieces } from "./gzip.ts";
export { type NpzReadOptions, type NpzWriteOptions, readNpz, writeNpz } from "./npz.ts";
export { type ParquetOptions, readParquet } from "./parquet.ts";
export { type ParquetColumn, writeParquet } from "./parquet-write.ts";
export { within } from "./within.ts";
