// The API reference and the guides as one static site that opens from disk: npm run docs
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");

/** What can be imported: the source file of each entry point, and the name it is imported by. */
const entries = new Map(
  JSON.parse(read("package.json"))
    .workspaces.map((folder) => [folder, JSON.parse(read(join(folder, "package.json")))])
    .filter(([, manifest]) => !manifest.private)
    .flatMap(([folder, { name, exports }]) =>
      Object.entries(exports).map(([path, target]) => [
        join(root, folder, target["@ratewise/source"]),
        join(name, path),
      ]),
    ),
);
const guides = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const pages = [...guides.map((name) => `docs/${name}`), "ARCHITECTURE.md", "CHANGELOG.md"];

const app = await Application.bootstrap({
  name: "Ratewise",
  includeVersion: true,
  entryPoints: [...entries.keys()],
  tsconfig: join(root, "docs/site/tsconfig.json"),
  basePath: root,
  readme: join(root, "README.md"),
  projectDocuments: pages.map((path) => join(root, path)),
  highlightLanguages: ["js", "ts", "sh", "json", "csv", "ini", "python", "r"],
  searchInComments: true,
  searchInDocuments: true,
  searchGroupBoosts: { Documents: 4 },
  headings: { readme: false, document: false },
  out: join(root, "site"),
});
const project = await app.convert();
if (!project) process.exit(1);
project.packageVersion = JSON.parse(read("package.json")).version;
for (const module of project.children)
  module.name = entries.get(module.sources[0].fullFileName) ?? module.name;
for (const page of project.documents) {
  const path = pages.find((candidate) => basename(candidate, ".md") === basename(page.name));
  page.name = /^# (.*)$/m.exec(read(path))[1].replaceAll("`", "");
}
await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);
