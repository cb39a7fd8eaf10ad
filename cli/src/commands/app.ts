import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { RatewiseError } from "@ratewise/core";
import type { Command } from "../command.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { parseCommandLine, usageError } from "../options/options.ts";
import { servePage } from "./page-server.ts";

const help = `usage: ratewise app [options]

Opens a page on this machine. Drop a file on it, and the page reads it, trains, ranks and explains in the
browser, with all cores. Nothing leaves the machine. Press Ctrl-C to stop.

options:
${optionsHelp("app")}
examples:
  ratewise app
  ratewise app --port 8080
  ratewise app --out site
`;

export const app: Command = {
  name: "app",
  summary: "open a page in the browser: drop a file, see what matters",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("app", argv);
    if (positionals.length > 0)
      throw usageError("app", `takes no files, got "${positionals[0]}"; drop them on the page`);
    const port = values.port ?? 0;
    const { out } = values;
    if (out !== undefined) {
      await io.checkFolder(out, values.force);
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

/** Where the build put the page: beside the compiled commands. */
export function pageFolder(): string {
  const compiled = !import.meta.url.endsWith(".ts");
  const folder = fileURLToPath(new URL(compiled ? "../page" : "../../dist/page", import.meta.url));
  if (!existsSync(join(folder, "index.html")))
    throw new RatewiseError("file", {
      at: "app",
      what: `the page is not at ${folder}`,
      advice: "build it with npm run build",
    });
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
