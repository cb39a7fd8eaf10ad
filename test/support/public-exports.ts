import { posix } from "node:path";
import { parseSync } from "vite";
import { read } from "./repository.ts";

/** Where a package's name leads, in source. */
const entries: Readonly<Record<string, string>> = {
  "@ratewise/core": "core/src/index.ts",
  "@ratewise/files": "files/src/index.ts",
  "@ratewise/plots": "plots/src/index.ts",
  "@ratewise/report": "report/src/index.ts",
  "@ratewise/onnx": "onnx/src/index.ts",
  "@ratewise/cluster": "cluster/src/index.ts",
  ratewise: "cli/src/index.ts",
};

export interface PublicExports {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** The names that a package exports, types included, following `export * from` to its end. */
export function publicExports(packageName: string): PublicExports {
  const values = new Set<string>();
  const types = new Set<string>();
  collect(entries[packageName]!, values, types);
  return { values: [...values].sort(), types: [...types].sort() };
}

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
        collect(entries[from] ?? posix.join(posix.dirname(path), from), values, types);
      } else if (exportName.name) {
        (isType || declaredTypes.has(exportName.name) ? types : values).add(exportName.name);
      }
    }
}
