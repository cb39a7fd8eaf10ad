import { describe, expect, test } from "vitest";
import { findings } from "./support/hygiene.ts";
import { read, walk } from "./support/repository.ts";

const isText = (path: string): boolean =>
  /\.(ts|tsx|js|mjs|json|md|css|html|svg|txt|sh|py|yml)$/.test(path) &&
  path !== "package-lock.json" &&
  !path.endsWith(".generated.ts");

test("the repository keeps its own rules", () => {
  const files = new Map(
    walk()
      .filter(isText)
      .map((path) => [path, read(path)]),
  );
  expect(files.size).toBeGreaterThan(50);
  expect(findings(files)).toEqual([]);
});

describe("planted", () => {
  // Put together here, so that this file itself is clean.
  const say = (...parts: string[]) => parts.join("");
  test.each([
    ["a machine's path", "docs/a.md", say("see /wo", "rk/main"), "a path of one machine"],
    ["a neighbour's path", "cli/src/a.ts", say('"../sha', 'red/data"'), "a path of one machine"],
    ["ambient randomness", "core/src/a.ts", "Math.random()", "ambient randomness"],
    ["a clock", "core/src/rate/a.ts", "Date.now()", "ambient randomness"],
    ["printing", "core/src/a.ts", "console.warn(1)", "ambient randomness"],
    ["an engine's logarithm", "core/src/a.ts", "x = -Math.log(y);", "last bits"],
    ["an engine's sine as a value", "core/src/a.ts", "values.map(Math.sinh)", "last bits"],
    ["an engine's functions by name", "core/src/a.ts", "const { exp } = Math;", "last bits"],
    ["a cube", "core/src/a.ts", "const y = x ** 3;", "neither a square"],
    ["a root", "core/src/a.ts", "const y = 2 ** 0.5;", "neither a square"],
    ["a power", "core/src/a.ts", "const y = 1 - BETA ** steps;", "neither a square"],
    ["a skipped test", "core/test/a.test.ts", say("test.sk", 'ip("x")'), "a test that is skipped"],
    ["a focused test", "test/a.test.ts", say("describe.on", 'ly("x")'), "a test that is skipped"],
    ["a conditional test", "test/a.test.ts", say("test.run", "If(x)"), "a test that is skipped"],
    ["unfinished work", "cli/src/a.ts", "// TODO later", "unfinished work"],
    ["an empty name", "core/src/linalg/utils.ts", "", "a name that says nothing"],
    ["an empty name in a compound", "core/src/matrix-helpers.ts", "", "a name that says nothing"],
    ["an empty folder name", "core/src/common/index.ts", "", "a name that says nothing"],
    ["a long file", "cli/src/a.ts", "\n".repeat(501), "over 500 lines"],
  ])("%s is found", (_, path, text, rule) => {
    const found = findings(new Map([[path, text]]));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(rule);
  });

  test("what resembles them is not", () => {
    const clean: [string, string][] = [
      ["core/src/run.ts", "performance.now();"],
      [
        "core/src/norm.ts",
        "/** Math.hypot may differ. */\nMath.sqrt(x ** 2 + Math.LOG2E * 2 ** -k);",
      ],
      ["core/src/elementary/log.ts", "Math.log(x);"],
      ["core/test/a.test.ts", "console.log(Math.random());"],
      ["cli/src/main.ts", "console.log(1);"],
      ["core/src/rate.ts", "/**\n * @example\n * console.log(rate); // → 1\n */"],
      ["core/src/prototypes.ts", "export {};"],
      ["docs/a.md", "the folder work/ and a /worker/ path"],
      ["cli/src/long.ts", "\n".repeat(500)],
    ];
    expect(findings(new Map(clean))).toEqual([]);
  });
});
