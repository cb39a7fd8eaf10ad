// The time of a default `ratewise explain` beside an older checkout's, both sides taking turns, median of the ratios:
//
//     git worktree add ../before 80cd389 && (cd ../before && npm ci)
//     node bench/explain-before.mjs --before ../before
//
// A case of data is rows × columns of the paper's simulation with that many columns, a third of them causal.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { fold, keyFromSeed, normals, simulate, version } from "@ratewise/core";
import { median, scoreboard } from "./peer.mjs";

const { values } = parseArgs({
  options: {
    before: { type: "string" },
    rounds: { type: "string", default: "5" },
    cases: { type: "string", default: "1000x10,10000x100,100000x100" },
  },
});
if (values.before === undefined)
  throw new Error("explain-before: needs --before, the folder of an older checkout that was built");
const MOST = { "1000x10": 2.5, "10000x100": 2.5, "100000x100": 1.8 };
const bins = [resolve(values.before), resolve(import.meta.dirname, "..")].map((checkout) =>
  join(checkout, "cli", "bin", "ratewise.mjs"),
);
const folder = mkdtempSync(join(tmpdir(), "ratewise-bench-"));
try {
  const board = scoreboard("bench/explain-before", { ratewise: version });
  for (const name of values.cases.split(",")) {
    const [rows, columns] = name.split("x").map(Number);
    const csv = join(folder, `${name}.csv`);
    writeFileSync(csv, tableOf(rows, columns));
    const ratios = [];
    const seconds = [[], []];
    for (let round = 0; round < Number(values.rounds); round++) {
      const order = round % 2 === 0 ? [0, 1] : [1, 0];
      for (const side of order) seconds[side].push(timeOf(bins[side], csv));
      ratios.push(seconds[1].at(-1) / seconds[0].at(-1));
    }
    const detail = `${median(seconds[1]).toFixed(1)} s beside ${median(seconds[0]).toFixed(1)} s`;
    board.line(`times the time of before, ${name}`, median(ratios), { atMost: MOST[name], detail });
  }
  board.finish();
} finally {
  rmSync(folder, { recursive: true });
}

function timeOf(bin, csv) {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [bin, "explain", csv, "--target", "y"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`explain ended with ${status}: ${stderr}`);
  return (performance.now() - began) / 1000;
}

/** 100 columns are the paper's design; fewer are sums, a product and noise. */
function tableOf(rows, columns) {
  const key = keyFromSeed(1);
  let X;
  let y;
  if (columns === 100) ({ X, y } = simulate({ rows, key }));
  else {
    const next = normals(fold(key, "table"));
    X = { data: Float64Array.from({ length: rows * columns }, next) };
    y = Float64Array.from({ length: rows }, (_, i) => {
      const x = X.data.subarray(i * columns, (i + 1) * columns);
      return x[0] + x[1] * x[2] + Math.abs(x[3]) + 0.5 * next();
    });
  }
  const lines = [[...Array.from({ length: columns }, (_, j) => `x${j + 1}`), "y"].join(",")];
  for (let i = 0; i < rows; i++) {
    const own = X.data.subarray(i * columns, (i + 1) * columns);
    lines.push([...Array.from(own, (value) => value.toFixed(4)), y[i].toFixed(4)].join(","));
  }
  return `${lines.join("\n")}\n`;
}
