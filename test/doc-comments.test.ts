import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { blocksOf } from "./support/markdown-blocks.ts";
import { entries, publicExports } from "./support/public-exports.ts";
import { read } from "./support/repository.ts";
import { runPage } from "./support/run-page.ts";

/** The doc comment right above the declaration of an exported function; null where there is none. */
function commentOf(entry: string, name: string): string | null | undefined {
  const path = sourceOf(entries.find((one) => one.name === entry)!.path, name);
  const text = read(path);
  const declared = new RegExp(`^export (?:async )?function\\*? ${name}\\b`, "m").exec(text);
  if (!declared) return undefined; // a constant or a class
  const before = text.slice(0, declared.index).trimEnd();
  return before.endsWith("*/") ? before.slice(before.lastIndexOf("/**")) : null;
}

/** The file that declares what an index lists. */
function sourceOf(path: string, name: string): string {
  for (const [, list, from] of read(path).matchAll(/export \{([^}]*)\} from "(\.[^"]+)"/g))
    if (list!.split(",").some((part) => part.trim() === name))
      return sourceOf(posix.join(posix.dirname(path), from!), name);
  return path;
}

describe("what the API reference shows", () => {
  test.each(entries.map(({ name }) => name))("%s: every function has a comment", (entry) => {
    const { values } = publicExports(entry);
    expect(values.filter((name) => commentOf(entry, name) === null)).toEqual([]);
  });

  test("a function without a comment is found", () => {
    expect(commentOf("@ratewise/core", "rate")).toContain("Relative centrality");
    expect(commentOf("@ratewise/core", "version")).toBeUndefined();
  });
});

/** The functions of the three jobs of a library user: a table, one's own posterior, a trained network. */
const ofTheJobs = [
  ["@ratewise/core", "explain"],
  ["@ratewise/core", "ranked"],
  ["@ratewise/files", "readTable"],
  ["@ratewise/core", "rate"],
  ["@ratewise/core", "effectsFromFactor"],
  ["@ratewise/core", "effectsFromCovariance"],
  ["@ratewise/core", "effectsFromDraws"],
  ["@ratewise/core", "effectsFromFunctionDraws"],
  ["@ratewise/onnx", "explainNetwork"],
] as const;

/** The one example of a function, as a block of a page. */
function exampleOf(entry: string, name: string): string {
  const [, example, ...more] = commentOf(entry, name)!.split("@example");
  expect(more, name).toEqual([]);
  const shown = example!.replace(/^ \* ?/gm, "").replace("*/", "");
  expect(shown, name).toContain(`${name}(`);
  expect(shown, name).toContain("console.log(");
  return shown;
}

test("the functions of the three jobs have one example each, which prints what it says", async () => {
  // The README's own blocks write the files that the examples read.
  const files = blocksOf("README.md", read("README.md"))
    .filter(({ language, lines }) => language === "js" && /writeFileSync\(/.test(lines.join("\n")))
    .map(({ lines }) => ["```js", ...lines, "```"].join("\n"));
  const examples = ofTheJobs.map(([entry, name]) => exampleOf(entry, name));
  const { failures, ran } = await runPage("examples.md", [...files, ...examples].join("\n"));
  expect(failures).toEqual([]);
  expect(ran).toBe(files.length + ofTheJobs.length);
});
