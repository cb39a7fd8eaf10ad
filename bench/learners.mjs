// Trees beside scikit-learn's on the same rows, in one run, with the same number of threads: time, and error
// on rows that neither has seen. `node bench/learners.mjs [threads]`, all cores unless told.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { closeWorkers, fold, keyFromSeed, matrix, useThreads, version } from "@ratewise/core";
import {
  fitBoosting,
  fitForest,
  groupLassoPath,
  predictBoosting,
  predictForest,
} from "@ratewise/core/learners";
import { normalInto } from "@ratewise/core/random";
import { runPeer, scoreboard } from "./peer.mjs";

const threads = Number(process.argv[2] ?? availableParallelism());
const targets = {
  mixed: (x) => x[0] * x[1] + x[2] + Math.sin(3 * x[3]) + Math.abs(x[4]),
  product: (x) => 2 * x[0] * x[1],
  additive: (x) => x[0] + x[1] ** 2 + Math.cos(2 * x[2]),
};
/** Fits with seeds 1 … repeats: the median of their times, the mean of their errors. */
const cases = [
  { name: "boosting", target: "mixed", rows: 100_000, columns: 100, repeats: 3, faster: 1 },
  { name: "forest", target: "mixed", rows: 10_000, columns: 100, repeats: 1, faster: 5 },
  { name: "boosting", target: "product", rows: 10_000, columns: 20, repeats: 1 },
  { name: "boosting", target: "additive", rows: 10_000, columns: 20, repeats: 1 },
  { name: "forest", target: "product", rows: 2000, columns: 20, repeats: 5 },
  { name: "forest", target: "additive", rows: 2000, columns: 20, repeats: 5 },
];
/** Rows to test on. */
const HELD_OUT = 20_000;

const methods = {
  boosting: { fit: fitBoosting, predict: predictBoosting, settings: { rounds: 100 } },
  forest: { fit: fitForest, predict: predictForest, settings: { trees: 100, workers: threads } },
};

function draw({ target, rows, columns }, key) {
  const all = rows + HELD_OUT;
  const data = new Float64Array(all * columns);
  normalInto(data, fold(key, "x"));
  const y = new Float64Array(all);
  normalInto(y, fold(key, "noise"));
  for (let i = 0; i < all; i++)
    y[i] += targets[target](data.subarray(i * columns, i * columns + 5));
  return { data, y };
}

async function ours({ name, rows, columns, repeats }, { data, y }) {
  const { fit, predict, settings } = methods[name];
  const X = matrix(rows, columns, data.subarray(0, rows * columns));
  const test = matrix(HELD_OUT, columns, data.subarray(rows * columns));
  const times = [];
  let error = 0;
  for (let seed = 1; seed <= repeats; seed++) {
    const options = { task: { kind: "regression" }, key: keyFromSeed(seed), ...settings };
    const start = performance.now();
    const model = await fit(X, y.subarray(0, rows), options);
    times.push(performance.now() - start);
    const out = predict(model, test).data;
    for (let i = 0; i < HELD_OUT; i++) error += (y[rows + i] - out[i]) ** 2 / HELD_OUT / repeats;
  }
  return { ms: times.sort((a, b) => a - b)[repeats >> 1], error };
}

const folder = mkdtempSync(join(tmpdir(), "ratewise-bench-"));
await useThreads(threads);
let board;
for (const [k, each] of cases.entries()) {
  const drawn = draw(each, fold(keyFromSeed(3), k));
  writeFileSync(join(folder, "x"), drawn.data);
  writeFileSync(join(folder, "y"), drawn.y);
  const peer = runPeer("learners.py", { ...each, folder, heldOut: HELD_OUT }, { threads });
  const own = await ours(each, drawn);
  board ??= scoreboard("learners beside scikit-learn", {
    ratewise: version,
    "scikit-learn": peer?.version ?? "missing",
    threads: `${threads}`,
  });
  const what = `${each.name}, ${each.target}, ${each.rows}×${each.columns}`;
  const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
  const times = `${seconds(own.ms)}, scikit-learn ${peer ? seconds(peer.ms) : "—"}`;
  const bar = each.faster ? { atLeast: each.faster } : {};
  board.line(`${what}: times faster`, peer && peer.ms / own.ms, { ...bar, detail: times });
  const errors = `${own.error.toFixed(4)}, scikit-learn ${peer?.error.toFixed(4) ?? "—"}`;
  board.line(`${what}: error of its over ours`, peer && peer.error / own.error, {
    atLeast: 0.99,
    detail: errors,
  });
}
rmSync(folder, { recursive: true });

// Ten of 2,000 groups of five columns decide.
const [n, p] = [2000, 10_000];
const X = matrix(n, p);
normalInto(X.data, keyFromSeed(4));
const y = new Float64Array(n);
normalInto(y, keyFromSeed(5));
for (let i = 0; i < n; i++) for (let j = 0; j < 50; j++) y[i] += X.data[i * p + j];
const groups = Array.from({ length: p / 5 }, (_, g) => [0, 1, 2, 3, 4].map((k) => 5 * g + k));
const start = performance.now();
const { solutions } = await groupLassoPath(X, y, { groups });
board.line("group lasso path, 2,000×10,000: seconds", (performance.now() - start) / 1000, {
  atMost: 60,
  detail: `${solutions.length} penalties`,
});
board.finish();
await closeWorkers();
