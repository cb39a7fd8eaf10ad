import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

test("the guide names every event of the logs, and no other", () => {
  const sources = readdirSync(join(root, "cluster/src")).map((name) => read(`cluster/src/${name}`));
  const code = [...sources, read("cli/src/commands/worker.ts")].join("\n");
  const logged = [...code.matchAll(/\blog\(\s*"([a-z-]+)"/g)].map(([, event]) => event);
  // Those with a computed name, and those that a task's process sends.
  expect(code).toMatch(/log\(`task-\$\{outcome\}`/);
  const sent = [...code.matchAll(/type: "notice", event: "([a-z-]+)"/g)].map(([, event]) => event);
  const events = new Set([...logged, "task-died", "task-failed", ...sent]);
  const [, table] = /All events:\n\n([\s\S]*?)\n\n/.exec(read("docs/cluster.md"))!;
  const firstCells = table.split("\n").map((row) => row.split("|")[1]);
  const told = firstCells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, e]) => e));
  expect(told.filter((name) => name !== "event").toSorted()).toEqual([...events].toSorted());
});
