import type { RunOptions } from "@ratewise/core";
import type { FolderFile } from "../../output/atomic-folder.ts";

/** Public data that `ratewise data get` fetches. */
export interface DataSet {
  readonly name: "imdb" | "mnist";
  readonly about: string;
  /** The folder it is fetched from when no mirror is named. */
  readonly origin: string;
  /** Files of the folder in the cache, checked against their sums; fetched from `from`. */
  readonly fetch: (from: string, run: RunOptions) => Promise<FolderFile[]>;
}
