import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeNpy } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const bin = fileURLToPath(new URL("../bin/ratewise.mjs", import.meta.url));
const built = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const [n, p, l] = [2_000, 60_000, 4];

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

/** 480 MB of single-precision numbers, a row repeated from another place each time. */
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

describe("a file of 480 MB", () => {
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
});
