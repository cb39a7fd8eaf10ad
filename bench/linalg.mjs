/**
 * Dense products, Cholesky and eigenvectors of our engines beside NumPy, one thread each, as ratios of
 * speed: NumPy's time over ours. Then our two threads beside our one.
 *
 *     npm run build && node bench/linalg.mjs [relaxed plain native …]
 */
import { eigh, useEngine, useThreads } from "@ratewise/core";
import { medianMs, runPeer, scoreboard } from "./peer.mjs";

const engines = process.argv.length > 2 ? process.argv.slice(2) : ["relaxed", "plain"];
const bars = {
  plain: { product: 0.34, cholesky: 0.3 },
  relaxed: { product: 0.44, cholesky: 0.35 },
  native: { product: 0.9, cholesky: 0.85 },
};
const SMALL_BAR = 0.25;
const REPEATS = 5;

const products = [
  { label: "product 256", operation: "product", sizes: [256, 256, 256], small: true },
  { label: "product 1024", operation: "product", sizes: [1024, 1024, 1024] },
  { label: "product 2048", operation: "product", sizes: [2048, 2048, 2048] },
  { label: "XᵀH 20,000×2,000×128", operation: "transposed product", sizes: [2000, 128, 20000] },
];

const precisions = { float32: Float32Array, float64: Float64Array };
const peer = runPeer("linalg.py", {
  operation: "product",
  sizes: [8, 8, 8],
  precision: "float64",
  repeats: 1,
});
const board = scoreboard("Dense linear algebra, NumPy's time over ours, one thread each", {
  NumPy: peer ? `${peer.numpy}, ${peer.blas}, 1 thread` : "missing",
});
await useThreads(1);

const start = performance.now();
for (const name of engines) useEngine(name);
board.line("loading the kernels, ms", performance.now() - start, { atMost: 20 });

for (const [precision, Numbers] of Object.entries(precisions)) {
  for (const { label, operation, sizes, small } of products) {
    const [m, n, k] = sizes;
    const A = filled(Numbers, m * k);
    const B = filled(Numbers, k * n);
    const C = new Numbers(m * n);
    const transpose = operation !== "product";
    const repeats = small ? 41 : REPEATS;
    for (const name of engines) {
      const engine = useEngine(name);
      const work = () =>
        engine.gemm(transpose, false, m, n, k, 1, A, transpose ? m : k, B, n, 0, C, n);
      const { ratio, ours, theirs } = await beside(work, { operation, sizes, precision }, repeats);
      board.line(`${label}, ${precision}, ${name}`, ratio, {
        atLeast: small ? SMALL_BAR : bars[name].product,
        detail: `${gigaflops(2 * m * n * k, ours)} beside ${gigaflops(2 * m * n * k, theirs)} GFLOP/s`,
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
  const ask = { operation: "cholesky", sizes: [order], precision: "float64" };
  const { ratio, ours, theirs } = await beside(work, ask, REPEATS);
  board.line(`Cholesky ${order}, float64, ${name}`, ratio, {
    atLeast: bars[name].cholesky,
    detail: times(ours, theirs),
  });
}

for (const name of engines) {
  useEngine(name);
  const A = { data: definite, rows: order, cols: order };
  const ask = { operation: "eigen", sizes: [order], precision: "float64" };
  const { ours, theirs } = await beside(() => eigh(A), ask, REPEATS);
  board.line(`eigen ${order}, float64, ${name}: our time over NumPy's`, theirs && ours / theirs, {
    atMost: 4,
    detail: times(ours, theirs),
  });
}

// Two threads can be twice as fast only when the machine has two cores to itself.
for (const name of engines.filter((name) => name !== "native")) {
  for (const [precision, Numbers] of Object.entries(precisions)) {
    for (const { label, operation, sizes } of products.slice(1)) {
      const [m, n, k] = sizes;
      const A = filled(Numbers, m * k);
      const B = filled(Numbers, k * n);
      const C = new Numbers(m * n);
      const engine = useEngine(name);
      const transpose = operation !== "product";
      const work = () =>
        engine.gemm(transpose, false, m, n, k, 1, A, transpose ? m : k, B, n, 0, C, n);
      await useThreads(1);
      const one = await medianMs(work, REPEATS);
      await useThreads(2);
      const two = await medianMs(work, REPEATS);
      board.line(`two threads beside one: ${label}, ${precision}, ${name}`, one / two, {
        atLeast: 1.8,
        detail: times(two, one),
      });
    }
  }
}
board.finish();
process.exit();

/** Our median time and the peer's, one right after the other. */
async function beside(work, ask, repeats) {
  const ours = await medianMs(work, repeats);
  const theirs = runPeer("linalg.py", { ...ask, repeats })?.ms ?? null;
  return { ours, theirs, ratio: theirs && theirs / ours };
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

function gigaflops(operations, ms) {
  return ms === null ? "-" : (operations / ms / 1e6).toFixed(1);
}

function times(ours, theirs) {
  return `${ours.toFixed(0)} beside ${theirs === null ? "-" : theirs.toFixed(0)} ms`;
}
