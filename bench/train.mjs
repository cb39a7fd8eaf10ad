// One training epoch beside PyTorch in one run, one thread each, median of 5; and the memory that 60,000
// images take.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { closeWorkers, keyFromSeed, matrix, useEngine, useThreads, version } from "@ratewise/core";
import { fit } from "@ratewise/core/network";
import { normalInto } from "@ratewise/core/random";
import { runPeer, scoreboard } from "./peer.mjs";

const cases = [
  {
    name: "100-32-16-1, 70,000 rows",
    rows: 70_000,
    batch: 128,
    sizes: [100, 32, 16, 1],
    repeats: 5,
    atLeast: 3.0,
  },
  {
    name: "10,000-512-512-512-1, 2,000 rows",
    rows: 2000,
    batch: 128,
    sizes: [10_000, 512, 512, 512, 1],
    repeats: 5,
    atLeast: 0.62,
  },
  {
    name: "5×5×32 on 18×18, 256-128-1, 5,000 images",
    rows: 5000,
    batch: 128,
    image: { height: 18, width: 18, channels: 1 },
    convolution: { filters: 32, kernel: 5 },
    sizes: [324, 256, 128, 1],
    repeats: 5,
    atLeast: 0.75,
  },
];

/** Median milliseconds of an epoch: the differences between the times at which epochs end. */
async function epochMs({ rows, batch, image, convolution, sizes, repeats }) {
  const X = { data: new Float32Array(rows * sizes[0]), rows, cols: sizes[0] };
  normalInto(X.data, keyFromSeed(1));
  const y = matrix(rows, 1);
  normalInto(y.data, keyFromSeed(2));
  const ends = [performance.now()];
  let before = 0;
  await fit(X, y.data, {
    key: keyFromSeed(1),
    architecture: {
      inputs: sizes[0],
      ...(image && { image }),
      layers: [
        ...(convolution
          ? [{ kind: "convolution", activation: "relu", ...convolution }, { kind: "flatten" }]
          : []),
        ...sizes.slice(1, -1).map((units) => ({ kind: "dense", units, activation: "relu" })),
      ],
      link: "identity",
    },
    recipe: "paper",
    changes: {
      epochs: repeats + 1,
      patience: 1000,
      batchSize: batch,
      validationFraction: 0,
      monitor: "training",
    },
    onProgress: ({ done }) => {
      if (Math.floor(done) > before) {
        before = Math.floor(done);
        ends.push(performance.now());
      }
    },
  });
  const times = ends.slice(1).map((end, i) => end - ends[i]);
  return times.slice(1).sort((a, b) => a - b)[repeats >> 1];
}

const peer = runPeer("train.py", { cases });
const engine = useEngine("relaxed").name;
const board = scoreboard("bench/train", {
  ratewise: version,
  engine,
  PyTorch: peer?.version ?? "missing",
});
for (const [c, each] of cases.entries()) {
  await useThreads(1);
  const own = await epochMs(each);
  const detail = `${own.toFixed(0)} ms, PyTorch ${peer ? peer.ms[c].toFixed(0) : "–"} ms`;
  board.line(`${each.name}: PyTorch's epoch / ours`, peer ? peer.ms[c] / own : null, {
    atLeast: each.atLeast,
    detail,
  });
  if (each.atLeast >= 1) continue;
  const threads = await useThreads(2);
  const both = await epochMs(each);
  board.line(`${each.name}: ${threads} threads / 1`, own / both, {
    atLeast: 1.4,
    detail: `${both.toFixed(0)} ms`,
  });
}

/** The most memory of a process of its own that trains for an epoch, in MB. */
const images = spawnSync(
  process.execPath,
  [fileURLToPath(new URL("train-images.mjs", import.meta.url))],
  {
    encoding: "utf8",
  },
);
const peak = images.status === 0 ? Number(images.stdout) : null;
if (peak === null)
  console.log(`FAILED: train-images.mjs: ${images.stderr.trim().split("\n").at(-1)}`);
board.line("60,000 images of 28×28, 5×5×32, 256-128: MB at most", peak, { atMost: 1000 });
board.finish();
await closeWorkers();
