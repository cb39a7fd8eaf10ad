import { describe, expect, test } from "vitest";
import { checkImports, layerOf, type SourceTree } from "./support/import-rules.ts";
import { parseLayerTable } from "./support/layer-table.ts";
import { manifestOf, read, sourceTree, workspaceFolders } from "./support/repository.ts";
import { importsOf } from "./support/source-imports.ts";

describe("the repository", () => {
  const tree = sourceTree();
  const table = parseLayerTable(read("ARCHITECTURE.md"));
  const explain = parseLayerTable(read("ARCHITECTURE.md"), "Inside explain");

  test("imports follow the layer tables of ARCHITECTURE.md and the packages' dependencies", () => {
    const inner = [{ folder: "explain", table: explain }];
    const { violations, edges } = checkImports(tree, table, inner);
    expect(violations).toEqual([]);
    expect(edges).toBeGreaterThan(tree.files.size / 2);
  });

  test("the layer table has a row for each folder and file of core/src, and no other", () => {
    const layers = [...tree.files.keys()].flatMap((path) => {
      const name = /^core\/src\/([^/]+?)(\.ts|\/.*)$/.exec(path)?.[1];
      return name === undefined ? [] : [name];
    });
    expect([...table.keys()].sort()).toEqual([...new Set(layers)].sort());
  });
});

test("the table of explain has a row for each folder and file there, and no other", () => {
  const folder = "core/src/explain";
  const parts = [...sourceTree().files.keys()].filter((path) => path.startsWith(`${folder}/`));
  const rows = parseLayerTable(read("ARCHITECTURE.md"), "Inside explain");
  expect([...rows.keys()].sort()).toEqual(
    [...new Set(parts.map((path) => layerOf(path, folder)))].sort(),
  );
});

test("ARCHITECTURE.md has a row for every package", () => {
  const rows = read("ARCHITECTURE.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  for (const folder of workspaceFolders) {
    const start = `| \`${folder}\` | \`${manifestOf(folder).name}\``;
    expect(
      rows.filter((row) => row.startsWith(start)),
      start,
    ).toHaveLength(1);
  }
});

