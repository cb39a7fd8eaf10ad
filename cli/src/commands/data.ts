import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { didYouMean } from "@ratewise/core/words";
import type { DataName } from "@ratewise/studies";
import type { Command } from "../command.ts";
import { dataCache } from "../input/data-cache.ts";
import type { DataSet } from "../input/data-sets/data-set.ts";
import { imdb } from "../input/data-sets/imdb.ts";
import { mnist } from "../input/data-sets/mnist.ts";
import type { Io } from "../io.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { parseCommandLine, usageError } from "../options/options.ts";
import { progressLine } from "../output/progress.ts";
import { checkWritable } from "../output/writable.ts";

const dataSets: readonly DataSet[] = [mnist, imdb];

const help = `usage: ratewise data get mnist|imdb [options]

Downloads the public data of the paper's studies, verifies their checksums and keeps them for "ratewise study".
"ratewise data" alone lists the data sets and says which you have, and where.
The data are kept in RATEWISE_CACHE, or in ratewise/data in the usual cache folder. Data in RATEWISE_DATA are
used first. The mice cannot be downloaded.

options:
${optionsHelp("data")}
examples:
  ratewise data
  ratewise data get mnist
  ratewise data get imdb --from https://mirror.example.org/sentiment/
`;

export const data: Command = {
  name: "data",
  summary: "download the public data of the paper's studies",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("data", argv);
    const cache = dataCache(io.environment, homedir());
    if (positionals.length === 0) {
      const whereIs = await dataFinder(io, cache);
      return io.out(values.json ? listJson(cache, whereIs) : listText(cache, whereIs));
    }
    const chosen = namedSet(positionals);
    const from = addressOption(values.from ?? chosen.origin);
    const there = values.force ? null : (await dataFinder(io, cache))(chosen.name);
    const folder = there ?? join(cache, chosen.name);
    if (there !== null) {
      const again = `--force fetches it ${there === join(cache, chosen.name) ? "again" : `to ${cache}`}`;
      io.err(`ratewise: ${there} is there already; ${again}`);
    } else {
      await checkWritable(cache);
      const progress = progressLine(io);
      try {
        const files = await chosen.fetch(from, { onProgress: progress.onProgress });
        await mkdir(cache, { recursive: true });
        await io.writeFolder(folder, files);
      } finally {
        progress.finish();
      }
    }
    await io.out(
      values.json
        ? `${JSON.stringify({ kind: "data", name: chosen.name, folder })}\n`
        : `${folder}\n`,
    );
  },
};

/** The folder that a data set lies in, whole, or null: looked for as studies do. */
type DataFinder = (name: DataName) => string | null;

async function dataFinder({ environment }: Io, cache: string): Promise<DataFinder> {
  const { dataFolder } = await import("@ratewise/studies");
  const named = environment.RATEWISE_DATA;
  const { check } = dataFolder(named, cache);
  return (name) => {
    try {
      check("data", name);
    } catch {
      return null;
    }
    const folders = [...(named ? [named] : []), cache].map((folder) => join(folder, name));
    return folders.find((folder) => existsSync(folder)) ?? null;
  };
}

/** What cannot be fetched, and is listed beside what can. */
const mice = {
  name: "mice",
  about:
    "1,814 heterogeneous stock mice (Valdar and others 2006), with genes and gene sets; for mice and hidden",
} as const;

function listText(cache: string, whereIs: DataFinder): string {
  const missing = (name: string): string =>
    name === mice.name
      ? "missing, and cannot be downloaded: RATEWISE_DATA must name a folder with mice/, genes/ and genesets/"
      : `missing; ratewise data get ${name} puts it in ${join(cache, name)}`;
  const lines = [...dataSets, mice].flatMap(({ name, about }) => {
    const there = whereIs(name);
    return [
      `${name.padEnd(6)}  ${about}`,
      `        ${there ? `there, in ${there}` : missing(name)}`,
    ];
  });
  return `${lines.join("\n")}\n`;
}

function listJson(cache: string, whereIs: DataFinder): string {
  const rows = [...dataSets, mice].map(({ name, about }) => {
    const folder = whereIs(name);
    return { name, about, there: folder !== null, folder, fetched: name !== mice.name };
  });
  return `${JSON.stringify({ kind: "data", cache, dataSets: rows })}\n`;
}

/** A folder's address, with the slash at its end. */
function addressOption(from: string): string {
  if (!/^https?:\/\/./i.test(from) || !URL.canParse(from))
    throw usageError("data", `--from needs an http or https address, got "${from}"`);
  return from.replace(/\/*$/, "/");
}

function namedSet([verb, name, ...more]: readonly string[]): DataSet {
  const names: readonly string[] = dataSets.map((set) => set.name);
  if (verb !== "get") {
    const meant = names.includes(verb) ? `; did you mean "ratewise data get ${verb}"?` : "";
    throw usageError("data", `needs "get", got "${verb}"${meant}`);
  }
  if (name === undefined || more.length > 0)
    throw usageError(
      "data",
      `get needs one of ${names.join(", ")}, got ${name === undefined ? "none" : 1 + more.length}`,
    );
  const found = dataSets.find((set) => set.name === name);
  if (found) return found;
  const onlyRead = name === mice.name ? "; the mice are read from RATEWISE_DATA only" : "";
  const there = `; choose one of ${names.join(", ")}`;
  throw usageError(
    "data",
    `there is no data set "${name}" to fetch${onlyRead || didYouMean(name, names) || there}`,
  );
}
