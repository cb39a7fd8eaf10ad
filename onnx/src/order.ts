import { RatewiseError } from "@ratewise/core";
import type { GraphNode } from "./model.ts";

/**
 * The nodes in an order in which each one's inputs are there before it, the file's own as far as possible.
 * The format asks for that order; a graph in a circle has none. O(nodes + their inputs).
 */
export function orderNodes(nodes: readonly GraphNode[], known: readonly string[]): GraphNode[] {
  const maker = new Map<string, number>();
  const given = new Set(known);
  nodes.forEach((node, at) => {
    for (const name of node.outputs) {
      if (name === "") continue;
      if (maker.has(name) || given.has(name))
        throw new RatewiseError("parse", { what: `the tensor "${name}" is made twice`, name });
      maker.set(name, at);
    }
  });
  const waiting = nodes.map(() => 0);
  const users: number[][] = nodes.map(() => []);
  nodes.forEach((node, at) => {
    for (const name of new Set(node.inputs)) {
      if (name === "" || given.has(name)) continue;
      const from = maker.get(name);
      if (from === undefined)
        throw new RatewiseError("parse", {
          what: `${labelOf(node)} needs the tensor "${name}", which no operator makes`,
          name,
        });
      waiting[at]++;
      users[from].push(at);
    }
  });
  const ready = [...nodes.keys()].filter((at) => waiting[at] === 0);
  const ordered: GraphNode[] = [];
  for (let next = 0; next < ready.length; next++) {
    ordered.push(nodes[ready[next]]);
    for (const user of users[ready[next]]) if (--waiting[user] === 0) ready.push(user);
  }
  if (ordered.length < nodes.length) {
    const stuck = nodes[waiting.findIndex((count) => count > 0)];
    throw new RatewiseError("parse", {
      what: `the graph runs in a circle through ${labelOf(stuck)}`,
    });
  }
  return ordered;
}

/** How an error names a node. */
export function labelOf({ operator, name, outputs }: GraphNode): string {
  return `${operator} "${name || outputs[0] || "?"}"`;
}
