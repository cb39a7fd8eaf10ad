import { describe, expect, test } from "vitest";
import { blocksOf } from "./support/markdown-blocks.ts";
import { read, walk, workspaceFolders } from "./support/repository.ts";
import { runPage } from "./support/run-page.ts";

const pages = walk().filter(
  (path) =>
    path === "README.md" ||
    (path.startsWith("docs/") && path.endsWith(".md")) ||
    workspaceFolders.some((folder) => path === `${folder}/README.md`),
);

describe("the pages", () => {
  test.each(pages)("%s does what it shows", async (page) => {
    expect((await runPage(page, read(page))).failures).toEqual([]);
  });

  test("README.md is among them, with commands to run and none left out but its own tests", () => {
    expect(pages).toContain("README.md");
    const blocks = blocksOf("README.md", read("README.md"));
    const runs = blocks.filter(({ language, note }) => /^(js|sh)$/.test(language) && note === "");
    expect(runs.length).toBeGreaterThan(2);
    expect(blocks.filter(({ note }) => note.startsWith("no-run")).length).toBeLessThanOrEqual(2);
  });
});

const page = (...lines: string[]) => lines.join("\n");

describe("a page that is right", () => {
  test("runs its blocks in order and in one folder", async () => {
    const report = await runPage(
      "page.md",
      page(
        "# Title",
        "```sh",
        "printf 'one\\ntwo\\n' > words",
        "```",
        "```sh",
        "$ cat \\",
        "    words",
        "one",
        "two",
        "$ echo warning >&2; echo 3.14159265",
        "warning",
        "3.14…",
        "$ ratewise --version > version",
        "```",
        "```js",
        'import { readFileSync } from "node:fs";',
        'import { version } from "@ratewise/core";',
        'console.log(readFileSync("words", "utf8")); // → one',
        "//   two",
        'for (const k of [1, 2]) console.log("k =", k);',
        "// → k = 1",
        "//   k = 2",
        'console.log(readFileSync("version", "utf8").includes(version)); // → true',
        "const shout = (word) => console.log(word);",
        '["a", "b"].forEach(shout);',
        "// → a",
        "//   b",
        "```",
        "```sh no-run: it would run these tests again",
        "false",
        "```",
        "```json",
        "{ this is not run",
        "```",
      ),
    );
    expect(report).toEqual({
      failures: [],
      ran: 3,
      notRun: ["it would run these tests again"],
    });
  });
});

describe("a page that is wrong", () => {
  const sh = (...lines: string[]) => page("# Title", "```sh", ...lines, "```");
  const js = (...lines: string[]) => page("# Title", "```js", ...lines, "```");
  test.each([
    ["a command that fails", sh("true", "false"), "page.md:3: true\nfalse\nends with exit code 1"],
    ["a pipe that fails early", sh("false | true"), "ends with exit code 1"],
    ["a command that is not there", sh("$ ratewise-nowhere"), "command not found"],
    [
      "other output than shown",
      sh("$ echo one", "one", "$ echo two", "three"),
      "page.md:5: echo two\nprints\ntwo",
    ],
    ["more output than shown", sh("$ printf 'a\\nb\\n'", "a"), "the page shows\na"],
    ["less output than shown", sh("$ echo a", "a", "b"), "the page shows\na\nb"],
    ["a program that throws", js('throw new Error("planted");'), "planted"],
    ["a program that does not parse", js("const = 1;"), "page.md:3: cannot be parsed"],
    ["a package that is not there", js('import "nowhere";'), "Cannot find package 'nowhere'"],
    [
      "a wrong result on the line",
      js("const a = 1;", "console.log(a); // → 2"),
      "page.md:4: prints\n1",
    ],
    [
      "a wrong result below the line",
      js("console.log([1,", " 2]);", "// → [ 1, 3 ]"),
      "page.md:5: prints\n[ 1, 2 ]",
    ],
    ["a wrong second result", js("console.log(1); // → 1", "console.log(1); // → 2"), "page.md:4"],
    ["a result that nothing prints", js("const a = 1; // → 1"), "follows no console.log"],
    [
      "a result of a call that never ran",
      js("if (false) console.log(1); // → 1"),
      "prints\n\nthe page shows\n1",
    ],
    [
      "a block kept from running without a reason",
      page("```sh no-run", "true", "```"),
      "page.md:1",
    ],
    ["a program kept from running", page("```js no-run: slow", "1;", "```"), "page.md:1"],
    ["a block under another name", page("```bash", "true", "```"), "call it js or sh"],
  ])("%s is reported", async (_, markdown, message) => {
    const { failures } = await runPage("page.md", markdown);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain(message);
  });

  test("a block that is not closed is an error", async () => {
    await expect(runPage("page.md", page("```sh", "true"))).rejects.toThrow("page.md:1");
  });
});
