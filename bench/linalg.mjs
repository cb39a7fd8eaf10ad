/**
 * Dense products, Cholesky and eigenvectors of our engines beside NumPy, one thread each, as ratios of
 * speed: NumPy's time over ours, at moments when the machine has a core to itself. Then our two threads beside
 * our one, at moments when it has two.
 *
 *     npm run build && node bench/linalg.mjs [relaxed plain …] [--threads]
 *
 * With --threads only the last part.
 */
import { useEngine, useThreads } from "@ratewise/core";
import { eigh } from "@ratewise/core/linalg";
import { registerNative } from "@ratewise/native";
import { startPeer } from "./live-peer.mjs";
import { openOneCore } from "./one-core.mjs";
import { median, scoreboard } from "./peer.mjs";
import { openCoresProbe } from "./two-cores.mjs";

const { blas } = await registerNative();
blas?.setThreads(1);
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const engines = named.length > 0 ? named : ["relaxed", "plain", "native"];
const threadsOnly = process.argv.includes("--threads");
const bars = {
  plain: { product: 0.34, cholesky: 0.3 },
  relaxed: { product: 0.44, cholesky: 0.35 },
  native: { product: 0.9, cholesky: 0.85 },
};
const SMALL_BAR = 0.25;
const ROUNDS = 5;
const TWO_THREADS = 1.8;
/** What two programs that share nothing must gain for the machine to count as having two cores to itself. */
const TWO_CORES = 1.9;
/** And what each core must have left of its speed. */
const WHOLE = 0.9;
/** After so long a machine that is never free is given up. */
const PATIENCE_MS = 240_000;
/** Products that take less are done several times in a row: a thread that is late by a millisecond is not to be the result. */
const LEAST_MS = 100;
/** One and two threads take turns for so long between two looks at the machine, which take about as long. */
const SLOT_MS = 500;
const LOOK_MS = 250;

const products = [
  { label: "product 256", operation: "product", sizes: [256, 256, 256], small: true },
  { label: "product 1024", operation: "product", sizes: [1024, 1024, 1024] },
  { label: "product 2048", operation: "product", sizes: [2048, 2048, 2048] },
  { label: "XᵀH 20,000×2,000×128", operation: "transposed product", sizes: [2000, 128, 20000] },
];
const precisions = { float32: Float32Array, float64: Float64Array };

const peer = await startPeer("linalg.py");
const board = scoreboard("Dense linear algebra, NumPy's time over ours, one thread each", {
  NumPy: peer ? `${peer.about.numpy}, ${peer.about.blas}, 1 thread` : "missing",
});
if (engines.includes("native") && !blas) {
  board.line("native: OpenBLAS was not found", null);
  engines.splice(engines.indexOf("native"), 1);
}
await useThreads(1);
const start = performance.now();
useEngine(engines[0]);
board.line("loading the kernels, ms", performance.now() - start, { atMost: 20 });
if (!threadsOnly) await besideNumPy();
await twoThreads();
peer?.close();
board.finish();
process.exit();

/** One thread each, ours and NumPy's. */
async function besideNumPy() {
  const oneCore = await openOneCore(peer);
  if (!oneCore.kept)
    console.log(
      "NumPy and we may run on different cores: this system does not keep programs to one",
    );

  for (const [precision, Numbers] of Object.entries(precisions)) {
    for (const { label, operation, sizes, small } of products) {
      for (const name of engines) {
        const work = productWork(name, Numbers, operation, sizes);
        const question = { operation, sizes, precision };
        const { ours, theirs, ratio, rounds } = await oneCore.takeTurns(work, question, ROUNDS);
        board.line(`${label}, ${precision}, ${name}`, ratio, {
          atLeast: small ? SMALL_BAR : bars[name].product,
          detail: `${gigaflops(sizes, ours)} beside ${gigaflops(sizes, theirs)} GFLOP/s; ${rounds}`,
        });
      }
    }
  }

  const order = 2000;
  const definite = positiveDefinite(order);
  for (const name of engines) {
    const engine = useEngine(name);
    const L = new Float64Array(order * order);
    const work = () => {
      L.set(definite);
      engine.cholesky(order, L, order);
    };
    const question = { operation: "cholesky", sizes: [order], precision: "float64" };
    const { ours, theirs, ratio, rounds } = await oneCore.takeTurns(work, question, ROUNDS);
    board.line(`Cholesky ${order}, float64, ${name}`, ratio, {
      atLeast: bars[name].cholesky,
      detail: `${compared(ours, theirs)}; ${rounds}`,
    });
  }

  for (const name of engines) {
    useEngine(name);
    const work = () => eigh({ data: definite, rows: order, cols: order });
    const question = { operation: "eigen", sizes: [order], precision: "float64" };
    const { ours, theirs, ratio, rounds } = await oneCore.takeTurns(work, question, ROUNDS);
    board.line(`eigen ${order}, float64, ${name}: our time over NumPy's`, ratio && 1 / ratio, {
      atMost: 4,
      detail: `${compared(ours, theirs)}; ${rounds}`,
    });
  }

  await oneCore.close();
}

