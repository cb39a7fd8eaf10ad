/** What one layer of core may import. A layer is a folder of core/src, or a file beside them. */
export interface Layer {
  /** Layers it may import, or everything. */
  readonly layers: ReadonlySet<string> | "everything";
  /** Single files of which it may import types. */
  readonly typesOf: ReadonlySet<string>;
  /** Single files that it may start as workers. */
  readonly starts: ReadonlySet<string>;
}

export type LayerTable = ReadonlyMap<string, Layer>;

const names = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((m) => m[1]!);

/**
 * Reads the table under a heading of ARCHITECTURE.md, so that the document is the rule.
 * First column: the layers of the row; last: what they may import, as `names`, the words
 * "nothing" or "everything"; after semicolons "types of `folder/file.ts`", "starts `worker.ts`".
 */
export function parseLayerTable(markdown: string, heading = "Layers"): LayerTable {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (!section) throw new Error(`needs a section "## ${heading}", found none`);
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1))
    .slice(2);
  const table = new Map<string, Layer>();
  for (const row of rows) {
    const rule = row.at(-1)!.trim();
    const [may = "", ...clauses] = rule.split(/;\s*/);
    const clause = (word: string) =>
      new Set(clauses.filter((c) => c.startsWith(word)).flatMap(names));
    const layers = may === "everything" ? "everything" : new Set(names(may));
    if (layers !== "everything" && layers.size === 0 && may !== "nothing")
      throw new Error(`"${rule}" is neither names in backquotes, nor "nothing", nor "everything"`);
    for (const name of names(row[0]!)) {
      if (table.has(name)) throw new Error(`layer ${name} stands twice in the table`);
      table.set(name, { layers, typesOf: clause("types of"), starts: clause("starts") });
    }
  }
  for (const [name, { layers }] of table)
    for (const other of layers === "everything" ? [] : layers)
      if (!table.has(other)) throw new Error(`layer ${name} may import ${other}, which has no row`);
  return table;
}
