import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { RatewiseError } from "@ratewise/core";
import type { Command } from "../command.ts";
import { everywhere, everywhereHelp, parseCommandLine, usageError } from "../options/options.ts";
import { servePage } from "./page-server.ts";

const options = {
  ...everywhere,
  port: { type: "string" },
  out: { type: "string" },
  force: { type: "boolean" },
} as const;

const help = `usage: ratewise app [options]

Serves a page on this machine in which files can be dropped: it reads them, trains, ranks and explains in the browser, with
all cores. Nothing leaves the machine. Ends with Ctrl-C.

options:
  --port <number>   default: one that is free
  --out <folder>    write the page's files there instead, for any web server: plain files, nothing to install
  --force           write into a folder that holds other files; those stay
${everywhereHelp}
examples:
  ratewise app
  ratewise app --port 8080
  ratewise app --out site
`;

export const app: Command = {
  name: "app",
  summary: "open the page: drop a file in a browser, see what matters",
  help,
  options,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("app", argv, options);
    if (positionals.length > 0)
      throw usageError("app", `takes no files, got "${positionals[0]}"; drop them on the page`);
    const port = portOption(values.port);
    const { out } = values;
    if (out !== undefined) {
      await io.checkFolder(out, values.force ?? false);
      const files = pageFiles();
      await io.writeFolder(out, files);
      return io.err(`ratewise: wrote ${files.length} files of the page to ${out}`);
    }
    const server = await servePage(pageFolder(), port);
    await io.out(
      values.json
        ? `${JSON.stringify({ kind: "app", address: server.address })}\n`
        : `The page is at ${server.address}\nCtrl-C ends it.\n`,
    );
    await interrupted();
    await server.close();
  },
};

function portOption(value: string | undefined): number {
  if (value === undefined) return 0;
  const port = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(port >= 1 && port <= 65_535))
    throw usageError("app", `--port needs a number from 1 to 65535, got "${value}"`);
  return port;
}

/** Where the build put the page: beside the compiled commands. */
export function pageFolder(): string {
  const compiled = !import.meta.url.endsWith(".ts");
  const folder = fileURLToPath(new URL(compiled ? "../page" : "../../dist/page", import.meta.url));
  if (!existsSync(join(folder, "index.html")))
    throw new RatewiseError(
      "file",
      `app: the page is not at ${folder}; build it with npm run build`,
    );
  return folder;
}

function pageFiles(): { path: string; pieces: Uint8Array[] }[] {
  const folder = pageFolder();
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({
      path: relative(folder, file).split(sep).join("/"),
      pieces: [readFileSync(file)],
    }));
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
