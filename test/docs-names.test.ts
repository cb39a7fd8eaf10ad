import { describe, expect, test } from "vitest";
import { entries, publicExports } from "./support/public-exports.ts";
import { read, walk } from "./support/repository.ts";

/** Pages that readers of a published package have, without the pages of studies and the workspace's own. */
const pages = walk().filter((path) => /^(README|docs\/[^/]+|[a-z]+\/README)\.md$/.test(path));

const exported = new Set(entries.flatMap(({ name }) => publicExports(name).values));

const sources = walk()
  .filter((path) => /^[a-z]+\/src\/.*\.tsx?$/.test(path))
  .map(read);

/** Every function that some source file exports, to anybody. */
const declared = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => name!),
  ),
);

/** Options and fields of results, some of which share their name with the function that makes them. */
const fields = new Set(
  sources.flatMap((text) => [...text.matchAll(/\breadonly (\w+)\??:/g)].map(([, name]) => name!)),
);

/** Words of other programs. */
const foreign = ["subjectAltName"];

const words = new Set(foreign.concat(sources.flatMap((text) => text.match(/\w+/g) ?? [])));

/** The pieces of code between backticks on a page, outside its code blocks. */
const inlineCode = (markdown: string): string[] =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

const called = (code: string): string[] =>
  [...code.matchAll(/(?<![.\w])([a-z]\w*)\(/g)].map(([, name]) => name!);

const isIdentifier = (code: string): boolean => /^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(code);

/** What a page names and a reader cannot import, or finds nowhere. */
function unreachable(markdown: string): string[] {
  const code = inlineCode(markdown);
  const names = code.filter(isIdentifier);
  return [
    ...code.flatMap(called).filter((name) => !exported.has(name)),
    ...names.filter((name) => declared.has(name) && !fields.has(name) && !exported.has(name)),
    ...names.filter((name) => !words.has(name)),
  ];
}

describe("functions that a page names", () => {
  test.each(pages)("%s: a published package exports them", (page) => {
    // `data(mice)` is a call in R.
    const mentions = unreachable(read(page)).filter((name) => name !== "data");
    expect(mentions).toEqual([]);
  });

  test("include every function of the page on effects", () => {
    const code = inlineCode(read("docs/effects.md"));
    expect(code.flatMap(called)).toContain("columnAccumulator");
    expect(exported.has("columnAccumulator")).toBe(true);
  });

  test("a name that is gone, one that stays inside and a call of either are found", () => {
    expect(unreachable("`fitLogistic(X, y)`, `averageGaussian`, `penaltyGroups({})`")).toEqual([
      "fitLogistic",
      "penaltyGroups",
      "averageGaussian",
    ]);
    expect(unreachable("`insertSpan` joins\n```js\nnowhere(1);\n```\n`rate(effects)`")).toEqual([
      "insertSpan",
    ]);
  });
});
