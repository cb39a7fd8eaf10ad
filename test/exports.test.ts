import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { entries, publicExports } from "./support/public-exports.ts";
import { root, workspaceFolders } from "./support/repository.ts";

const folders = workspaceFolders.filter((folder) => entries.some((e) => e.folder === folder));

const names = (entry: string): string[] => {
  const { values, types } = publicExports(entry);
  return [...values, ...types.map((type) => `type ${type}`)];
};

describe.each(folders)("%s", (folder) => {
  const own = entries.filter((entry) => entry.folder === folder);

  test("exports the names on record (vitest -u writes the record)", async () => {
    const again = folder === "cli" ? new Set(names("@ratewise/core")) : new Set<string>();
    const record = own.map(({ name }) =>
      [`# ${name}`, ...names(name).filter((line) => !again.has(line)), ""].join("\n"),
    );
    await expect(record.join("\n")).toMatchFileSnapshot(`exports/${folder}.txt`);
  });

  test.each(own.map(({ name, path }) => [name, path]))(
    "%s exports at run time what its source says",
    async (name, path) => {
      const module: object = await import(join(root, path));
      expect(Object.keys(module).sort()).toEqual(publicExports(name).values);
    },
  );

  test.each(own.map(({ path }) => path))("%s lists its names one by one", (path) => {
    const stars = readFileSync(join(root, path), "utf8").match(/^export \*.*$/gm) ?? [];
    expect(stars).toEqual(path === "cli/src/index.ts" ? ['export * from "@ratewise/core";'] : []);
  });
});

test("ratewise exports everything of @ratewise/core", () => {
  expect(names("@ratewise/core").length).toBeGreaterThan(10);
  expect(names("ratewise")).toEqual(expect.arrayContaining(names("@ratewise/core")));
});

describe("the front door of @ratewise/core", () => {
  const { values, types } = publicExports("@ratewise/core");
  const declarations = values.map((value) => declarationOf(value));

  test("has at most 45 values", () => {
    expect(values.length).toBeGreaterThan(20);
    expect(values.length).toBeLessThanOrEqual(45);
  });

  test("has the types that the signatures of its values name, and no others", () => {
    const named = new Set(declarations.flatMap((text) => text.match(/\b[A-Z]\w+\b/g) ?? []));
    const everyType = new Set(entries.flatMap(({ name }) => publicExports(name).types));
    const wanted = [...named].filter((name) => everyType.has(name));
    // What any call may throw, report or return beside its answer.
    const ofEveryCall = ["Diagnostic", "ErrorCode", "Progress", "RunOptions"];
    expect(types).toEqual([...new Set([...wanted, ...ofEveryCall])].sort());
  });
});

/** What the compiler wrote of an exported function, constant or class, without comments. */
function declarationOf(value: string): string {
  const path = sourceOf(join(root, "core/dist/index.d.ts"), value);
  const text = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const start = text.search(new RegExp(`^export declare \\w+\\*? ${value}\\b`, "m"));
  if (start < 0) throw new Error(`${path} does not declare ${value}`);
  return text.slice(start).split(/\n(?=export |declare |interface |type )/)[0]!;
}

function sourceOf(path: string, name: string): string {
  for (const [, list, from] of readFileSync(path, "utf8").matchAll(
    /export (?:type )?\{([^}]*)\} from "([^"]+)"/g,
  ))
    if (list!.split(",").some((part) => part.trim() === name))
      return sourceOf(join(path, "..", from!.replace(/\.[jt]s$/, ".d.ts")), name);
  return path;
}
