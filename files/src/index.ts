export { type CsvOptions, parseCsv, readCsv } from "./csv.ts";
export { readCsvRecords } from "./csv-records.ts";
export { csvCellOfText, textOfCsvCell } from "./csv-text.ts";
export { type GunzipOptions, gunzip, gunzipPieces } from "./gzip.ts";
export { type NpzReadOptions, type NpzWriteOptions, readNpz, writeNpz } from "./npz.ts";
export { type ParquetOptions, readParquet } from "./parquet.ts";
export { type ParquetSource, type ParquetSourceOptions, parquetSource } from "./parquet-source.ts";
export { type ParquetColumn, writeParquet } from "./parquet-write.ts";
export { type PngPicture, writePng } from "./png.ts";
export { within } from "./within.ts";
export {
  type ZarrFiles,
  type ZarrSource,
  type ZarrSourceOptions,
  zarrSource,
} from "./zarr-source.ts";
