import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { manifestOf, root, workspaceFolders } from "./support/repository.ts";

const published = workspaceFolders.filter((folder) => !manifestOf(folder).private);

/** All that npm does but the upload and the look at the versions that are there. */
const npmPublish = (folder: string, ...options: string[]) =>
  promisify(execFile)(
    "npm",
    ["publish", "--dry-run", "--offline", "--ignore-scripts", ...options],
    { cwd: join(root, folder) },
  );

const seen = new Map<string, string>();

beforeAll(async () => {
  for (const folder of published) {
    const { stdout, stderr } = await npmPublish(folder, "--loglevel", "notice");
    seen.set(folder, stdout + stderr);
  }
});

describe.each(published)("npm publish --dry-run of %s", (folder) => {
  const { name, version, keywords } = manifestOf(folder);

  test("would publish it to everybody as the latest version, and has nothing to correct", () => {
    const said = seen.get(folder)!;
    expect(said).toContain(`+ ${name}@${version}\n`);
    expect(said).toMatch(/Publishing to \S+ with tag latest and public access \(dry-run\)/);
    const warnings = said.split("\n").filter((line) => /^npm (warn publish|error)/i.test(line));
    expect(warnings.filter((line) => !/requires you to be logged in/.test(line))).toEqual([]);
  });

  test("has words to be found by", () => {
    expect(keywords?.length).toBeGreaterThan(3);
    expect(new Set(keywords).size).toBe(keywords!.length);
  });
});

test("the page's workspace is left out", async () => {
  const { stdout, stderr } = await npmPublish("web", "--loglevel", "warn");
  expect(stderr).toContain("Skipping workspace @ratewise/web, marked as private");
  expect(stdout).toBe("");
});