/**
 * Two threads can be twice as fast only while the machine has two cores to itself, which it is asked before and after.
 */
async function twoThreads() {
  const probe = await openCoresProbe();
  for (const name of engines.filter((name) => name !== "native")) {
    for (const [precision, Numbers] of Object.entries(precisions)) {
      for (const { label, operation, sizes } of products.slice(1)) {
        const product = productWork(name, Numbers, operation, sizes);
        await useThreads(1);
        product();
        const productMs = timed(product);
        const inRow = Math.ceil(LEAST_MS / productMs);
        const work = () => {
          for (let k = 0; k < inRow; k++) product();
        };
        const times = Math.ceil(LOOK_MS / productMs);
        await probe?.prepare({ operation, sizes, precision, times });
        const counted = [];
        const begun = [];
        let free = false;
        const last = performance.now() + PATIENCE_MS;
        while (probe && counted.length < ROUNDS && performance.now() < last) {
          if (!free) {
            free = await hasTwoCores(probe);
            continue;
          }
          const end = performance.now() + SLOT_MS;
          let [one, two, turns] = [0, 0, 0];
          do {
            await useThreads(2);
            product();
            two += timed(work) / inRow;
            await useThreads(1);
            product();
            one += timed(work) / inRow;
            turns++;
          } while (performance.now() < end);
          const round = { one: one / turns, two: two / turns, ratio: one / two };
          begun.push(round);
          free = await hasTwoCores(probe);
          if (free) counted.push(round);
        }
        const enough = counted.length === ROUNDS;
        const of = (field) => (enough ? median(counted.map((round) => round[field])) : null);
        const every = begun.length > 0 ? median(begun.map(({ ratio }) => ratio)).toFixed(2) : "-";
        board.line(`two threads beside one: ${label}, ${precision}, ${name}`, of("ratio"), {
          atLeast: TWO_THREADS,
          detail: `${compared(of("two"), of("one"))}; ${counted.length} of ${begun.length} rounds counted (in all: ${every})`,
        });
      }
    }
  }
  probe?.close();
}

function productWork(name, Numbers, operation, [m, n, k]) {
  const engine = useEngine(name);
  const A = filled(Numbers, m * k);
  const B = filled(Numbers, k * n);
  const C = new Numbers(m * n);
  const transpose = operation !== "product";
  return () => engine.gemm(transpose, false, m, n, k, 1, A, transpose ? m : k, B, n, 0, C, n);
}

async function hasTwoCores(probe) {
  return (await probe.wholeness()) >= WHOLE && (await probe.gain()) >= TWO_CORES;
}

function filled(Numbers, length) {
  const out = new Numbers(length);
  for (let i = 0; i < length; i++) out[i] = Math.sin(i * 0.7);
  return out;
}

function positiveDefinite(n) {
  const engine = useEngine("plain");
  const G = new Float64Array(n * n);
  let state = 1;
  for (let i = 0; i < G.length; i++) {
    state = (state * 48271) % 2147483647;
    G[i] = state / 2147483647 - 0.5;
  }
  const A = new Float64Array(n * n);
  engine.syrk(false, n, n, 1 / n, G, n, 0, A, n);
  for (let i = 0; i < n; i++) A[i * n + i] += 1;
  return A;
}

function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function gigaflops([m, n, k], ms) {
  return ms === null ? "-" : ((2 * m * n * k) / ms / 1e6).toFixed(1);
}

function compared(ours, theirs) {
  const shown = (ms) => ms?.toFixed(0) ?? "-";
  return `${shown(ours)} beside ${shown(theirs)} ms`;
}
