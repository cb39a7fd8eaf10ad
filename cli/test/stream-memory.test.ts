import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeNpy } from "@ratewise/core/data";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const bin = fileURLToPath(new URL("../bin/ratewise.mjs", import.meta.url));
const built = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const [n, p, l] = [1_400, 60_000, 4];

/** Says the peak of the resident size when the process ends. */
const told = `import{writeSync}from"node:fs";process.on("exit",()=>writeSync(2,"peak "+process.resourceUsage().maxRSS+"\\n"))`;

function peakOf(argv: readonly string[]): { peak: number; out: string } {
  expect(existsSync(built), `${built} is missing; run npm run build first`).toBe(true);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
    encoding: "utf8",
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}`,
    },
  });
  expect(status, stderr).toBe(0);
  return { peak: 1024 * Number(/peak (\d+)/.exec(stderr)![1]), out: stdout };
}

/** 336 MB of single-precision numbers, a row repeated from another place each time. */
function writeLarge(path: string): void {
  const header = writeNpy({ shape: [0], data: new Float32Array(0) });
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${n}, ${p}), }`;
  const head = new Uint8Array(header.length).fill(0x20);
  head.set(header.subarray(0, 10));
  for (let i = 0; i < text.length; i++) head[10 + i] = text.charCodeAt(i);
  head[head.length - 1] = 0x0a;
  const source = new Float32Array(2 * p);
  let state = 1;
  for (let e = 0; e < source.length; e++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    source[e] = state / 2 ** 32;
  }
  const file = openSync(path, "w");
  writeSync(file, head);
  for (let i = 0; i < n; i++) {
    const from = (i * 7919) % p;
    writeSync(file, new Uint8Array(source.buffer, 4 * from, 4 * p));
  }
  closeSync(file);
}

describe("a file of 336 MB", () => {
  const X = join(here, "X.npy");
  const rest = ["--activations", join(here, "H.npy"), "--target", join(here, "y.npy")];
  test("is ranked within --memory 300MB by either plan", { timeout: 120_000 }, () => {
    writeLarge(X);
    const H = Float64Array.from({ length: n * l }, (_, e) => ((e * 7919) % 1009) / 1009);
    writeFileSync(join(here, "H.npy"), writeNpy({ shape: [n, l], data: H }));
    const y = Float64Array.from({ length: n }, (_, i) => H[i * l] + ((i * 31) % 17) / 40);
    writeFileSync(join(here, "y.npy"), writeNpy({ shape: [n], data: y }));
    for (const by of ["rows", "columns"]) {
      const { peak, out } = peakOf(["stream", X, ...rest, "--memory", "300MB", "--by", by]);
      expect(out).toContain("Importance of 60000 variables");
      expect(peak, by).toBeLessThan(300 * 2 ** 20);
      expect(peak, by).toBeGreaterThan(50 * 2 ** 20);
    }
  });

  test("says when it is stopped which blocks are kept, and goes on from them", {
    timeout: 120_000,
  }, async () => {
    const out = join(here, "stopped");
    const argv = ["stream", X, ...rest, "--by", "columns", "--block", "3000", "--out", out];
    const child = spawn(process.execPath, [bin, ...argv], { stdio: ["ignore", "ignore", "pipe"] });
    let err = "";
    child.stderr.on("data", (text) => {
      err += text;
    });
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      child.on("close", (_, signal) => resolve(signal)),
    );
    const finished = (): number => {
      const folder = join(here, ".stopped.ratewise-blocks");
      if (!existsSync(folder)) return 0;
      return readdirSync(folder, { recursive: true }).filter((name) =>
        /columns-\d+-\d+$/.test(`${name}`),
      ).length;
    };
    while (finished() < 2 && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    expect(await ended, err).toBe("SIGINT");
    const [, kept] =
      /stopped; (\d+) of 20 blocks are finished and kept; the same command with --resume continues from there/.exec(
        err,
      ) ?? [];
    expect(Number(kept), err).toBeGreaterThanOrEqual(2);
    expect(existsSync(out)).toBe(false);
    const again = spawnSync(process.execPath, [bin, ...argv, "--resume"], { encoding: "utf8" });
    expect(again.status, again.stderr).toBe(0);
    const [, found] = /--resume: found (\d+) of 20 blocks finished/.exec(again.stderr) ?? [];
    expect(Number(found), again.stderr).toBeGreaterThanOrEqual(Number(kept));
    expect(finished()).toBe(0);
    expect(readFileSync(join(out, "importance.csv"), "utf8").split("\n")).toHaveLength(p + 2);
  });
});

test("400,000 variants are ranked and written within --memory 320MB", { timeout: 120_000 }, () => {
  const [samples, snps] = [40, 400_000];
  const bed = new Uint8Array(3 + snps * (samples / 4));
  let state = 1;
  for (let at = 3; at < bed.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // Codes 0, 2 and 3: no genotype is missing.
    bed[at] = (state >>> 9) & 0xff;
    bed[at] |= (bed[at] & 0x55) << 1;
  }
  bed.set([0x6c, 0x1b, 1]);
  const at = (ending: string): string => join(here, `many.${ending}`);
  writeFileSync(at("bed"), bed);
  const lines = openSync(at("bim"), "w");
  for (let start = 0; start < snps; start += 1000) {
    const line = (_: unknown, i: number) => `1 rs${10_000_000 + start + i} 0 ${start + i} A G\n`;
    writeSync(lines, Array.from({ length: 1000 }, line).join(""));
  }
  closeSync(lines);
  const H = Float64Array.from({ length: samples * l }, (_, e) => ((e * 7919) % 1009) / 1009);
  writeFileSync(at("npy"), writeNpy({ shape: [samples, l], data: H }));
  const fam = (_: unknown, i: number) => `f${i} i${i} 0 0 1 ${H[i * l] + ((i * 31) % 17) / 40}\n`;
  writeFileSync(at("fam"), Array.from({ length: samples }, fam).join(""));
  const { peak, out } = peakOf([
    ...["stream", at("bed"), "--activations", at("npy"), "--task", "regression"],
    ...["--memory", "320MB", "--out", join(here, "many")],
  ]);
  expect(out).toContain("Importance of 400000 variables");
  expect(peak).toBeLessThan(320 * 2 ** 20);
  expect(peak).toBeGreaterThan(100 * 2 ** 20);
});
