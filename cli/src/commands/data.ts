import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Command } from "../command.ts";
import { dataCache } from "../data-cache.ts";
import type { DataSet } from "../data-sets/data-set.ts";
import { imdb } from "../data-sets/imdb.ts";
import { mnist } from "../data-sets/mnist.ts";
import { parseCommandLine, reporting, reportingHelp, usageError } from "../options.ts";
import { progressLine } from "../progress.ts";
import { didYouMean } from "../suggest.ts";

const options = { ...reporting, from: { type: "string" }, force: { type: "boolean" } } as const;

const dataSets: readonly DataSet[] = [mnist, imdb];

const help = `usage: ratewise data get mnist|imdb [options]

Fetches the public data of the paper's studies, checks them against their published sums and keeps them for ratewise study. Without
words it lists what there is. They are kept in RATEWISE_CACHE, or in ratewise/data of the folder for caches.

options:
  --from <address>  a mirror: the folder with the files of the origin
  --force           fetch again what is there already
${reportingHelp}
examples:
  ratewise data
  ratewise data get mnist
  ratewise data get imdb --from https://mirror.example.org/sentiment/
`;

export const data: Command = {
  name: "data",
  summary: "fetch the public data of the paper's studies",
  help,
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("data", argv, options);
    const cache = dataCache(io.environment, homedir());
    const isThere = (name: string): boolean => existsSync(join(cache, name));
    if (positionals.length === 0) {
      const rows = dataSets.map(({ name, about }) => ({ name, about, there: isThere(name) }));
      if (values.json)
        return io.out(`${JSON.stringify({ kind: "data", cache, dataSets: rows })}\n`);
      const lines = rows.map(
        ({ name, about, there }) => `${name.padEnd(6)}  ${about}${there ? " (there)" : ""}`,
      );
      return io.out(`${lines.join("\n")}\n`);
    }
    const chosen = namedSet(positionals);
    const folder = join(cache, chosen.name);
    if (isThere(chosen.name) && !values.force) {
      io.err(`ratewise: ${folder} is there already; --force fetches it again`);
    } else {
      const progress = progressLine(io);
      try {
        const from = (values.from ?? chosen.origin).replace(/\/*$/, "/");
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

function namedSet([verb, name, ...more]: readonly string[]): DataSet {
  const names = dataSets.map((set) => set.name);
  if (verb !== "get") throw usageError("data", `needs "get", got "${verb}"`);
  if (name === undefined || more.length > 0)
    throw usageError(
      "data",
      `get needs one of ${names.join(", ")}, got ${name === undefined ? "none" : 1 + more.length}`,
    );
  const found = dataSets.find((set) => set.name === name);
  if (found) return found;
  const mice = name === "mice" ? "; the mice are read from RATEWISE_DATA only" : "";
  const there = `; there are ${names.join(", ")}`;
  throw usageError(
    "data",
    `there is no data set "${name}" to fetch${didYouMean(name, names) || mice || there}`,
  );
}
