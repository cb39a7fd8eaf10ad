// A million variables: RATE from a .bed file beside NumPy's bare product on decoded blocks, its growth with n and p,
// and a first layer of width 32 trained from two bits a genotype. `node bench/scale.mjs 0.1` takes a tenth of the variables.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fold, keyFromSeed, normals, rate, useThreads, version } from "@ratewise/core";
import {
  bedSource,
  openFile,
  planStream,
  projectedEffectsInPlace,
  streamFit,
  streamProjection,
} from "@ratewise/core/stream";
import { runPeer, scoreboard } from "./peer.mjs";

const THREADS = 2;
const L = 64;
const [role, input] = process.argv.slice(2);
if (role === "rate") await measureRate(JSON.parse(input));
else if (role === "train") await measureTraining(JSON.parse(input));
else await bench(Number(role ?? 1));

/** Random genotypes of two bits, none missing, from one block of 16 MB that is written again from other places. */
function writeBed(path, n, p) {
  const codes = [0, 2, 3];
  const bytes = Uint8Array.from({ length: 81 }, (_, k) =>
    [1, 3, 9, 27].reduce(
      (byte, power, i) => byte | (codes[Math.floor(k / power) % 3] << (2 * i)),
      0,
    ),
  );
  const block = new Uint8Array(1 << 24);
  let state = 1;
  for (let i = 0; i < block.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    block[i] = bytes[(state >>> 8) % 81];
  }
  const stride = Math.ceil(n / 4);
  const file = openSync(path, "w");
  writeSync(file, Uint8Array.of(0x6c, 0x1b, 1));
  const most = Math.floor(block.length / 2 / stride);
  for (let done = 0, turn = 0; done < p; done += most, turn++) {
    const from = (turn * 7919) % (block.length / 2);
    writeSync(file, block, from, Math.min(most, p - done) * stride);
  }
  closeSync(file);
}

function hiddenValues(n) {
  const next = normals(fold(keyFromSeed(1), "hidden"));
  return { data: Float64Array.from({ length: n * L }, next), rows: n, cols: L };
}

/** In a process of its own, so that its peak memory is its own. */
async function measureRate({ path, n, p }) {
  await useThreads(THREADS);
  const H = hiddenValues(n);
  const weights = { mean: H.data.slice(0, L), covariance: new Float64Array(L).fill(0.01) };
  const start = performance.now();
  const file = await openFile(path);
  const source = await bedSource(file, { where: path, samples: n, snps: p });
  const plan = planStream(source, { width: L, memory: 1.5 * 2 ** 30, precision: "single" });
  const projected = await streamProjection(source, H, { plan, precision: "single" });
  const streamed = performance.now();
  const { variables } = rate(projectedEffectsInPlace(projected, weights, { noiseVariance: 1 }));
  const end = performance.now();
  answer({
    seconds: (end - start) / 1000,
    product: (streamed - start) / 1000,
    gigabytes: process.resourceUsage().maxRSS / 2 ** 20,
    planned: plan.memory / 2 ** 30,
    total: variables.rate.reduce((sum, share) => sum + share, 0),
  });
}

