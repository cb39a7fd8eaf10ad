import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "./support/run.ts";

const bin = join(import.meta.dirname, "../bin/ratewise.mjs");
const here = temporaryFolder();
const small = join(here, "small");
const data = join(here, "data.csv");
let mounted = false;
const shell = (script: string, ...words: string[]) =>
  spawnSync("bash", ["-c", script, ...words], { encoding: "utf8" });

beforeAll(() => {
  const rows = Array.from({ length: 60 }, (_, i) => `${(7 * i) % 11},${(3 * i) % 13},${i % 9}.5`);
  writeFileSync(data, `a,b,y\n${rows.join("\n")}\n`);
  mkdirSync(small);
  mounted = shell('mount -t tmpfs -o size=64k tmpfs "$0"', small).status === 0;
});
afterAll(() => {
  if (mounted) shell('umount "$0"', small);
});

/** The real command, in a shell that first does something. */
const explain = (before: string, out: string, ...more: string[]) => {
  const words = ["explain", data, "--target", "y", "--hidden", "4", "--out", out, ...more];
  return shell(`${before}exec "$0" "$@"`, process.execPath, bin, ...words);
};

test("files that may not grow leave the old result and nothing else", () => {
  const out = join(here, "limited");
  mkdirSync(out);
  writeFileSync(join(out, "result.json"), "{}");
  // In units of 1,024 bytes; Node hears of it as an error, not as a signal.
  const { status, stdout, stderr } = explain("ulimit -f 4; ", out);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("limited: a file would be larger than files may be here");
  expect(readdirSync(out)).toEqual(["result.json"]);
  expect(readFileSync(join(out, "result.json"), "utf8")).toBe("{}");
});

test("a disk of 64 kB that fills up, where one may be mounted, ends the same way", () => {
  const out = join(small, "result");
  const { status, stdout, stderr } = explain("", out);
  // Whoever may not mount has a folder of the usual size there, and the run succeeds.
  expect(status).toBe(mounted ? 1 : 0);
  if (!mounted) return;
  expect(stdout).toBe("");
  expect(stderr).toContain(`${out}: the disk is full`);
  expect(readdirSync(small)).toEqual([]);
});

test("an answer that cannot be printed is no success", () => {
  const words = ["explain", data, "--target", "y", "--hidden", "4", "--json"];
  const { status, stderr } = shell('exec "$0" "$@" > /dev/full', process.execPath, bin, ...words);
  expect([status, stderr]).toEqual([
    1,
    "ratewise: the answer could not be written: the disk is full\n",
  ]);
});
