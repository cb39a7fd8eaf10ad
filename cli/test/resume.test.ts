import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fold, keyFromSeed, normals } from "@ratewise/core";
import { beforeAll, describe, expect, test } from "vitest";
import { commandText } from "../src/command-text.ts";
import { keepWork } from "../src/kept-work.ts";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const file = (name: string) => join(here, name);
const hidden = (name: string) => file(`.${name}.ratewise-resume`);

beforeAll(() => {
  const next = normals(fold(keyFromSeed(1), "resume"));
  const rows = Array.from({ length: 1200 }, () => {
    const a = next();
    return [a, next(), next(), 2 * a + 0.3 * next()].join(",");
  });
  writeFileSync(file("data.csv"), `a,b,c,y\n${rows.join("\n")}\n`);
});

const argv = (out: string, ...more: string[]) => [
  "explain",
  file("data.csv"),
  "--target",
  "y",
  "--ensemble",
  "4",
  "--workers",
  "1",
  "--out",
  file(out),
  ...more,
];

/** Runs the built command until something is kept, then stops it as Ctrl-C does. */
async function interrupted(out: string): Promise<{ signal: string | null; err: string }> {
  const bin = resolve(import.meta.dirname, "../bin/ratewise.mjs");
  const child: ChildProcess = spawn(process.execPath, [bin, ...argv(out)]);
  let err = "";
  child.stderr!.on("data", (chunk) => {
    err += chunk;
  });
  const ended = new Promise<string | null>((done) => child.on("exit", (_, signal) => done(signal)));
  const kept = () =>
    existsSync(hidden(out)) && readdirSync(hidden(out)).some((name) => !name.endsWith(".tmp"));
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!kept() && !over) await new Promise((next) => setTimeout(next, 5));
  child.kill("SIGINT");
  return { signal: await ended, err };
}

describe("a run stopped by Ctrl-C", () => {
  test("leaves no output, keeps whole networks, and --resume goes on to the same bytes", async () => {
    const { signal, err } = await interrupted("stopped");
    expect(signal).toBe("SIGINT");
    expect(err).toMatch(
      /stopped; (1 trained network is|\d trained networks are) kept, .* --resume/,
    );
    expect(existsSync(file("stopped"))).toBe(false);
    const kept = readdirSync(hidden("stopped"));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual([]);

    const phases: string[] = [];
    const resumed = await run(argv("stopped", "--resume"), {
      liveLine: (text) => void phases.push(text),
    });
    expect(resumed.code).toBe(0);
    // The first line shown is already past what was kept.
    const first = Number(/ (\d+)%/.exec(phases.find((text) => text.startsWith("train "))!)![1]);
    expect(first).toBeGreaterThanOrEqual(25 * kept.length);
    expect(existsSync(hidden("stopped"))).toBe(false);
    const whole = await run(argv("whole"));
    expect(whole.code).toBe(0);
    expect(existsSync(hidden("whole"))).toBe(false);
    for (const name of ["result.json", "model.ratewise", "report.html"])
      expect(
        readFileSync(file(`stopped/${name}`)).equals(readFileSync(file(`whole/${name}`))),
      ).toBe(true);
  });

  test("without --resume begins anew and clears what was kept", async () => {
    await interrupted("again");
    expect(existsSync(hidden("again"))).toBe(true);
    expect((await run(argv("again"))).code).toBe(0);
    expect(existsSync(hidden("again"))).toBe(false);
  });
});

test("what is kept under one id is not found under another, nor when it is not whole", async () => {
  const kept = await keepWork(file("unit"), false, () => {});
  const value = { weights: Float32Array.of(1, Number.NaN), list: [1, 2] };
  await kept.put("a".repeat(64), value);
  expect(await kept.get("a".repeat(64))).toEqual(value);
  expect(await kept.get("b".repeat(64))).toBeUndefined();
  writeFileSync(join(hidden("unit"), "c".repeat(64)), "half");
  expect(await kept.get("c".repeat(64))).toBeUndefined();
  await kept.discard();
  expect(existsSync(hidden("unit"))).toBe(false);
});

test("a run that fails leaves nothing, and --resume needs --out", async () => {
  const failed = await run([
    "explain",
    file("nowhere.csv"),
    "--target",
    "y",
    "--out",
    file("none"),
  ]);
  expect(failed.code).toBe(1);
  expect(readdirSync(here).filter((name) => name.includes("none"))).toEqual([]);
  const usage = await run(["explain", file("data.csv"), "--target", "y", "--resume"]);
  expect([usage.code, usage.err]).toEqual([2, expect.stringContaining("--resume needs --out")]);
});

test("the command on record gives the same answer: quoted, without what only shows or places it", () => {
  expect(
    commandText("explain", ["a b.csv"], {
      target: "it's",
      stability: true,
      keep: ["id", "-x"],
      json: true,
      workers: "2",
      out: "folder",
      task: undefined,
    }),
  ).toBe("ratewise explain 'a b.csv' --target 'it'\\''s' --stability --keep id --keep=-x");
});
