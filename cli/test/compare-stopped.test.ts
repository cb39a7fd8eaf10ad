import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();

test("compare says that it was stopped, and leaves nothing", async () => {
  // Enough work to give a sign of life, which comes after two seconds.
  const rows = Array.from({ length: 60_000 }, (_, i) =>
    [i % 7, i % 11, i % 13, (i * i) % 17].join(),
  );
  writeFileSync(join(here, "data.csv"), `a,b,c,y\n${rows.join("\n")}\n`);
  const bin = resolve(import.meta.dirname, "../bin/ratewise.mjs");
  const argv = ["compare", join(here, "data.csv"), "--target", "y", "--out", join(here, "out")];
  const child = spawn(process.execPath, [bin, ...argv, "--task", "regression"]);
  let err = "";
  child.stderr.on("data", (chunk) => {
    // The first sign of life: it is at work.
    if (err === "") child.kill("SIGINT");
    err += chunk;
  });
  const signal = await new Promise((done) => child.on("exit", (_, by) => done(by)));
  expect(signal).toBe("SIGINT");
  expect(err).toContain("ratewise: compare was stopped; it wrote nothing, and cannot be resumed\n");
  expect(existsSync(join(here, "out"))).toBe(false);
}, 60_000);
