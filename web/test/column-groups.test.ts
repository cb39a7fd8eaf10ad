import { expect, test } from "vitest";
import { groupsByPrefix, namesIn, withGroup, withoutGroup } from "../src/column-groups.ts";

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

test("a group by hand can name its columns, and then has those alone", () => {
  expect(withGroup({}, "A", "age, GENE2.b", [...names, "dosage"])).toEqual({
    A: ["gene2.b", "age"],
  });
  expect(withGroup({}, "A", " , ", names)).toEqual({});
});

test("columns are named in a text by lines, commas or tabs; strangers and the target are passed over", () => {
  const columns = [...names, "a b"].map((name) => ({
    name,
    use: name === "age" ? "target" : "predictor",
  }));
  expect(namesIn('gene1_a\r\nage\n"a b",nobody\tgene2.b\n', columns)).toEqual([
    "gene1_a",
    "gene2.b",
    "a b",
  ]);
});

test("a group can be removed", () => {
  expect(withoutGroup({ a: ["x"], b: ["y"] }, "a")).toEqual({ b: ["y"] });
});
