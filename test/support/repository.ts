import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { SourceTree, Workspace } from "./import-rules.ts";

export const root: string = resolve(import.meta.dirname, "../..");

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly type?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly imports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

export const read = (path: string): string => readFileSync(join(root, path), "utf8");

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(read(join(folder, "package.json"))) as Manifest;

/** The folders of all workspaces, in the order of the root package.json. */
export const workspaceFolders: readonly string[] = manifestOf(".").workspaces!;

const skipped = new Set(["node_modules", "dist", "coverage", "demo-result"]);

/** Every committed or new file below `folder`, as paths from the root; no build output, no dot folders. */
export function walk(folder = "."): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(root, folder, entry.name))
      .split(sep)
      .join("/");
    if (entry.isDirectory())
      return skipped.has(entry.name) || path === "site" || entry.name.startsWith(".")
        ? []
        : walk(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Every module that Node or a browser could load; kernels are another language and stand apart. */
export function sourceTree(): SourceTree {
  const rootOnly = Object.keys(manifestOf(".").devDependencies ?? {});
  const packages = workspaceFolders.map((folder) => manifestOf(folder).name);
  // docs/site is no workspace: what builds the site is installed apart.
  const workspaces = [".", ...workspaceFolders, "docs/site"].map((folder): Workspace => {
    const manifest = manifestOf(folder);
    const imports = Object.entries(manifest.imports ?? {}).map(([name, target]) => {
      const files = typeof target === "string" ? [target] : Object.values(target);
      const sources = files.map((file) =>
        join(folder, file).replace("/dist/", "/src/").replace(/\.js$/, ".ts"),
      );
      return [name, [...new Set(sources)]] as const;
    });
    return {
      folder,
      name: manifest.name,
      dependencies: Object.keys({
        ...manifest.dependencies,
        ...manifest.optionalDependencies,
        ...manifest.peerDependencies,
      }),
      devDependencies: [
        ...Object.keys(manifest.devDependencies ?? {}),
        ...rootOnly,
        ...(folder === "." ? packages : []),
      ],
      privateImports: Object.fromEntries(imports),
    };
  });
  const modules = walk().filter(
    (path) => /\.[cm]?[jt]sx?$/.test(path) && !path.startsWith("core/kernels/"),
  );
  return { workspaces, files: new Map(modules.map((path) => [path, read(path)])) };
}