describe("planted violations", () => {
  const table = parseLayerTable(`# Example

## Layers

| layer | holds | may import |
|---|---|---|
| \`errors\` \`run\` | ground | nothing |
| \`host\` | the machine | \`errors\`; starts \`worker.ts\` |
| \`linalg\` | matrices | \`errors\` |
| \`effects\` | effect sizes | \`linalg\` \`errors\` |
| \`rate\` | centrality | \`linalg\` \`errors\`; types of \`effects/effect-sizes.ts\` |
| \`index\` \`worker\` | all | everything |
`);
  const clean: Record<string, string> = {
    "core/src/index.ts": 'export * from "./linalg/index.ts";\nexport * from "./rate/index.ts";',
    "core/src/errors.ts": "export class RatewiseError extends Error {}",
    "core/src/run.ts": "export {};",
    "core/src/host/node.ts": 'import { availableParallelism } from "node:os";',
    "core/src/host/web.ts": 'new Worker(new URL("../worker.js", import.meta.url));',
    "core/src/worker.ts": 'import { serve } from "./linalg/index.ts";',
    "core/src/linalg/index.ts": 'export { matrix } from "./matrix.ts";',
    "core/src/linalg/matrix.ts": 'import { RatewiseError } from "../errors.ts";',
    "core/src/effects/effect-sizes.ts": 'import type { Matrix } from "../linalg/matrix.ts";',
    "core/src/effects/linear.ts": "export {};",
    "core/src/rate/index.ts":
      'import type { EffectSizes } from "../effects/effect-sizes.ts";\n// import "../effects/linear.ts";',
    "core/test/matrix.test.ts":
      'import { test } from "vitest";\nimport { matrix } from "../src/linalg/matrix.ts";',
    "core/test/support/close.ts": "export {};",
    "cli/test/main.test.ts": 'import { close } from "../../core/test/support/close.ts";',
    "cli/src/main.ts":
      'import { matrix } from "@ratewise/core";\nimport { parseArgs } from "node:util";',
    "cli/bin/ratewise.mjs": 'import "../dist/main.js";',
    "bench/rate.ts": 'import { matrix } from "@ratewise/core";',
  };
  const tree = (changes: Record<string, string>): SourceTree => ({
    workspaces: [
      {
        folder: ".",
        name: "root",
        dependencies: [],
        devDependencies: ["vitest", "@ratewise/core"],
        privateImports: {},
      },
      {
        folder: "core",
        name: "@ratewise/core",
        dependencies: [],
        devDependencies: ["vitest"],
        privateImports: { "#host": ["core/src/host/node.ts", "core/src/host/web.ts"] },
      },
      {
        folder: "cli",
        name: "ratewise",
        dependencies: ["@ratewise/core"],
        devDependencies: ["vitest"],
        privateImports: {},
      },
    ],
    files: new Map(Object.entries({ ...clean, ...changes })),
  });
  const violations = (path: string, source: string) =>
    checkImports(tree({ [path]: source }), table).violations;

  test("a tree without one is clean, and its imports were seen", () => {
    expect(checkImports(tree({}), table)).toEqual({ violations: [], edges: 16 });
  });

  const rate = "core/src/rate/index.ts";
  const main = "cli/src/main.ts";
  test.each([
    [
      "a layer that is not listed",
      rate,
      'import { a } from "../effects/linear.ts";',
      "rate may not import effects",
    ],
    [
      "a type-only import",
      rate,
      'import type { A } from "../effects/linear.ts";',
      "rate may not import effects",
    ],
    [
      "an import type",
      rate,
      'let a: import("../effects/linear.ts").A;',
      "rate may not import effects",
    ],
    ["a side effect", rate, 'import "../effects/linear.ts";', "rate may not import effects"],
    [
      "a dynamic import",
      rate,
      'await import("../effects/linear.ts");',
      "rate may not import effects",
    ],
    [
      "a dynamic import by template",
      rate,
      "await import(`../effects/linear.ts`);",
      "rate may not import effects",
    ],
    [
      "export from",
      rate,
      'export { a } from "../effects/linear.ts";',
      "rate may not import effects",
    ],
    ["export all", rate, 'export * from "../effects/linear.ts";', "rate may not import effects"],
    [
      "export type",
      rate,
      'export type { A } from "../effects/linear.ts";',
      "rate may not import effects",
    ],
    [
      "a worker's file",
      rate,
      'new URL("../effects/linear.ts", import.meta.url);',
      "rate may not import effects",
    ],
    [
      "import.meta.resolve",
      rate,
      'import.meta.resolve("../effects/linear.ts");',
      "rate may not import effects",
    ],
    [
      "an inline import split over lines",
      rate,
      'import {\n  a,\n} /* why */ from\n  "../effects/linear.ts";',
      "rate may not import effects",
    ],
    [
      "a value where only types are allowed",
      rate,
      'import { a } from "../effects/effect-sizes.ts";',
      "rate may import only types of effects/effect-sizes.ts",
    ],
    [
      "a type in braces, which keeps the import at run time",
      rate,
      'import { type A } from "../effects/effect-sizes.ts";',
      "rate may import only types of effects/effect-sizes.ts",
    ],
    [
      "a ground file that imports",
      "core/src/run.ts",
      'import { a } from "./errors.ts";',
      "run may not import errors",
    ],
    ["a computed import", rate, "await import(name);", "computed dynamic outside host"],
    [
      "a built-in module outside host",
      rate,
      'import { readFileSync } from "node:fs";',
      "node:fs outside host",
    ],
    [
      "a built-in module without its prefix",
      "core/src/host/node.ts",
      'import { readFileSync } from "fs";',
      "fs needs the prefix node:",
    ],
    [
      "a package in core",
      rate,
      'import { unzipSync } from "fflate";',
      "fflate is a package, and core has none",
    ],
    [
      "a package in core by require",
      rate,
      'const a = require("fflate");',
      "fflate is a package, and core has none",
    ],
    [
      "a package in core by import equals",
      rate,
      'import a = require("fflate");',
      "fflate is a package, and core has none",
    ],
    [
      "core by its own name inside core",
      rate,
      'import { a } from "@ratewise/core";',
      "@ratewise/core is a package, and core has none",
    ],
    [
      "a host file by path",
      "core/src/index.ts",
      'export { cores } from "./host/node.ts";',
      "./host/node.ts is reached through #host",
    ],
    [
      "a private import that is not listed",
      rate,
      'import { a } from "#hots";',
      '#hots is not in "imports" of package.json',
    ],
    [
      "a layer behind a private import",
      rate,
      'import { cores } from "#host";',
      "rate may not import host",
    ],
    [
      "a file that is not there",
      rate,
      'import { a } from "../linalg/nowhere.ts";',
      "../linalg/nowhere.ts is not a source file",
    ],
    [
      "test code in the library",
      rate,
      'import { a } from "../../test/matrix.test.ts";',
      "../../test/matrix.test.ts is test code",
    ],
    [
      "a file outside core/src",
      rate,
      'import { a } from "../../../bench/rate.ts";',
      "../../../bench/rate.ts reaches into root; import it by name",
    ],
    [
      "a package that is not a dependency",
      main,
      'import { unzipSync } from "fflate/node";',
      "fflate is not a dependency of ratewise",
    ],
    [
      "a development package in published code",
      main,
      'import { test } from "vitest";',
      "vitest is not a dependency of ratewise",
    ],
    [
      "the inside of another workspace",
      main,
      'import { a } from "../../core/src/linalg/matrix.ts";',
      "../../core/src/linalg/matrix.ts reaches into @ratewise/core; import it by name",
    ],
    [
      "the inside of another workspace from a test",
      "cli/test/rank.test.ts",
      'import { a } from "../../core/src/run.ts";',
      "../../core/src/run.ts reaches into @ratewise/core; import it by name",
    ],
    [
      "build output by path",
      main,
      'import { a } from "../dist/main.js";',
      "../dist/main.js is build output",
    ],
    [
      "build output by name",
      main,
      'import { a } from "@ratewise/core/dist/index.js";',
      "@ratewise/core/dist/index.js is build output",
    ],
  ])("%s is reported", (_, path, source, message) => {
    expect(violations(path, source).map((v) => v.replace(/^.*?:\d+: /, ""))).toContain(message);
  });

  test("an import against the table of one folder is reported, types included", () => {
    const rows = ["| `fit` | models | nothing |", "| `answer` | rows | `fit` |"];
    const inside = ["## Inside rate", "", "| a | b | c |", "|---|---|---|", ...rows].join("\n");
    const inner = [{ folder: "rate", table: parseLayerTable(inside, "Inside rate") }];
    const files = {
      "core/src/rate/answer/rows.ts": 'import { fit } from "../fit/fit.ts";',
      "core/src/rate/fit/fit.ts": 'import { matrix } from "../../linalg/index.ts";',
    };
    expect(checkImports(tree(files), table, inner).violations).toEqual([]);
    const turned = {
      "core/src/rate/answer/rows.ts": "export {};",
      "core/src/rate/fit/fit.ts": 'import type { A } from "../answer/rows.ts";',
    };
    expect(checkImports(tree(turned), table, inner).violations).toEqual([
      "core/src/rate/fit/fit.ts:1: fit may not import answer",
    ]);
    const magic = { "core/src/rate/magic/wand.ts": 'import { a } from "../fit/fit.ts";' };
    expect(checkImports(tree({ ...files, ...magic }), table, inner).violations).toEqual([
      "core/src/rate/magic/wand.ts:1: magic is not in the table of core/src/rate",
    ]);
  });

  test("an unknown folder is reported", () => {
    expect(violations("core/src/magic/wand.ts", "export {};")).toEqual([
      "core/src/magic/wand.ts: magic is not in the layer table",
    ]);
  });

  test("a cycle is reported with its files, types included", () => {
    expect(violations("core/src/linalg/matrix.ts", 'import type { A } from "./index.ts";')).toEqual(
      ["cycle: core/src/linalg/index.ts → core/src/linalg/matrix.ts → core/src/linalg/index.ts"],
    );
  });

  test("a violation names its file and line", () => {
    expect(violations(rate, '\n\nimport "node:fs";')).toEqual([`${rate}:3: node:fs outside host`]);
  });

  test("a file that cannot be parsed is an error, not an empty list", () => {
    expect(() => importsOf("a.ts", "import {")).toThrow("a.ts: cannot be parsed");
  });
});

describe("the layer table", () => {
  const rows = (...lines: string[]) => `## Layers\n\n| a | b |\n|---|---|\n${lines.join("\n")}\n`;
  test.each([
    ["no section", "# Other\n", "## Layers"],
    ["a rule that says nothing", rows("| `a` | as it likes |"), "as it likes"],
    ["a layer without a row", rows("| `a` | `b` |"), "which has no row"],
    ["a layer with two rows", rows("| `a` | nothing |", "| `a` | nothing |"), "stands twice"],
  ])("%s is an error", (_, markdown, message) => {
    expect(() => parseLayerTable(markdown)).toThrow(message);
  });
});
