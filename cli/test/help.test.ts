import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../src/command-line.ts";
import { optionsOf } from "../src/options/table.ts";
import { displayWidth } from "../src/output/printable.ts";
import { run, temporaryFolder } from "./support/run.ts";

const helpOf = async (...argv: string[]): Promise<string[]> => {
  const { code, out, err } = await run([...argv, "--help"]);
  expect([code, err]).toEqual([0, ""]);
  return out.trimEnd().split("\n");
};

test("the list of commands fits 80 columns and names every command with its summary", async () => {
  const lines = await helpOf();
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
  for (const { name } of commands)
    expect(lines.join("\n")).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
});

describe.each(commands.map(({ name }) => name))("%s --help", (name) => {
  test("fits 80 columns, with one column of texts", async () => {
    const lines = await helpOf(name);
    expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
    const options = lines.slice(lines.indexOf("options:") + 1, lines.indexOf("examples:") - 1);
    const starts = options.flatMap((line) => {
      const [, before] = /^( {2}--\S+(?: <[^>]*>)? +| {6,})\S/.exec(line) ?? [];
      return before === undefined ? [] : [displayWidth(before)];
    });
    expect(starts.length).toBeGreaterThanOrEqual(optionsOf(name).length);
    expect(new Set(starts).size).toBe(1);
  });

  test("says how it is used, names every option it takes and no other, and gives examples", async () => {
    const lines = await helpOf(name);
    expect(lines[0]).toMatch(new RegExp(`^usage: ratewise ${name}\\b`));
    const named = lines.flatMap((line) => /^ {2}--([a-z-]+)/.exec(line)?.[1] ?? []);
    expect(named).toEqual(optionsOf(name).map((option) => option.name));
    const examples = lines.slice(lines.indexOf("examples:") + 1);
    expect(examples.filter((line) => line.includes(`ratewise ${name}`)).length).toBeGreaterThan(0);
  });
});

describe("completion", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "here"));
  writeFileSync(join(folder, "here", "data.csv"), "");

  const completed = async (...words: string[]): Promise<string[]> => {
    const { out } = await run(["completion", "bash"]);
    const line = ["ratewise", ...words].map((word) => `'${word}'`).join(" ");
    const script = `${out}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _ratewise; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const printed = execFileSync("bash", ["-c", script], {
      cwd: join(folder, "here"),
      encoding: "utf8",
    });
    return printed.split("\n").filter(Boolean);
  };

  test("bash is given commands first, then options, then files", async () => {
    expect(await completed("ex")).toEqual(["explain"]);
    expect(await completed("rank", "--no")).toEqual(["--noise"]);
    expect(await completed("explain", "--tar")).toEqual(["--target", "--target-scale"]);
    expect(await completed("explain", "da")).toEqual(["data.csv"]);
    expect(await completed("help", "insp")).toEqual(["inspect"]);
    expect(await completed("completion", "z")).toEqual(["zsh"]);
  });

  test("zsh and fish have every command and option", async () => {
    for (const shell of ["zsh", "fish"]) {
      const { out } = await run(["completion", shell]);
      for (const { name } of commands) {
        expect(out).toContain(name);
        for (const option of optionsOf(name)) expect(out).toContain(option.name);
      }
    }
    const { code, err } = await run(["completion", "tcsh"]);
    expect([code, err]).toEqual([2, expect.stringContaining("needs bash, zsh or fish, got tcsh")]);
  });
});
