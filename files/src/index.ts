export { type CsvOptions, parseCsv, readCsv } from "./csv.ts";
export { readCsvRecords } from "./csv-records.ts";
export { csvCellOfText, textOfCsvCell } from "./csv-text.ts";
export { decodeText } from "./decode-text.ts";
export { type FileAccess, readBytes } from "./file-access.ts";
export { withReason } from "./file-reasons.ts";
export { type GunzipOptions, gunzip, gunzipPieces } from "./gzip.ts";
export { type NpzReadOptions, type NpzWriteOptions, readNpz, writeNpz } from "./npz.ts";
export { type ParquetOptions, readParquet } from "./parquet.ts";
export { type ParquetSource, type ParquetSourceOptions, parquetSource } from "./parquet-source.ts";
export { type ParquetColumn, writeParquet } from "./parquet-write.ts";
export { type PngPicture, writePng } from "./png.ts";
export { readBesideBed } from "./tables/beside-bed.ts";
export { formatOfName, type TableFormat } from "./tables/format.ts";
export { responseOfFile } from "./tables/from-arrays.ts";
export {
  type ReadTableFileOptions,
  type ReadTableOptions,
  readTable,
  readTableFile,
  type TableFile,
} from "./tables/read-table.ts";
export { within } from "./within.ts";
export {
  type ZarrFiles,
  type ZarrSource,
  type ZarrSourceOptions,
  zarrSource,
} from "./zarr-source.ts";
