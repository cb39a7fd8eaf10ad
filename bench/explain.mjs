// From a CSV file of 100,000 × 100 to a report, as a user runs it in a terminal: seconds and peak memory, how long the live line
// ever stood still, and how far off the time to go was once a fifth of a stage had passed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keyFromSeed, simulate, version } from "@ratewise/core";
import { liveLines, longestSilence, timesToGo } from "./live-lines.mjs";
import { scoreboard } from "./peer.mjs";

const ROWS = Number(process.argv[2] ?? 100_000);
/** Ticks of the kernel's clock a second, as /proc counts. */
const TICKS = 100;
const folder = mkdtempSync(join(tmpdir(), "ratewise-bench-"));
try {
  const csv = join(folder, "data.csv");
  await writeCsv(csv);
  const bin = fileURLToPath(new URL("../cli/bin/ratewise.mjs", import.meta.url));
  const command = [
    process.execPath,
    bin,
    "explain",
    csv,
    "--target",
    "y",
    "--out",
    join(folder, "out"),
  ];
  const { code, seconds, peakKb, ticks, pieces } = await inTerminal(command.join(" "));
  const result = JSON.parse(readFileSync(join(folder, "out", "result.json"), "utf8"));
  const board = scoreboard("bench/explain", { ratewise: version, engine: result.engine });
  const megabytes = (statSync(csv).size / 2 ** 20).toFixed(0);
  board.line(
    `seconds, ${ROWS} × 100 (${megabytes} MB of CSV) to report.html`,
    code === 0 ? seconds : null,
    { atMost: 90 },
  );
  board.line("seconds of processors, all cores together", ticks / TICKS);
  board.line("peak resident size, GB", peakKb > 0 ? peakKb / 2 ** 20 : null, { atMost: 2 });
  const lines = liveLines(pieces);
  const silence = longestSilence(pieces, seconds * 1000, lines, "at");
  board.line("longest silence, seconds", silence.ms / 1000, { atMost: 2, detail: silence.during });
  // What a machine with other work to do cannot disturb.
  const work = longestSilence(pieces, (1000 * ticks) / TICKS, lines, "worked");
  board.line("longest silence, seconds of processors", work.ms / 1000, { detail: work.during });
  for (const { phase, told, steady, lasted, count } of timesToGo(lines)) {
    const stage = `of ${count} times to go of "${phase}" (${lasted.toFixed(0)} s)`;
    board.line(`worst factor ${stage}`, told, { atMost: 2 });
    board.line("  the same by seconds of processors", steady);
  }
  board.line("held-out R² of that run", result.model.heldOut.score);
  board.finish();
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs a command under script(1), which gives it a terminal, and keeps what it prints with the times. */
async function inTerminal(command) {
  const start = performance.now();
  const child = spawn("bash", ["-c", 'exec script -qefc "$0" /dev/null', command], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, COLUMNS: "100" },
  });
  const pieces = [];
  child.stdout.setEncoding("utf8");
  let peakKb = 0;
  let ticks = 0;
  const look = () => {
    try {
      const [pid] = descendants(child.pid).slice(-1);
      const [, kb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      peakKb = Math.max(peakKb, Number(kb ?? 0));
      const [, rest] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
      const fields = rest.split(" ");
      ticks = Math.max(ticks, Number(fields[11]) + Number(fields[12]));
    } catch {
      // the process has just ended
    }
  };
  child.stdout.on("data", (text) => {
    look();
    pieces.push({ at: performance.now() - start, worked: (1000 * ticks) / TICKS, text });
  });
  const watch = setInterval(look, 50);
  const [code] = await once(child, "exit");
  clearInterval(watch);
  return { code, seconds: (performance.now() - start) / 1000, peakKb, ticks, pieces };
}

function descendants(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children.filter(Boolean).flatMap((child) => [child, ...descendants(child)]);
}

async function writeCsv(path) {
  const { X, y } = simulate({ key: keyFromSeed(1), rows: ROWS });
  const out = createWriteStream(path);
  out.write(`${Array.from({ length: 100 }, (_, j) => `x${j + 1}`).join(",")},y\n`);
  for (let from = 0; from < ROWS; from += 1000) {
    let text = "";
    for (let i = from; i < Math.min(ROWS, from + 1000); i++)
      text += `${X.data.subarray(i * 100, (i + 1) * 100).join(",")},${y[i]}\n`;
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}
