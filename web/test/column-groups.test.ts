import { expect, test } from "vitest";
import { groupsByPrefix, withGroup, withoutGroup } from "../src/column-groups.ts";

const names = ["gene1_a", "gene1_b", "gene2.a", "gene2.b", "age", "lone_one", "__proto__"];

test("columns that begin alike are a group, single ones are not", () => {
  expect(groupsByPrefix(names)).toEqual({
    gene1: ["gene1_a", "gene1_b"],
    gene2: ["gene2.a", "gene2.b"],
  });
});

test("a group by hand has the columns whose names contain a text, in any case", () => {
  const groups = withGroup({}, "A", "E1", names);
  expect(groups).toEqual({ A: ["gene1_a", "gene1_b"] });
  expect(withGroup(groups, "B", "nothing like it", names)).toBe(groups);
  expect(withGroup(groups, "A", "age", names)).toEqual({ A: ["age"] });
});

test("a group can be removed", () => {
  expect(withoutGroup({ a: ["x"], b: ["y"] }, "a")).toEqual({ b: ["y"] });
});
