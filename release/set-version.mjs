// Writes a version wherever it has to stand: node release/set-version.mjs 0.3.0
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? ""))
  throw new Error(`set-version: needs a version such as 0.3.0, got ${version}`);

const manifest = (folder) => new URL(`${folder}/package.json`, root);
const parse = (address) => JSON.parse(readFileSync(address, "utf8"));
const folders = parse(manifest(".")).workspaces;
const ours = new Set(folders.map((folder) => parse(manifest(folder)).name));

for (const folder of [".", ...folders]) {
  const content = parse(manifest(folder));
  content.version = version;
  for (const name of Object.keys(content.dependencies ?? {}))
    if (ours.has(name)) content.dependencies[name] = version;
  writeFileSync(manifest(folder), `${JSON.stringify(content, null, 2)}\n`);
}

const constant = new URL("core/src/version.ts", root);
const source = readFileSync(constant, "utf8");
writeFileSync(constant, source.replace(/"\d+\.\d+\.\d+"/, JSON.stringify(version)));
execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], {
  cwd: fileURLToPath(root),
  stdio: "inherit",
});
