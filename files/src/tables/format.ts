import { RatewiseError } from "@ratewise/core";
import { looksLikeIdx } from "@ratewise/core/data";

/** The kinds of files that a table can come from. */
export type TableFormat = "text" | "parquet" | "npy" | "npz" | "libsvm" | "plink" | "idx";

const ENDINGS: readonly (readonly [RegExp, TableFormat])[] = [
  [/\.(csv|tsv|tab|txt|dat)$/i, "text"],
  [/\.(parquet|pq)$/i, "parquet"],
  [/\.npy$/i, "npy"],
  [/\.npz$/i, "npz"],
  [/\.(libsvm|svm|svmlight|feat)$/i, "libsvm"],
  [/\.bed$/i, "plink"],
  [/([-.]idx\d?([-.]ubyte)?)$/i, "idx"],
];

const FIRST_BYTES: readonly (readonly [readonly number[], TableFormat])[] = [
  [[0x50, 0x41, 0x52, 0x31], "parquet"],
  [[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59], "npy"],
  [[0x50, 0x4b, 3, 4], "npz"],
  [[0x6c, 0x1b], "plink"],
];

/** The name without the ending of compression. */
export function uncompressedName(path: string): string {
  return path.replace(/\.b?gz$/i, "");
}

/** The format that a name tells, or undefined. */
export function formatOfName(path: string): TableFormat | undefined {
  const name = uncompressedName(path);
  return ENDINGS.find(([ending]) => ending.test(name))?.[1];
}

/** What bytes without a name are called in messages. */
export const UNNAMED = "the bytes given";

/** The format that the first bytes tell; what has no name, standard input too, may also be plain text. */
export function formatOfBytes(path: string, bytes: Uint8Array): TableFormat {
  const found = FIRST_BYTES.find(([start]) => start.every((byte, i) => bytes[i] === byte));
  if (found) return found[1];
  if (looksLikeIdx(bytes)) return "idx";
  if (path === "-" || path === UNNAMED) return "text";
  throw new RatewiseError("file", {
    at: path,
    what: "neither the ending nor the first bytes say what this is",
    advice: "needs .csv, .tsv, .parquet, .npy, .npz, .libsvm, .bed or IDX",
    path,
  });
}
