import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RatewiseError } from "@ratewise/core";
import { gunzip } from "@ratewise/files";

/** A data set of `RATEWISE_DATA`, by the name of its folder there. */
export type DataName = "imdb" | "mice" | "mnist";

/** Real data on this machine: read by path within the folder that `RATEWISE_DATA` names or that `ratewise data get` filled. */
export interface DataFolder {
  /** Throws, saying what to do, unless the data set is there. */
  readonly check: (study: string, name: DataName) => void;
  /** Bytes of a file, unpacked where its name ends in .gz. */
  readonly bytes: (path: string) => Promise<Uint8Array>;
  readonly text: (path: string) => Promise<string>;
}

/** What can be had by `ratewise data get`; the mice cannot. */
const FETCHED: readonly DataName[] = ["imdb", "mnist"];

/** `named` is the value of `RATEWISE_DATA`; `cache` the folder that downloads go to. */
export function dataFolder(named: string | undefined, cache: string): DataFolder {
  const folders = [...(named ? [named] : []), cache];
  const find = (path: string): string | undefined =>
    folders.map((folder) => join(folder, path)).find((candidate) => existsSync(candidate));
  const bytes = async (path: string): Promise<Uint8Array> => {
    const file = find(path);
    if (file === undefined)
      throw new RatewiseError(
        "file",
        `study: needs ${path}, got no such file in ${folders.join(" or ")}; the data set is not complete`,
      );
    const raw = new Uint8Array(await readFile(file));
    return path.endsWith(".gz") ? gunzip(raw) : raw;
  };
  return {
    check(study, name) {
      if (find(name) !== undefined) return;
      const fetched = FETCHED.includes(name) ? `run ratewise data get ${name}, or set` : "set";
      throw new RatewiseError(
        "file",
        `study ${study}: needs the data set ${name}, got ${named ? `a RATEWISE_DATA (${named}) without a folder ${name}` : "no RATEWISE_DATA"}; ${fetched} RATEWISE_DATA to a folder that holds ${name}/`,
        { name },
      );
    },
    bytes,
    text: async (path) => new TextDecoder().decode(await bytes(path)),
  };
}
