import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { arrays, json, type Refusal, refuses } from "./support/refusal.ts";
import { run, temporaryFolder } from "./support/run.ts";

const cases: Refusal[] = [
  [
    "names too few",
    { "a.json": json({ names: ["a"] }) },
    ["a.json"],
    "a.json: names: needs 4 names, one per variable, got 1",
  ],
  [
    "names too many in a file",
    { "a.json": json({}), "n.txt": "a\nb\nc\nd\ne\n" },
    ["a.json", "--names", "n.txt"],
    "n.txt: needs 4 names, one per variable, got 5",
  ],
  [
    "a name twice",
    { "a.json": json({ names: ["a", "b", "a", "c"] }) },
    ["a.json"],
    'a.json: names: needs names that differ, got "a" as number 0 and 2',
  ],
  [
    "an empty name",
    { "a.json": json({}), "n.txt": "a\n\nc\nd\n" },
    ["a.json", "--names", "n.txt"],
    "n.txt[1]: needs a name, got an empty text",
  ],
  [
    "a name that is a number",
    { "a.json": json({ names: ["a", 2, "c", "d"] }) },
    ["a.json"],
    "a.json: names[1]: needs a text, got 2",
  ],
  [
    "an empty group",
    { "a.json": json({ groups: { g: [] } }) },
    ["a.json"],
    'a.json: groups: "g": needs at least one variable, got an empty group',
  ],
  [
    "an unknown name in a group",
    { "a.json": json({ groups: { g: ["x1", "x9"] } }) },
    ["a.json"],
    'a.json: groups: "g", member 1: needs known variables, got "x9"',
  ],
  [
    "a column past the end in a group",
    { "a.json": json({ groups: { g: [4] } }) },
    ["a.json"],
    'a.json: groups: "g", member 0: needs columns from 0 to 3, got 4',
  ],
  [
    "a group that is a number",
    { "a.json": json({ groups: { g: 1 } }) },
    ["a.json"],
    'a.json: groups: "g": needs a list of members, got 1',
  ],
  [
    "a member that is a list",
    { "a.json": json({ groups: { g: [[1]] } }) },
    ["a.json"],
    'a.json: groups: "g", member 0: needs a name or a column, got a list',
  ],
  [
    "groups that are a list",
    { "a.json": json({ groups: [[0, 1]] }) },
    ["a.json"],
    "a.json: groups: needs an object",
  ],
  [
    "an unknown name in a CSV of groups",
    { "a.json": json({}), "g.csv": "variable,group\nx1,g\nx7,g\n" },
    ["a.json", "--groups", "g.csv"],
    'g.csv: groups: "g", member 1: needs known variables, got "x7"',
  ],
  [
    "a CSV of groups without its columns",
    { "a.json": json({}), "g.csv": "gene,set\nx1,g\n" },
    ["a.json", "--groups", "g.csv"],
    'g.csv: needs a header with variable,group, got "gene,set"',
  ],
  [
    "a CSV of groups with an empty cell",
    { "a.json": json({}), "g.csv": "variable,group\nx1,\n" },
    ["a.json", "--groups", "g.csv"],
    "g.csv, record 2: needs a group, got nothing",
  ],
  [
    "a CSV of groups without rows",
    { "a.json": json({}), "g.csv": "variable,group\n" },
    ["a.json", "--groups", "g.csv"],
    "g.csv: needs rows after the header, got none",
  ],
  [
    "a CSV of groups with an open quote",
    { "a.json": json({}), "g.csv": 'variable,group\n"x1,g\n' },
    ["a.json", "--groups", "g.csv"],
    /g\.csv, record \d+: .*uot/,
  ],
  [
    "a GMT without a known variable",
    { "a.json": json({}), "g.gmt": "A\t\tTP53\n" },
    ["a.json", "--groups", "g.gmt"],
    "g.gmt: needs sets with known variables, got none in 1 sets",
  ],
  [
    "a GMT that is no GMT",
    { "a.json": json({}), "g.gmt": "A x1 x2\n" },
    ["a.json", "--groups", "g.gmt"],
    "g.gmt: needs a name, a description and members",
  ],
  [
    "groups of another length in an archive",
    { "a.npz": arrays({ groups: { shape: [2], data: ["a", "b"] } }) },
    ["a.npz"],
    "a.npz: groups: needs 4 texts, one per variable, got 2",
  ],
  [
    "an unknown name to nullify",
    { "a.json": json({}) },
    ["a.json", "--nullify", "x1,x9"],
    '--nullify: there is no variable "x9"',
  ],
  [
    "all nullified",
    { "a.json": json({}) },
    ["a.json", "--nullify", "x1,x2,x3,x4"],
    "a.json: needs at least one variable that is not nullified",
  ],
];

describe("ratewise rank refuses names and groups that do not fit", () => {
  test.each(cases)("%s", refuses);
});

test("an error does not print the escape sequences of a hostile name", async () => {
  const names = ["\u001b[31mred", "\u202elatipac", "a\u0007", "b\nc"];
  const folder = temporaryFolder();
  const path = join(folder, "hostile.json");
  writeFileSync(path, json({ names, groups: { "\u001b]0;title\u0007": ["\u001b[2J"] } }));
  const { code, err } = await run(["rank", path]);
  expect(code).toBe(1);
  expect(err).toContain(
    '"\\u{1b}]0;title\\u{7}", member 0: needs known variables, got "\\u{1b}[2J"',
  );
  expect(err.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
