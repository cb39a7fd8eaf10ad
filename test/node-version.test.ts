import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { manifestOf, read, root } from "./support/repository.ts";

const run = promisify(execFile);
const check = join(root, "cli/bin/check-node.cjs");
const launcher = join(root, "cli/bin/ratewise.mjs");

/** A program, run by a Node that says it is of `version`. */
async function under(version: string, program: string) {
  const pretend = `Object.defineProperty(process, "version", { value: ${JSON.stringify(version)} })`;
  const options = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`];
  const ended = run(process.execPath, [...options, program, "--version"]);
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe.each(["v12.22.12", "v18.20.8", "v20.19.6", "v21.7.3", "v22.11.0"])("%s", (version) => {
  test.each([
    ["the check before an installation and the tests", check],
    ["the command", launcher],
  ])("is refused by %s in one sentence", async (_, program) => {
    expect(await under(version, program)).toEqual({
      code: 1,
      stdout: "",
      stderr: `ratewise needs Node.js 22.12 or later (20.20 works too), got ${version}; install a newer Node.js and try again\n`,
    });
  });
});

test.each(["v20.20.0", "v22.12.0", "v23.0.0", "v24.0.0", "v100.0.0"])(
  "%s passes",
  async (version) => {
    expect(await under(version, check)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await under(version, launcher)).stdout).toMatch(/^ratewise \d/);
  },
);

test("npm runs the check first, and shows its sentence instead of a page of warnings", () => {
  const { preinstall, pretest, start } = manifestOf(".").scripts!;
  expect([preinstall, pretest]).toEqual(Array(2).fill("node cli/bin/check-node.cjs"));
  expect(start).toMatch(/^node cli\/bin\/ratewise\.mjs /);
  expect(read(".npmrc")).toContain("loglevel=error\n");
});

test("the launcher loads nothing that an old Node cannot read before it has checked", () => {
  const program = readFileSync(launcher, "utf8");
  expect(program.match(/^import .*$/gm)).toEqual(['import "./check-node.cjs";']);
});
