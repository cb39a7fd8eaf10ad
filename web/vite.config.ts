import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Part of the command's build, so that the published command has it. */
const outDir = here("../cli/dist/page");

/** Commands run in the page with these in place of what only Node has. */
const alias = {
  "node:fs/promises": here("src/node/files.ts"),
  "node:path": here("src/node/path.ts"),
  "node:util": here("src/node/arguments.ts"),
  "@ratewise/cluster": here("src/node/cluster.ts"),
  "@ratewise/native": here("src/node/native.ts"),
  "@ratewise/plots/png": here("src/node/png.ts"),
  "#document": here("src/worker/drawing-document.ts"),
};

/** Parts above this many bytes are fetched when they are needed, and kept from then on. */
const LARGE = 4 * 2 ** 20;

/** Tells the service worker which files there are, and gives it another hash when one of them changes. */
function listFiles(): Plugin {
  return {
    name: "list-files",
    apply: "build",
    closeBundle() {
      const worker = join(outDir, "service-worker.js");
      const files = filesBelow(outDir).filter((path) => path !== worker);
      const hash = createHash("sha256");
      for (const path of files) hash.update(relative(outDir, path)).update(readFileSync(path));
      const listed = files
        .filter((path) => statSync(path).size < LARGE)
        .map((path) => relative(outDir, path).replaceAll("\\", "/"));
      const text = readFileSync(worker, "utf8")
        .replace(/(["'`])__FILES__\1/, () => JSON.stringify(listed))
        .replace(/(["'`])__VERSION__\1/, () => JSON.stringify(hash.digest("hex").slice(0, 16)));
      writeFileSync(worker, text);
    },
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export default defineConfig({
  root: here("."),
  base: "./",
  logLevel: "warn",
  resolve: { alias },
  worker: { format: "es" },
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 4000,
    rollupOptions: {
      input: { index: here("index.html"), "service-worker": here("src/service-worker.ts") },
      output: {
        entryFileNames: ({ name }) =>
          name === "service-worker" ? "service-worker.js" : "assets/[name]-[hash].js",
      },
    },
  },
  plugins: [listFiles()],
});
