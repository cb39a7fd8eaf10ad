import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { blocksOf } from "./support/markdown-blocks.ts";
import { run, temporaryPlace } from "./support/place.ts";
import { read } from "./support/repository.ts";

const page = "docs/python-and-r.md";
const recipes = blocksOf(page, read(page)).filter(({ language }) => /^(python|r)$/.test(language));

/** The first of these programs that can run the probe. */
const found = (programs: readonly string[], probe: readonly string[]): string | undefined =>
  programs.find((program) => spawnSync(program, probe, { stdio: "ignore" }).status === 0);
const interpreters: Readonly<Record<string, string | undefined>> = {
  python: found(["python3", "/usr/bin/python3"], ["-c", "import numpy"]),
  r: found(["Rscript"], ["-e", "1"]),
};
const place = temporaryPlace();
afterAll(() => place.remove());

describe("the recipes of docs/python-and-r.md", () => {
  test("there are some of both languages, each with what it prints", () => {
    const languages = recipes.map(({ language }) => language);
    expect(languages.filter((language) => language === "python").length).toBeGreaterThanOrEqual(3);
    expect(languages).toContain("r");
    for (const { lines } of recipes) expect(lines.at(-1)).toMatch(/^# → \S/);
  });

  // In order: a later recipe may use what an earlier one wrote. Without the interpreter there is nothing to run.
  const runnable = recipes.filter(({ language }) => interpreters[language] !== undefined);
  test(`${runnable.length} of ${recipes.length} run here, and print what they say`, async () => {
    for (const { language, lines, line } of runnable) {
      const file = join(place.folder, `recipe-${line}`);
      writeFileSync(file, `${lines.join("\n")}\n`);
      const { code, output } = await run(interpreters[language]!, [file], place);
      const shown = lines.at(-1)!.replace(/^# → /, "");
      expect([line, code, output.trim()]).toEqual([line, 0, shown]);
    }
  });
});
