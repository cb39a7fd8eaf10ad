import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fold, keyFromSeed, uniforms } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import { epochsDisk, epochsFile } from "../src/commands/stream/kept-epochs.ts";
import { temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const bin = fileURLToPath(new URL("../bin/ratewise.mjs", import.meta.url));

/** A clock that stands still but for what is added. */
function clock(start = 0) {
  let time = start;
  return {
    now: () => time,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

const state = (epochs: number) => ({
  numbers: Float64Array.of(epochs, Math.PI, Number.POSITIVE_INFINITY),
  arrays: [Float32Array.of(1 / 3, epochs), Float32Array.of(-0, 2, 7)],
  epochs,
});
const room = () => [new Float32Array(2), new Float32Array(3)];

describe("a training in a file", () => {
  test("is given back to the bit, and not at all once a byte of it has changed", async () => {
    const path = join(here, "bits", "epochs");
    const { now, pass } = clock();
    const file = epochsFile(path, now);
    expect(await file.take(room())).toBeNull();
    pass(1000);
    await file.put(state(4));
    const again = epochsFile(path, now);
    const arrays = room();
    expect(await again.take(arrays)).toEqual(state(4).numbers);
    expect(arrays).toEqual(state(4).arrays);
    expect(again.epochs()).toBe(4);
    expect(await again.take([new Float32Array(2), new Float32Array(4)])).toBeNull();
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at += 5) {
      const other = Buffer.from(bytes);
      other[at] ^= 16;
      writeFileSync(path, other);
      const untouched = room();
      expect(await epochsFile(path).take(untouched), `byte ${at}`).toBeNull();
      expect(untouched).toEqual(room());
    }
    writeFileSync(path, bytes.subarray(0, bytes.length - 1));
    expect(await epochsFile(path).take(room())).toBeNull();
    await again.discard();
    expect(readdirSync(join(here, "bits"))).toEqual([]);
  });

  test("is written as often as takes a twentieth of the time, by what writing has taken", async () => {
    const { now, pass } = clock();
    // Every look at the clock after the first of a writing finds 50 ms gone.
    let writing = false;
    const file = epochsFile(join(here, "share", "epochs"), () => {
      if (writing) pass(50);
      return now();
    });
    const kept: number[] = [];
    for (let epoch = 1; epoch <= 400; epoch++) {
      pass(20);
      const before = file.epochs();
      const mayWrite = now();
      writing = false;
      // The decision and the measurement are the two looks at the clock within put.
      const putting = file.put(state(epoch));
      writing = true;
      await putting;
      writing = false;
      if (file.epochs() !== before) kept.push(mayWrite);
    }
    // 8 seconds of epochs, and 50 ms each: a twentieth is eight of them, give or take the first, which is expected to be quick.
    expect(kept.length).toBeGreaterThanOrEqual(7);
    expect(kept.length).toBeLessThanOrEqual(9);
    for (let k = 2; k < kept.length; k++)
      expect(kept[k] - kept[k - 1]).toBeGreaterThanOrEqual(50 / 0.05 - 20);
  });

  test("takes four arrays of weights, twice while one is written beside the other", () => {
    expect(epochsDisk(1_000_000, 32)).toBe(2 * 4 * 4 * 32e6);
  });
});

/** Genotypes and a trait that hangs on some of them. */
function writeGenotypes(name: string, n: number, p: number): string {
  const uniform = uniforms(fold(keyFromSeed(1), "genotypes"));
  const bed = new Uint8Array(3 + p * (n / 4));
  bed.set([0x6c, 0x1b, 1]);
  const trait = new Float64Array(n);
  for (let j = 0; j < p; j++)
    for (let i = 0; i < n; i++) {
      const copies = Math.floor(3 * uniform());
      bed[3 + j * (n / 4) + (i >> 2)] |= [3, 2, 0][copies] << (2 * (i & 3));
      if (j % 700 === 5) trait[i] += copies;
    }
  const at = (ending: string): string => join(here, `${name}.${ending}`);
  writeFileSync(at("bed"), bed);
  const line = (_: unknown, j: number): string => `1 rs${j} 0 ${1000 * j} A G\n`;
  writeFileSync(at("bim"), Array.from({ length: p }, line).join(""));
  writeFileSync(at("fam"), Array.from(trait, (t, i) => `f${i} i${i} 0 0 1 ${t}\n`).join(""));
  return at("bed");
}

/** Runs until the training has been kept once more, and then ends it; null where it was over before. */
async function runUntilKept(
  argv: readonly string[],
  out: string,
  signal: NodeJS.Signals,
): Promise<string | null> {
  const child = spawn(process.execPath, [bin, ...argv], { stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.on("data", (text) => {
    err += text;
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on("close", (_, by) => resolve(by)),
  );
  const folder = join(here, `.${out}.ratewise-blocks`, "training");
  const kept = (): string => {
    const name =
      existsSync(folder) && readdirSync(folder).find((entry) => /^epochs-.*\d$/.test(entry));
    return name ? readFileSync(join(folder, name)).subarray(0, 200).toString("hex") : "";
  };
  const before = kept();
  while (kept() === before && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill(signal);
  const by = await ended;
  expect([signal, null], err).toContain(by);
  return by === null ? null : err;
}

test("a training that is killed twice goes on with --resume, to the bytes of one that was not", {
  timeout: 300_000,
}, async () => {
  let bed = writeGenotypes("long", 2000, 6000);
  const argv = (out: string, epochs: number) => [
    ...["stream", bed, "--task", "regression", "--hidden", "8,4", "--penalty", "1"],
    ...["--epochs", `${epochs}`, "--out", join(here, out)],
  ];
  // How often training is kept hangs on how long writing takes: one that is over too soon for two stops is made longer, by
  // more epochs and then, as it may stop before them, by more rows.
  const stoppedTwice = async (out: string, epochs: number): Promise<string | null> =>
    (await runUntilKept(argv(out, epochs), out, "SIGKILL")) === null
      ? null
      : runUntilKept([...argv(out, epochs), "--resume"], out, "SIGINT");
  let epochs = 40;
  let cut = `cut${epochs}`;
  let stopped = await stoppedTwice(cut, epochs);
  for (let rows = 2000; stopped === null && rows <= 32_000; ) {
    if (epochs < 600) epochs *= 4;
    else {
      rows *= 2;
      bed = writeGenotypes(`long${rows}`, rows, 6000);
    }
    cut = `cut${rows}-${epochs}`;
    stopped = await stoppedTwice(cut, epochs);
  }
  if (stopped === null) throw new Error(`training of ${epochs} epochs was over before it was kept`);
  const whole = spawnSync(process.execPath, [bin, ...argv("whole", epochs)], { encoding: "utf8" });
  expect(whole.status, whole.stderr).toBe(0);
  const [, from] = /--resume: continuing training after epoch (\d+)/.exec(stopped) ?? [];
  expect(Number(from), stopped).toBeGreaterThan(0);
  const [, until] =
    /stopped; training is saved up to epoch (\d+); the same command with --resume continues from there/.exec(
      stopped,
    ) ?? [];
  expect(Number(until), stopped).toBeGreaterThan(Number(from));
  const resumed = spawnSync(process.execPath, [bin, ...argv(cut, epochs), "--resume"], {
    encoding: "utf8",
  });
  expect(resumed.status, resumed.stderr).toBe(0);
  const [, again] = /continuing training after epoch (\d+)/.exec(resumed.stderr) ?? [];
  expect(Number(again), resumed.stderr).toBeGreaterThanOrEqual(Number(until));
  expect(resumed.stdout).toBe(whole.stdout);
  for (const name of ["result.json", "importance.csv"])
    expect(readFileSync(join(here, cut, name))).toEqual(readFileSync(join(here, "whole", name)));
  expect(readdirSync(here).filter((entry) => entry.includes("ratewise-blocks"))).toEqual([]);
});
