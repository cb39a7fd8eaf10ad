import { type ESTree, parseSync, Visitor } from "vite";

/** How one module names another. `worker` is `new URL("…", import.meta.url)`: a file, not an import. */
export type ReferenceKind = "import" | "type" | "export" | "dynamic" | "worker" | "require";

export interface Reference {
  /** null when the specifier is computed, so that nobody can tell where it leads. */
  readonly specifier: string | null;
  readonly kind: ReferenceKind;
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
  readonly line: number;
}

function literal(node: ESTree.Node): string | null {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateLiteral" && node.expressions.length === 0)
    return node.quasis[0]!.value.cooked ?? null;
  return null;
}

/** Every module or file that `source` refers to, by a real parser: comments and strings do not count. */
export function importsOf(path: string, source: string): Reference[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: cannot be parsed: ${errors[0]!.message}`);
  const found: Reference[] = [];
  const add = (node: ESTree.Node, at: ESTree.Node, kind: ReferenceKind, typeOnly = false) => {
    const line = source.slice(0, at.start).split("\n").length;
    found.push({ specifier: literal(node), kind, typeOnly, line });
  };
  new Visitor({
    ImportDeclaration(node) {
      // `import { type A }` keeps the import of the module itself under verbatimModuleSyntax.
      const typeOnly = node.importKind === "type";
      add(node.source, node, typeOnly ? "type" : "import", typeOnly);
    },
    ExportNamedDeclaration(node) {
      if (node.source) add(node.source, node, "export", node.exportKind === "type");
    },
    ExportAllDeclaration(node) {
      add(node.source, node, "export", node.exportKind === "type");
    },
    ImportExpression(node) {
      add(node.source, node, "dynamic");
    },
    TSImportType(node) {
      add(node.source, node, "type", true);
    },
    TSImportEqualsDeclaration(node) {
      if (node.moduleReference.type === "TSExternalModuleReference")
        add(node.moduleReference.expression, node, "require", node.importKind === "type");
    },
    CallExpression(node) {
      const { callee } = node;
      const first = node.arguments[0];
      if (first && callee.type === "Identifier" && callee.name === "require")
        add(first, node, "require");
      if (first && isImportMeta(callee, "resolve")) add(first, node, "dynamic");
    },
    NewExpression(node) {
      const [first, second] = node.arguments;
      if (node.callee.type !== "Identifier" || node.callee.name !== "URL") return;
      if (first && second && isImportMeta(second, "url")) add(first, node, "worker");
    },
  }).visit(program);
  return found.sort((a, b) => a.line - b.line);
}

function isImportMeta(node: ESTree.Node, property: string): boolean {
  return (
    node.type === "MemberExpression" &&
    node.object.type === "MetaProperty" &&
    node.property.type === "Identifier" &&
    node.property.name === property
  );
}
