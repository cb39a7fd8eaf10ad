import { spawn } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "@ratewise/core";
import { beforeAll, describe, expect, test } from "vitest";
import { json } from "./support/refusal.ts";
import { run as runHere, temporaryFolder } from "./support/run.ts";

const bin = join(import.meta.dirname, "../bin/ratewise.mjs");
const folder = temporaryFolder();
const posterior = join(folder, "posterior.json");
writeFileSync(posterior, json());

beforeAll(() => {
  if (!existsSync(join(import.meta.dirname, "../dist/main.js")))
    throw new Error("cli/dist/main.js is not there: run npm run build first");
});

/** The real command in a process of its own. */
function run(
  argv: readonly string[],
  interrupt?: (kill: (signal: NodeJS.Signals) => void) => void,
) {
  return new Promise<{ code: number | null; signal: string | null; out: string; err: string }>(
    (resolve, reject) => {
      const child = spawn(process.execPath, [bin, ...argv]);
      let out = "";
      let err = "";
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      child.stderr.on("data", (chunk) => {
        err += chunk;
      });
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, out, err }));
      interrupt?.((signal) => child.kill(signal));
    },
  );
}

describe("the installed command", () => {
  test("prints its version", async () => {
    expect(await run(["--version"])).toMatchObject({
      code: 0,
      out: `ratewise ${version}\n`,
      err: "",
    });
  });

  test("prints the same document as in process", async () => {
    const { code, out, err } = await run(["rank", posterior, "--json", "--engine", "plain"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe((await runHere(["rank", posterior, "--json", "--engine", "plain"])).out);
  });

  test("reads standard input where the file is -", async () => {
    const child = spawn(process.execPath, [bin, "rank", "-", "--json", "--engine", "plain"]);
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stdin.end(json());
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
    const { out: same } = await runHere(["rank", posterior, "--json", "--engine", "plain"]);
    expect(out).toBe(same);
  });

  test("exits with 1 for bad data and 2 for a bad command line", async () => {
    expect((await run(["rank", join(folder, "nowhere.json")])).code).toBe(1);
    expect((await run(["rank"])).code).toBe(2);
  });

  test("a reader that stops early gets no complaint", async () => {
    const p = 20_000;
    const path = join(folder, "long.json");
    const long = { mean: Array(p).fill(1), factor: Array(p).fill([1]), noise: Array(p).fill(1) };
    writeFileSync(path, JSON.stringify(long));
    const shell = spawn("sh", [
      "-c",
      `"${process.execPath}" "${bin}" rank "${path}" --json | head -n 1`,
    ]);
    let err = "";
    shell.stderr.on("data", (chunk) => {
      err += chunk;
    });
    await new Promise((resolve) => shell.on("close", resolve));
    expect(err).toBe("");
  });

  test("an interrupt while writing takes the temporary file with it", async () => {
    const script = `
      import { atomicWrite } from ${JSON.stringify(join(import.meta.dirname, "../dist/output/atomic-write.js"))};
      const endless = function* () { for (;;) { yield "x".repeat(1000); } };
      setTimeout(() => process.stdout.write("writing"), 50);
      await atomicWrite(${JSON.stringify(join(folder, "never.csv"))}, endless());`;
    const before = readdirSync(folder);
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
    child.stdout.once("data", () => child.kill("SIGINT"));
    const signal = await new Promise((resolve) => child.on("close", (_, name) => resolve(name)));
    expect(signal).toBe("SIGINT");
    expect(readdirSync(folder)).toEqual(before);
  });
});
