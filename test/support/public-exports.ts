import { posix } from "node:path";
import { parseSync } from "vite";
import { manifestOf, read, workspaceFolders } from "./repository.ts";

/** One name under which a published package can be imported, and where it leads in source. */
export interface Entry {
  readonly folder: string;
  /** Such as `@ratewise/core/rate`. */
  readonly name: string;
  readonly path: string;
}

/** Every entry of every published package, as the "exports" of its package.json say. */
export const entries: readonly Entry[] = workspaceFolders.flatMap((folder) => {
  const manifest = manifestOf(folder);
  if (manifest.private) return [];
  return Object.entries(manifest.exports ?? {}).map(([subpath, conditions]) => ({
    folder,
    name: posix.join(manifest.name, subpath),
    path: posix.join(folder, conditions["@ratewise/source"]!),
  }));
});

export interface PublicExports {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** The names that an entry exports, types included, following `export * from` to its end. */
export function publicExports(name: string): PublicExports {
  const values = new Set<string>();
  const types = new Set<string>();
  collect(pathOf(name)!, values, types);
  return { values: [...values].sort(), types: [...types].sort() };
}

const pathOf = (name: string): string | undefined =>
  entries.find((entry) => entry.name === name)?.path;

function collect(path: string, values: Set<string>, types: Set<string>): void {
  const { module, program } = parseSync(path, read(path));
  const declaredTypes = new Set(
    program.body.flatMap((node) => {
      if (node.type !== "ExportNamedDeclaration" || node.exportKind !== "type") return [];
      const { declaration } = node;
      return declaration && "id" in declaration && declaration.id && "name" in declaration.id
        ? [declaration.id.name]
        : [];
    }),
  );
  for (const { entries: exported } of module.staticExports)
    for (const { exportName, importName, moduleRequest, isType } of exported) {
      if (importName.kind === "AllButDefault") {
        const from = moduleRequest!.value;
        collect(pathOf(from) ?? posix.join(posix.dirname(path), from), values, types);
      } else if (exportName.name) {
        (isType || declaredTypes.has(exportName.name) ? types : values).add(exportName.name);
      }
    }
}
