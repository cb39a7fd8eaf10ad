// A program of its own, so that its peak resident size is that of the stream and of nothing else.
// Streams a 1,000,000 × 1,000 single-precision table (4 GB) through one 4 MB block, and prints the
// peak, and covariances beside the same from exact integer sums.
import { accumulatedProjection, addRows, rowAccumulator } from "@ratewise/core/effects";

const [n, p, l, blockRows] = [1_000_000, 1_000, 4, 1_000];
const watched = [0, 499, 999];

// Whole numbers 0 … 255: every sum of products below stays under 2^53 and is exact.
const source = new Float32Array(2 * blockRows * p);
let state = 1;
for (let e = 0; e < source.length; e++) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  source[e] = state >>> 24;
}

const accumulator = rowAccumulator({ columns: p, width: l, rows: n });
const X = { data: new Float32Array(blockRows * p), rows: blockRows, cols: p };
const H = { data: new Float64Array(blockRows * l), rows: blockRows, cols: l };
const sumX = watched.map(() => 0);
const sumH = new Array(l).fill(0);
const sumXH = watched.map(() => new Array(l).fill(0));
let bytes = 0;
for (let first = 0; first < n; first += blockRows) {
  const offset = (first * 7919) % (blockRows * p);
  X.data.set(source.subarray(offset, offset + blockRows * p));
  for (let i = 0; i < blockRows; i++) {
    for (let k = 0; k < l; k++) {
      const h = X.data[i * p + watched[k % 3]] + (((first + i) * (k + 1)) % 97);
      H.data[i * l + k] = h;
      sumH[k] += h;
      for (let w = 0; w < watched.length; w++) sumXH[w][k] += X.data[i * p + watched[w]] * h;
    }
    for (let w = 0; w < watched.length; w++) sumX[w] += X.data[i * p + watched[w]];
  }
  addRows(accumulator, first, X, H);
  bytes += X.data.byteLength;
}

const { hidden } = accumulatedProjection(accumulator);
const covariances = watched.flatMap((j) => Array.from(hidden.data.subarray(j * l, (j + 1) * l)));
const exact = watched.flatMap((_, w) =>
  sumH.map((sum, k) => (sumXH[w][k] - (sumX[w] * sum) / n) / (n - 1)),
);
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ bytes, peakBytes, covariances, exact }));
