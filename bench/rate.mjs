import { engine, fold, keyFromSeed, matrix, rate, useEngine, version } from "@ratewise/core";
import {
  cholesky,
  choleskyInverse,
  choleskySolveVector,
  multiply,
  outerGram,
  qr,
  transposeMultiplyVector,
  tryCholesky,
} from "@ratewise/core/linalg";
import { normalInto } from "@ratewise/core/random";
import { medianMs, scoreboard } from "./peer.mjs";

if (process.argv[2]) useEngine(process.argv[2]);
const board = scoreboard("RATE in closed form", { ratewise: version, engine: engine().name });
const key = keyFromSeed(1);

/** A posterior with Ω of full rank, from a p×p triangular factor: how a dense covariance arrives. */
function denseEffects(p) {
  const draws = matrix(p, 2 * p);
  normalInto(draws.data, fold(key, "dense", p));
  const mean = new Float64Array(p);
  normalInto(mean, fold(key, "mean", p));
  return { names: Array.from(mean, String), mean, factor: cholesky(outerGram(draws)), noise: null };
}

function lowRankEffects(p, l) {
  const factor = matrix(p, l);
  normalInto(factor.data, fold(key, "factor", p));
  const mean = new Float64Array(p);
  normalInto(mean, fold(key, "mean", p));
  return { names: new Array(p).fill("x"), mean, factor, noise: new Float64Array(p).fill(10) };
}

/** x with A x = b in the sense of least squares, as the published code solves it: by QR. */
function leastSquares(A, b) {
  const { Q, R } = qr(A);
  const x = transposeMultiplyVector(Q, b);
  const n = x.length;
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= R.data[i * n + k] * x[k];
    x[i] /= R.data[i * n + i];
  }
  return x;
}

const byCholesky = (A, b) => choleskySolveVector(tryCholesky(A).value, b);

/** δ_j = λ₋ⱼᵀ Λ₋ⱼ⁻¹ λ₋ⱼ with a solve of size p − 1 for each j. */
function definition(precision, solve) {
  const { data, rows: p } = precision;
  return Float64Array.from({ length: p }, (_, j) => {
    const rest = matrix(p - 1, p - 1);
    const column = new Float64Array(p - 1);
    for (let i = 0; i < p - 1; i++) {
      const from = (i < j ? i : i + 1) * p;
      rest.data.set(data.subarray(from, from + j), i * (p - 1));
      rest.data.set(data.subarray(from + j + 1, from + p), i * (p - 1) + j);
      column[i] = data[from + j];
    }
    const solved = solve(rest, column);
    return solved.reduce((sum, value, i) => sum + value * column[i], 0);
  });
}

/**
 * The same with Λ₋ⱼ⁻¹ from Ω by a low-rank update: with x_j column j of Λ and zero at j,
 * δ_j = x_jᵀΩx_j − (Ωx_j)_j²/Ω_jj. All products at once, so that the engine is as fast as it can be.
 */
function lowRankUpdate(covariance, precision) {
  const { data, rows: p } = covariance;
  const columns = matrix(p, p, precision.data.slice());
  for (let j = 0; j < p; j++) columns.data[j * p + j] = 0;
  const updated = multiply(covariance, columns);
  return Float64Array.from({ length: p }, (_, j) => {
    let inner = 0;
    for (let i = 0; i < p; i++) inner += updated.data[i * p + j] * columns.data[i * p + j];
    return inner - updated.data[j * p + j] ** 2 / data[j * p + j];
  });
}

const shares = (delta, mean) => {
  const kld = delta.map((value, j) => value * mean[j] ** 2);
  const total = kld.reduce((sum, value) => sum + value, 0);
  return kld.map((value) => value / total);
};
const disagreement = (x, y) => Math.max(...x.map((value, j) => Math.abs(value / y[j] - 1)));

const p = 600;
const effects = denseEffects(p);
const covariance = outerGram(effects.factor);
let closed;
const closedMs = await medianMs(() => {
  closed = rate(effects).variables.rate;
});
let updated;
const updateMs = await medianMs(() => {
  const precision = choleskyInverse(tryCholesky(covariance).value);
  updated = shares(lowRankUpdate(covariance, precision), effects.mean);
}, 3);
const ms = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const precision = choleskyInverse(effects.factor);
let solved;
for (const [how, solve] of [
  ["least-squares solves", leastSquares],
  ["Cholesky solves", byCholesky],
]) {
  const start = performance.now();
  solved = shares(definition(precision, solve), effects.mean);
  const solvesMs = performance.now() - start;
  board.line(`p = ${p}: ${p} ${how} of size ${p - 1}, O(p⁴), over ours`, solvesMs / closedMs, {
    atLeast: 10,
    detail: `${ms(solvesMs)} / ${ms(closedMs)}`,
  });
  board.line(`  largest relative difference of a RATE`, disagreement(closed, solved), {
    atMost: 1e-9,
  });
}
board.line(`p = ${p}: low-rank updates, O(p³), over ours`, updateMs / closedMs, {
  atLeast: 1,
  detail: `${ms(updateMs)} / ${ms(closedMs)}`,
});
board.line("  largest relative difference of a RATE", disagreement(updated, solved), {
  atMost: 1e-9,
});

let previous = null;
for (const size of [10_000, 100_000, 1_000_000]) {
  const tall = lowRankEffects(size, 16);
  const time = await medianMs(() => rate(tall), 3);
  const memory = process.memoryUsage().rss / 2 ** 20;
  const detail = `${ms(time)}, resident ${memory.toFixed(0)} MiB`;
  if (previous)
    board.line(`p = ${size}, l = 16, over p = ${size / 10}`, time / previous, {
      atMost: 15,
      detail,
    });
  else board.line(`p = ${size}, l = 16, in µs a variable`, (1000 * time) / size, { detail });
  previous = time;
}
board.finish();
