import { compareMethods, methodTable } from "@ratewise/core/explain";
import { expect, test } from "vitest";
import { read } from "./support/repository.ts";

test("docs/compare.md lists the methods with the titles of the table in core, and what they look at", () => {
  const rows = [
    ...read("docs/compare.md").matchAll(/^\| `([\w-]+)` \| ([^|]+) \| (the|a) (\w+) \|/gm),
  ];
  expect(rows.map(([, name, title, , of]) => [name, title, of])).toEqual(
    compareMethods.map((name) => [name, methodTable[name].title, methodTable[name].of]),
  );
});
