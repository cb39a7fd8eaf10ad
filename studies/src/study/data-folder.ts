import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RatewiseError } from "@ratewise/core";
import { gunzip } from "@ratewise/files";

/** A data set of `RATEWISE_DATA`, by the name of its folder there. */
export type DataName = "imdb" | "mice" | "mnist";

/** Real data on this machine: read by path within the folder that `RATEWISE_DATA` names or that `ratewise data get` filled. */
export interface DataFolder {
  /** Throws, saying what to do, unless all files of the data set are there. */
  readonly check: (study: string, name: DataName) => void;
  /** SHA-256 of the data set's files as they lie there, by path. */
  readonly sums: (name: DataName) => Promise<Record<string, string>>;
  /** Bytes of a file, unpacked where its name ends in .gz. */
  readonly bytes: (path: string) => Promise<Uint8Array>;
  readonly text: (path: string) => Promise<string>;
}

/** What studies read of each. */
const FILES: Readonly<Record<DataName, readonly string[]>> = {
  imdb: ["imdb/imdb.vocab.tsv", "imdb/imdb_train.feat.gz", "imdb/imdb_test.feat.gz"],
  mice: [
    "mice/hs_mice.bed",
    "mice/hs_mice.bim",
    "mice/hs_mice.fam",
    "mice/hs_mice.pheno.tsv",
    "genes/mgi_genes_grcm38.tsv.gz",
    "genesets/dbGaP.gmt",
  ],
  mnist: ["train", "t10k"].flatMap((half) => [
    `mnist/${half}-images-idx3-ubyte.gz`,
    `mnist/${half}-labels-idx1-ubyte.gz`,
  ]),
};

/** What can be had by `ratewise data get`; the mice cannot. */
const FETCHED: readonly DataName[] = ["imdb", "mnist"];

/** `named` is the value of `RATEWISE_DATA`; `cache` the folder that downloads go to. */
export function dataFolder(named: string | undefined, cache: string): DataFolder {
  const folders = [...(named ? [named] : []), cache];
  const find = (path: string): string | undefined =>
    folders.map((folder) => join(folder, path)).find((candidate) => existsSync(candidate));
  const raw = async (path: string): Promise<Uint8Array> => {
    const file = find(path);
    if (file === undefined)
      throw new RatewiseError("file", {
        at: "study",
        what: `needs ${path}, got no such file in ${folders.join(" or ")}`,
        advice: "the data set is not complete",
      });
    return new Uint8Array(await readFile(file));
  };
  const bytes = async (path: string): Promise<Uint8Array> =>
    path.endsWith(".gz") ? gunzip(await raw(path)) : raw(path);
  return {
    check(study, name) {
      const missing = FILES[name].filter((path) => find(path) === undefined);
      if (missing.length === 0) return;
      const fetched = FETCHED.includes(name) ? `run ratewise data get ${name}, or set` : "set";
      const all = missing.length === FILES[name].length;
      const folder = named ? `a RATEWISE_DATA (${named})` : "no RATEWISE_DATA";
      const where = named || all ? folder : `${folder} and a ${cache}`;
      const without = named || !all ? ` without ${all ? "it" : missing.join(", ")}` : "";
      throw new RatewiseError("file", {
        at: `study ${study}`,
        what: `needs the data set ${name}, got ${where}${without}`,
        advice: `${fetched} RATEWISE_DATA to a folder that holds ${FILES[name].join(", ")}`,
        name,
      });
    },
    async sums(name) {
      const sums: Record<string, string> = {};
      for (const path of FILES[name])
        sums[path] = createHash("sha256")
          .update(await raw(path))
          .digest("hex");
      return sums;
    },
    bytes,
    text: async (path) => new TextDecoder().decode(await bytes(path)),
  };
}
