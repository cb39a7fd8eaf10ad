import { describe, expect, test } from "vitest";
import {
  groupsFromGmt,
  groupsFromLists,
  groupsFromPairs,
  indexNames,
} from "../../src/data/groups.ts";

const index = indexNames(["a", "b", "c", "1"]);

describe("groupsFromLists", () => {
  test("takes names and 0-based columns, and keeps the order given", () => {
    expect(
      groupsFromLists(
        [
          ["later", ["c", 0]],
          ["earlier", [1, "a"]],
        ],
        index,
      ),
    ).toEqual([
      { name: "later", members: [2, 0] },
      { name: "earlier", members: [1, 0] },
    ]);
  });

  test('the number 1 is a column, the text "1" a name', () => {
    expect(groupsFromLists([["g", [1]]], index)[0].members).toEqual([1]);
    expect(groupsFromLists([["g", ["1"]]], index)[0].members).toEqual([3]);
  });

  test("a member named twice counts once", () => {
    expect(groupsFromLists([["g", ["b", 0, "a", 1]]], index)[0].members).toEqual([1, 0]);
  });

  test.each([
    [["g", ["a", "z"]], 'groups: "g", member 1: needs known variables, got "z"'],
    [["g", [4]], 'groups: "g", member 0: needs columns from 0 to 3, got 4'],
    [["g", [0.5]], "needs columns from 0 to 3, got 0.5"],
    [["g", [-1]], "needs columns from 0 to 3, got -1"],
    [["g", []], 'groups: "g": needs at least one variable, got an empty group'],
  ] as [[string, (string | number)[]], string][])("refuses %j", (list, message) => {
    expect(() => groupsFromLists([list], index)).toThrow(message);
  });
});

test("groupsFromPairs gathers the rows of each group", () => {
  const pairs: [string, string][] = [
    ["c", "two"],
    ["a", "one"],
    ["b", "two"],
  ];
  expect(groupsFromPairs(pairs, index)).toEqual([
    { name: "two", members: [2, 1] },
    { name: "one", members: [0] },
  ]);
});

test("groupsFromGmt counts what it ignores", () => {
  const gmt = "SET1\tabout\ta\tz\tc\n\nSET2\t\tz\tq\r\nSET3\tabout\tb\tb\n";
  expect(groupsFromGmt(gmt, index)).toEqual({
    groups: [
      { name: "SET1", members: [0, 2] },
      { name: "SET3", members: [1] },
    ],
    unknownMembers: 3,
    emptySets: 1,
  });
  expect(() => groupsFromGmt("SET1 about a\n", index)).toThrow("got another line 1");
  expect(() => groupsFromGmt("S\td\ta\nS\td\tb\n", index)).toThrow('got "S" again in line 2');
});

test("indexNames refuses a name twice and says where", () => {
  expect(() => indexNames(["a", "b", "a"])).toThrow('got "a" as number 0 and 2');
});
