// RATE of a million variables, l = 128, beside NumPy doing the same formulas: in memory, and the whole command.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  closeWorkers,
  effectsFromFactor,
  rate,
  useEngine,
  useThreads,
  version,
} from "@ratewise/core";
import { readNpy } from "@ratewise/core/data";
import { registerNative } from "@ratewise/native";
import { runPeer, scoreboard } from "./peer.mjs";

const P = 1_000_000;
const L = 128;
const REPEATS = 3;
const [role, folder, engineName] = process.argv.slice(2);
if (role === "measure") await measure();
else await bench();

/** In a process of its own, so that its peak memory is its own: seconds of `rate`, best guess of three. */
async function measure() {
  if (engineName === "native") (await registerNative()).blas.setThreads(1);
  useEngine(engineName);
  await useThreads(1);
  const [mean, factor, noise] = ["mean", "factor", "noise"].map(
    (name) => readNpy(readFileSync(join(folder, `${name}.npy`))).data,
  );
  const effects = effectsFromFactor(mean, { data: factor, rows: P, cols: L }, { noise });
  const times = [];
  let result;
  for (let i = 0; i < REPEATS; i++) {
    const start = performance.now();
    result = rate(effects);
    times.push((performance.now() - start) / 1000);
  }
  await closeWorkers();
  process.stdout.write(
    JSON.stringify({
      seconds: times.sort((a, b) => a - b)[REPEATS >> 1],
      gigabytes: process.resourceUsage().maxRSS / 2 ** 20,
      first: [...result.variables.rate.subarray(0, 5)],
    }),
  );
}

async function bench() {
  const where = mkdtempSync(join(tmpdir(), "ratewise-bench-"));
  const peer = runPeer("rate.py", { p: P, l: L, folder: where, repeats: REPEATS });
  const board = scoreboard("bench/rate-large", {
    ratewise: version,
    NumPy: peer?.version ?? "missing",
  });
  const { blas } = await registerNative();
  const engines = [["relaxed", 2.5], ["plain", 2.5], ...(blas ? [["native", 1.2]] : [])];
  for (const [name, atMost] of engines) {
    const own = child([fileURLToPath(import.meta.url), "measure", where, name]);
    const agrees = peer?.first.every((share, j) => Math.abs(own.first[j] / share - 1) < 1e-6);
    const detail = `${own.seconds.toFixed(2)} s, NumPy ${peer?.compute.toFixed(2)} s${agrees ? "" : ", DIFFERENT ANSWER"}`;
    board.line(
      `rate(), p = 10⁶, l = ${L}, ${name}: ours / NumPy`,
      agrees ? own.seconds / peer.compute : null,
      { atMost, detail },
    );
    board.line(`  peak resident size, GB, ${name}`, own.gigabytes, { atMost: 2.5 });
  }
  if (!blas) board.line("native: OpenBLAS was not found", null);
  const bin = fileURLToPath(new URL("../cli/bin/ratewise.mjs", import.meta.url));
  const inputs = ["mean", "factor", "noise"].flatMap((name) => [
    `--${name}`,
    join(where, `${name}.npy`),
  ]);
  const start = performance.now();
  const { status } = spawnSync(process.execPath, [
    bin,
    "rank",
    ...inputs,
    "--out",
    join(where, "out.csv"),
  ]);
  const seconds = (performance.now() - start) / 1000;
  const theirs = peer ? peer.load + peer.compute : null;
  const detail = `${seconds.toFixed(1)} s, NumPy ${theirs?.toFixed(1)} s`;
  board.line(
    "ratewise rank, .npy to CSV: ours / NumPy's load and compute",
    status === 0 && theirs ? seconds / theirs : null,
    { atMost: 4, detail },
  );
  board.finish();
  rmSync(where, { recursive: true });
}

function child(argv) {
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