async function measureTraining({ path, n, p }) {
  await useThreads(THREADS);
  const file = await openFile(path);
  const piece = new Uint8Array(1 << 24);
  let from = performance.now();
  for (let at = 0; at + piece.length <= file.size; at += piece.length)
    await file.readInto(piece, at);
  const reading = (performance.now() - from) / 1000;
  const source = await bedSource(file, { where: path, samples: n, snps: p });
  const plan = planStream(source, { width: 1, by: "columns" });
  const next = normals(fold(keyFromSeed(2), "response"));
  const marks = {};
  let keeping = 0;
  // As `ratewise stream` keeps it, but after every epoch.
  const put = async ({ numbers, arrays }) => {
    const start = performance.now();
    const kept = openSync(`${path}.epochs`, "w");
    const hash = createHash("sha256");
    for (const array of [numbers, ...arrays]) {
      hash.update(array);
      writeSync(kept, array);
    }
    writeSync(kept, hash.digest());
    fsyncSync(kept);
    closeSync(kept);
    keeping = (performance.now() - start) / 1000;
  };
  from = performance.now();
  const { history } = await streamFit(source, Float64Array.from({ length: n }, next), {
    ...{ key: keyFromSeed(1), plan, hidden: [32, 16], epochs: 1, penalties: [1] },
    keep: { put, take: async () => null },
    onProgress: ({ phase }) => {
      marks[phase] ??= { start: performance.now() };
      marks[phase].end = performance.now();
    },
  });
  rmSync(`${path}.epochs`);
  answer({
    reading,
    keeping,
    arranging: (marks.arrange.end - from) / 1000,
    epoch: (marks.train.end - marks.arrange.end) / 1000 - keeping,
    whole: (performance.now() - from) / 1000,
    gigabytes: process.resourceUsage().maxRSS / 2 ** 20,
    loss: history[0].trainingLoss,
  });
}

function answer(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
}

function child(name, request) {
  const argv = [fileURLToPath(import.meta.url), name, JSON.stringify(request)];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function bench(share) {
  const folder = mkdtempSync(join(tmpdir(), "ratewise-bench-"));
  const made = (n, p) => {
    const path = join(folder, `${n}-${p}.bed`);
    writeBed(path, n, p);
    return { path, n, p };
  };
  const forget = ({ path }) => rmSync(path);
  try {
    const [n, p] = [10_000, Math.round(1e6 * share)];
    const large = made(n, p);
    const peer = runPeer("scale.py", { ...large, l: L, blocks: 10 }, { threads: THREADS });
    const board = scoreboard("bench/scale", {
      ratewise: version,
      NumPy: peer?.version ?? "missing",
    });
    const own = child("rate", large);
    board.line(
      `RATE, p = ${p}, n = ${n}, l = ${L}, .bed, single: ours / bare XᵀH`,
      peer ? own.seconds / peer.seconds : null,
      {
        atMost: 3,
        detail: `${own.seconds.toFixed(1)} s (${own.product.toFixed(1)} s of it streaming), NumPy ${peer?.seconds.toFixed(1)} s, ${THREADS} threads each`,
      },
    );
    board.line("  peak resident size, GB", own.gigabytes, {
      atMost: 1.5,
      detail: `${own.planned.toFixed(2)} planned`,
    });
    forget(large);

    const small = 100_000 * share;
    const sizes = [made(5_000, small), made(10_000, small), made(10_000, 2 * small)];
    const [base, twiceN, twiceP] = sizes.map((size) => child("rate", size).seconds);
    sizes.forEach(forget);
    board.line("time of twice the rows / of once", twiceN / base, {
      atMost: 2.4,
      detail: `${base.toFixed(2)} and ${twiceN.toFixed(2)} s`,
    });
    board.line("time of twice the variables / of once", twiceP / twiceN, {
      atMost: 2.4,
      detail: `${twiceN.toFixed(2)} and ${twiceP.toFixed(2)} s`,
    });

    const genotypes = made(2_000, p);
    const trained = child("train", genotypes);
    forget(genotypes);
    board.line(
      `training 32-16, p = ${p}, n = 2000: an epoch / reading the file once`,
      trained.epoch / trained.reading,
      {
        detail: `${trained.epoch.toFixed(1)} s and ${trained.reading.toFixed(2)} s; arranging it once ${trained.arranging.toFixed(1)} s, all ${trained.whole.toFixed(1)} s, loss ${trained.loss.toFixed(2)}`,
      },
    );
    board.line("  keeping an epoch / an epoch", trained.keeping / trained.epoch, {
      detail: `${trained.keeping.toFixed(2)} s, every ${Math.ceil((20 * trained.keeping) / trained.epoch)} epochs: a twentieth of the time at most`,
    });
    board.line("  peak resident size, GB", trained.gigabytes, { atMost: 2 });
    board.finish();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
