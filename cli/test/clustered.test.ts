import { expect, test } from "vitest";
import { run } from "./support/run.ts";

const explain = (...argv: string[]) => run(["explain", "table.csv", "--target", "y", ...argv]);

test.each<[string, string[], string]>([
  ["--store without --on", ["--store", "s"], "--store needs --on"],
  [
    "--tasks-per-job without Slurm",
    ["--tasks-per-job", "3"],
    "--tasks-per-job applies to --on slurm only; remove it or use --on slurm",
  ],
  [
    "no tasks a job",
    ["--on", "slurm", "--tasks-per-job", "0"],
    "--tasks-per-job needs a whole number above 0",
  ],
  [
    "--on without a store",
    ["--on", "redis://127.0.0.1:1"],
    "needs --store <folder or s3://bucket/prefix>",
  ],
  ["--on without a value", ["--on"], "--on needs a value"],
  [
    "an engine that there is not",
    ["--on", "http://x", "--store", "s"],
    "--on needs local, redis://",
  ],
  [
    "a password in the address",
    ["--on=redis://a:secret@h", "--store=s"],
    "without user and password",
  ],
])("%s is a wrong command line", async (_, argv, message) => {
  const { code, err } = await explain(...argv);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(err).not.toContain("secret");
});

test("--on local is the command as it is", async () => {
  const { err } = await explain("--on", "local");
  expect(err).toBe((await explain()).err);
});

test.each<[string, string[], string]>([
  ["worker", [], "needs --on redis://"],
  ["worker", ["--on", "slurm", "--store", "s"], "needs a queue"],
  ["worker", ["--on", "redis://h"], "needs --store"],
  ["worker", ["x", "--on", "redis://h"], "needs no file"],
  ["status", [], "needs --store"],
  ["status", ["a", "b", "--store", "s"], "needs one run or none"],
  ["resume", ["--store", "s"], "name one run, as ratewise status lists it, got none"],
  ["cancel", ["a", "b", "--store", "s"], "name one run, as ratewise status lists it, got 2"],
])("%s %j is a wrong command line", async (command, argv, message) => {
  const { code, err } = await run([command, ...argv]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
