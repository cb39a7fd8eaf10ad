// From a CSV file of 100,000 × 100 to result.json, as a user runs it: seconds and peak memory.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keyFromSeed, simulate, version } from "@ratewise/core";
import { scoreboard } from "./peer.mjs";

const ROWS = 100_000;
const folder = mkdtempSync(join(tmpdir(), "ratewise-bench-"));
const csv = join(folder, "data.csv");
await writeCsv(csv);

const bin = fileURLToPath(new URL("../cli/bin/ratewise.mjs", import.meta.url));
const start = performance.now();
const child = spawn(
  process.execPath,
  [bin, "explain", csv, "--target", "y", "--out", join(folder, "out")],
  {
    stdio: ["ignore", "ignore", "inherit"],
  },
);
let peakKb = 0;
const watch = setInterval(() => {
  try {
    const [, kb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
    peakKb = Math.max(peakKb, Number(kb ?? 0));
  } catch {
    // the process has just ended
  }
}, 50);
const [code] = await once(child, "exit");
clearInterval(watch);
const seconds = (performance.now() - start) / 1000;
const result = JSON.parse(readFileSync(join(folder, "out", "result.json"), "utf8"));
const board = scoreboard("bench/explain", { ratewise: version, engine: result.engine });
const megabytes = (statSync(csv).size / 2 ** 20).toFixed(0);
board.line(
  `seconds, ${ROWS} × 100 (${megabytes} MB of CSV) to result.json`,
  code === 0 ? seconds : null,
  { atMost: 60 },
);
board.line("peak resident size, GB", peakKb > 0 ? peakKb / 2 ** 20 : null, { atMost: 2 });
board.line("held-out R² of that run", result.model.heldOut.score);
board.finish();
rmSync(folder, { recursive: true });

async function writeCsv(path) {
  const { X, y } = simulate({ key: keyFromSeed(1), rows: ROWS });
  const out = createWriteStream(path);
  out.write(`${Array.from({ length: 100 }, (_, j) => `x${j + 1}`).join(",")},y\n`);
  for (let from = 0; from < ROWS; from += 1000) {
    let text = "";
    for (let i = from; i < from + 1000; i++)
      text += `${X.data.subarray(i * 100, (i + 1) * 100).join(",")},${y[i]}\n`;
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}
