import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fold, keyFromSeed, normals, RatewiseError } from "@ratewise/core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { commandText } from "../src/options/command-text.ts";
import { keepWork } from "../src/output/kept-work.ts";
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

/** The pieces kept beside an output, of all commands. */
const pieces = (out: string): string[] =>
  existsSync(hidden(out))
    ? readdirSync(hidden(out), { recursive: true })
        .map((path) => basename(path.toString()))
        .filter((name) => /^(sha256-)?[0-9a-f]{64}$/.test(name))
    : [];

/** Runs the built command until something is kept, then stops it as Ctrl-C does. */
async function interrupted(
  out: string,
  words: readonly string[] = argv(out),
  when: (err: string) => boolean = () => pieces(out).length > 0,
): Promise<{ signal: string | null; err: string }> {
  const bin = resolve(import.meta.dirname, "../bin/ratewise.mjs");
  const child: ChildProcess = spawn(process.execPath, [bin, ...words]);
  let err = "";
  child.stderr!.on("data", (chunk) => {
    err += chunk;
  });
  const ended = new Promise<string | null>((done) => child.on("exit", (_, signal) => done(signal)));
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!when(err) && !over) await new Promise((next) => setTimeout(next, 5));
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
    const kept = pieces("stopped");
    expect(kept.length).toBeGreaterThan(0);

    const phases: string[] = [];
    const resumed = await run(argv("stopped", "--resume"), {
      liveLine: (text) => void phases.push(text),
    });
    expect(resumed.code).toBe(0);
    expect(resumed.err).toMatch(/^ratewise: --resume: found \d trained networks?\n/);
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

  test("says so too where nothing was finished yet", async () => {
    const words = ["study", "collinearity", "--out", file("early")];
    // The handler is there once the folder has been looked at, and the studies are still to be loaded.
    mkdirSync(join(hidden("early"), "another"), { recursive: true });
    const { signal, err } = await interrupted("early", words, (said) => said.includes("another"));
    expect(signal).toBe("SIGINT");
    expect(err).toMatch(/ratewise: stopped; nothing was finished yet\n$/);
    expect(readdirSync(hidden("early"))).toEqual(["another"]);
  });
});

describe("what is kept beside an output", () => {
  const [a, b, c] = ["a", "b", "c"].map((letter) => `sha256:${letter.repeat(64)}`);
  let said: string[];
  const keep = (out: string, resume = false, command = "study x --seed 1") =>
    keepWork(file(out), {
      ...{ command, resume, piece: "finished stage" as const },
      say: (line) => void said.push(line),
    });
  beforeEach(() => {
    said = [];
  });

  test("is not found under another id, nor when it is not whole, and has names that every disk can hold", async () => {
    const kept = await keep("unit");
    const value = { weights: Float32Array.of(1, Number.NaN), list: [1, 2] };
    await kept.put(a, value);
    expect(await kept.get(a)).toEqual(value);
    expect(await kept.get(b)).toBeUndefined();
    expect(pieces("unit")).toEqual([a.replace(":", "-")]);
    const [own] = readdirSync(hidden("unit"));
    writeFileSync(join(hidden("unit"), own, c.replace(":", "-")), "half");
    expect(await kept.get(c)).toBeUndefined();
    await kept.discard();
    expect(existsSync(hidden("unit"))).toBe(false);
    expect(said).toEqual([]);
  });

  test("is told of, and taken up with --resume", async () => {
    const stopped = await keep("told");
    await stopped.put(a, 1);
    await stopped.put(b, 2);
    stopped.leave();
    const resumed = await keep("told", true);
    expect(await resumed.get(b)).toBe(2);
    await resumed.discard();
    (await keep("told", true)).leave();
    expect(said).toEqual([
      "ratewise: 2 finished stages are kept; the same command with --resume continues from there",
      "ratewise: --resume: found 2 finished stages",
      "ratewise: --resume: found no finished work of this command; starting from the beginning",
    ]);
    expect(existsSync(hidden("told"))).toBe(false);
  });

  test("is not used without --resume, said to be there, and dropped when there is something new", async () => {
    const stopped = await keep("anew");
    await stopped.put(a, 1);
    stopped.leave();
    // A mistake costs nothing: what failed before it finished anything leaves it.
    (await keep("anew")).leave();
    const kept = await keep("anew");
    expect(said.at(-1)).toBe(
      "ratewise: 1 finished stage is there from an earlier run of this command, but used only with --resume; starting from the beginning, and deleting it once a new one is finished",
    );
    expect(await kept.get(a)).toBeUndefined();
    await Promise.all([kept.put(b, 2), kept.put(c, 3)]);
    expect(await kept.get(a)).toBeUndefined();
    expect([await kept.get(b), await kept.get(c)]).toEqual([2, 3]);
    await kept.discard();
    expect(existsSync(hidden("anew"))).toBe(false);
  });

  test("of another command is neither used nor taken away", async () => {
    const one = await keep("two");
    await one.put(a, 1);
    one.leave();
    said = [];
    const two = await keep("two", true, "study x --seed 2");
    expect(said).toEqual([
      "ratewise: --resume: found no finished work of this command; starting from the beginning",
      `ratewise: ${hidden("two")} holds work of another command, which stays there`,
    ]);
    expect(await two.get(a)).toBeUndefined();
    await two.put(a, 2);
    await two.discard();
    const again = await keep("two", true);
    expect(await again.get(a)).toBe(1);
    await again.discard();
    expect(existsSync(hidden("two"))).toBe(false);
  });
});

test("a study that is stopped keeps stages, and one that fails leaves them for the next", async () => {
  const out = file("study");
  const words = ["study", "simulation", "--quick", "--out", out];
  const { err } = await interrupted("study", words);
  expect(err).toMatch(/stopped; (1 finished stage is|\d+ finished stages are) kept, and the same/);
  const kept = pieces("study");
  expect(kept.length).toBeGreaterThan(0);
  const onProgress = () => {
    throw new RatewiseError("file", { what: "the disk is full" });
  };
  for (const resume of [[], ["--resume"]]) {
    const { code, err: said } = await run([...words, ...resume], { onProgress });
    expect(code).toBe(1);
    expect(said).toMatch(
      /kept; the same command with --resume continues from there\n.+disk is full/,
    );
  }
  expect(pieces("study")).toEqual(kept);
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
