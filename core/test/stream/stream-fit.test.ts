import { afterAll, describe, expect, test } from "vitest";
import { rSquared } from "../../src/evaluate/index.ts";
import { scratchInMemory } from "../../src/host/byte-source.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { adamState, adamStepInPlace } from "../../src/network/adam.ts";
import { forward, outputLayer } from "../../src/network/index.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { penaltyGroups } from "../../src/network/penalty.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { keyFromSeed } from "../../src/random/index.ts";
import { type BatchStore, batchStore } from "../../src/stream/batch-store.ts";
import { firstLayer } from "../../src/stream/first-layer.ts";
import { type BlockSource, streamFit } from "../../src/stream/index.ts";
import { lossAndGradient } from "../network/naive/loss-and-gradient.ts";
import { shrinkInPlace } from "../network/naive/shrink.ts";
import { expectClose } from "../support/close.ts";
import { bedOf, genotypes, npyOf, numbers } from "./tables.ts";

afterAll(closeWorkers);

const [n, p, units] = [90, 2100, 6];
const batches = [0, 1, 2].map((b) => Uint32Array.from({ length: 30 }, (_, i) => (i * 3 + b) % n));
const counts = genotypes(1, n, p);
const dense = numbers(2, "X", n, p);

/** X standardised over the rows of the first two batches, missing genotypes at 0. */
function standardised(X: Matrix, missingAsMean: Uint8Array | null): Matrix {
  const rows = [...batches[0], ...batches[1]];
  const out = matrix(n, p);
  for (let j = 0; j < p; j++) {
    const seen = rows.filter((i) => !missingAsMean?.[i * p + j]);
    const mean = seen.reduce((sum, i) => sum + X.data[i * p + j] / seen.length, 0);
    const square = seen.reduce((sum, i) => sum + (X.data[i * p + j] - mean) ** 2, 0);
    const scale = square > 0 ? Math.sqrt((rows.length - 1) / square) : 0;
    for (let i = 0; i < n; i++)
      out.data[i * p + j] = missingAsMean?.[i * p + j] ? 0 : (X.data[i * p + j] - mean) * scale;
  }
  return out;
}

/** Which genotypes are missing: where a dosage is no whole number it was filled in. */
function missingOf(bytes: Uint8Array): Uint8Array {
  const stride = Math.ceil(n / 4);
  return Uint8Array.from({ length: n * p }, (_, e) => {
    const [i, j] = [Math.floor(e / p), e % p];
    return ((bytes[3 + j * stride + (i >> 2)] >> (2 * (i & 3))) & 3) === 1 ? 1 : 0;
  });
}

const sources: [string, () => Promise<BlockSource>, Matrix][] = [
  ["genotypes", () => bedOf(counts.bytes, n, p), standardised(counts.X, missingOf(counts.bytes))],
  ["numbers", () => npyOf(dense), standardised(dense, null)],
];

describe.each(sources)("%s", (_, open, X) => {
  const store = async (): Promise<BatchStore> =>
    batchStore(await open(), {
      plan: { blockSize: 500, blocks: 5 },
      batches,
      trained: 2,
      scratch: async (size) => scratchInMemory(size),
    });
  const rowsOf = (b: number) => {
    const data = new Float64Array(30 * p);
    for (const [i, row] of batches[b].entries())
      data.set(X.data.subarray(row * p, (row + 1) * p), i * p);
    return data;
  };
  const start = numbers(3, "theta", 1, (p + 1) * units).data.map((value) => value / 40);

  test("z and its gradient are XW + b and Xᵀδ of the standardised columns", async () => {
    const theta = Float32Array.from(start);
    const layer = firstLayer(await store(), units, theta);
    const slopes = Float32Array.from(numbers(4, "slopes", 30, units).data);
    const [z, gradient] = [await layer.forward(2), await layer.gradient(2, slopes)];
    const rows = rowsOf(2);
    const expectedZ = new Float64Array(30 * units);
    const expectedGradient = new Float64Array(p * units);
    for (let i = 0; i < 30; i++)
      for (let u = 0; u < units; u++) {
        expectedZ[i * units + u] = start[p * units + u];
        for (let j = 0; j < p; j++) {
          expectedZ[i * units + u] += rows[i * p + j] * start[j * units + u];
          expectedGradient[j * units + u] += rows[i * p + j] * slopes[i * units + u];
        }
      }
    expectClose(z, expectedZ, { rtol: 1e-4, atol: 1e-4 });
    expectClose(gradient, expectedGradient, { rtol: 1e-4, atol: 1e-4 });
    layer.close();
  });

  test("steps with the penalty are Adam's and the proximal step's of the whole gradient", async () => {
    const theta = Float32Array.from(start);
    const layer = firstLayer(await store(), units, theta);
    const exact = Float64Array.from(theta);
    const state = adamState(exact.length);
    const layout = layoutOf({
      inputs: p,
      layers: [{ kind: "dense", units, activation: "relu" }],
      link: "logistic",
    });
    const groups = penaltyGroups(layout);
    for (let step = 0; step < 4; step++) {
      const batch = step % 2;
      const slopes = Float32Array.from(numbers(10 + step, "slopes", 30, units).data);
      const rows = rowsOf(batch);
      const gradient = new Float64Array(exact.length);
      for (let i = 0; i < 30; i++)
        for (let u = 0; u < units; u++) {
          const slope = slopes[i * units + u];
          gradient[p * units + u] += slope;
          for (let j = 0; j < p; j++) gradient[j * units + u] += rows[i * p + j] * slope;
        }
      adamStepInPlace(exact, gradient, state, {
        learningRate: 0.01,
        clipNorm: Number.POSITIVE_INFINITY,
      });
      shrinkInPlace(exact, groups, 0.01 * 1.5);
      await layer.forward(batch);
      layer.prefetch(1 - batch);
      await layer.descend(batch, slopes, { learningRate: 0.01, penalty: 1.5 });
    }
    // Adam divides by the root of tiny squares: where a gradient is near zero its rounding shows.
    const off = theta.reduce(
      (count, value, e) => count + Number(Math.abs(value - exact[e]) > 2e-4),
      0,
    );
    expect(off / theta.length).toBeLessThan(1e-3);
    expect(exact.some((value) => value === 0)).toBe(true);
    layer.close();
  });
});

describe("a network trained from two bits a genotype", () => {
  const samples = 400;
  const many = genotypes(7, samples, 300, 0.05);
  const noise = numbers(8, "noise", samples, 1).data;
  const y = noise.map(
    (e, i) => 10 + many.X.data[i * 300 + 3] - many.X.data[i * 300 + 250] + 0.3 * e,
  );
  const options = {
    ...{ key: keyFromSeed(1), plan: { blockSize: 64, blocks: 5 }, hidden: [8, 4], batchSize: 32 },
    ...{ epochs: 30, patience: 30, penalties: [1], learningRate: 5e-3 },
    scratch: async (size: number) => scratchInMemory(size),
  };

  test("finds the variants that matter, and says what it holds of each", async () => {
    const source = await bedOf(many.bytes, samples, 300);
    const got = await streamFit(source, y, options);
    const best = [...got.direct.keys()].sort((a, b) => got.direct[b] - got.direct[a]).slice(0, 2);
    expect(best.sort((a, b) => a - b)).toEqual([3, 250]);
    expect(got.score).toBeLessThan(0.35);
    expect(got.history).toHaveLength(30);
    // The input penalty has shrunk others away entirely.
    const silent = Array.from({ length: 300 }, (_, j) =>
      got.network.parameters.subarray(8 * j, 8 * j + 8),
    ).filter((w) => w.every((v) => v === 0));
    expect(silent.length).toBeGreaterThan(100);
  }, 60_000);

  test("is the network that it gives back: hidden layer, prediction, mean squared gradient", async () => {
    const source = await bedOf(many.bytes, samples, 300);
    const { network, scales, hidden, direct, validationRows, heldOut } = await streamFit(
      source,
      y,
      {
        ...options,
        epochs: 2,
      },
    );
    const X = matrix(samples, 300);
    const stride = Math.ceil(samples / 4);
    for (let e = 0; e < X.data.length; e++) {
      const [i, j] = [Math.floor(e / 300), e % 300];
      const code = (many.bytes[3 + j * stride + (i >> 2)] >> (2 * (i & 3))) & 3;
      X.data[e] = code === 1 ? 0 : (many.X.data[e] - scales.mean[j]) * scales.scale[j];
    }
    const again = forward(network, X);
    expectClose(hidden.data, again.hidden.data, { rtol: 1e-3, atol: 1e-4 });
    const { mean, bias } = outputLayer(network);
    const f = (row: Float64Array) => {
      const H = forward(network, matrix(1, 300, row)).hidden.data;
      return H.reduce((sum, h, k) => sum + h * mean[k], bias);
    };
    const at = (i: number) => f(X.data.slice(i * 300, (i + 1) * 300));
    const predicted = Float64Array.from(validationRows, at);
    const truth = Float64Array.from(validationRows, (i) => y[i]);
    const held = new Set(validationRows);
    const training = Array.from({ length: samples }, (_, i) => i).filter((i) => !held.has(i));
    expect(heldOut).toMatchObject({ metric: "r2", rows: validationRows.length });
    expectClose([heldOut.score], [rSquared(predicted, truth)], { rtol: 1e-3, atol: 1e-4 });
    // The error of a mean of gains, row by row.
    const rows = truth.length;
    const centre = training.reduce((sum, i) => sum + y[i] / training.length, 0);
    const gains = truth.map((t, i) => (centre - t) ** 2 - (predicted[i] - t) ** 2);
    const gain = gains.reduce((sum, g) => sum + g / rows, 0);
    const sd = Math.sqrt(gains.reduce((sum, g) => sum + (g - gain) ** 2, 0) / (rows - 1));
    const middle = truth.reduce((sum, t) => sum + t / rows, 0);
    const variance = truth.reduce((sum, t) => sum + (t - middle) ** 2 / rows, 0);
    expectClose([heldOut.score - heldOut.baseline], [gain / variance], { rtol: 1e-3, atol: 1e-4 });
    expectClose([heldOut.standardError], [sd / Math.sqrt(rows) / variance], { rtol: 1e-3 });
    const alone = truth.map(() => centre);
    expectClose([heldOut.baseline], [rSquared(alone, truth)], { rtol: 1e-6 });
    for (const j of [3, 77]) {
      let sum = 0;
      for (const i of training) {
        const row = X.data.slice(i * 300, (i + 1) * 300);
        const step = 0.01;
        row[j] += step;
        const up = f(row);
        row[j] -= 2 * step;
        sum += ((up - f(row)) / (2 * step)) ** 2 / training.length;
      }
      expectClose([direct[j]], [sum], { rtol: 0.05 });
    }
  }, 60_000);

  test("the same key gives the same bytes; another, others", async () => {
    const source = await bedOf(many.bytes, samples, 300);
    const fitWith = async (seed: number) =>
      (await streamFit(source, y, { ...options, epochs: 2, key: keyFromSeed(seed) })).network
        .parameters;
    const first = await fitWith(1);
    expect(await fitWith(1)).toEqual(first);
    expect(await fitWith(2)).not.toEqual(first);
  }, 60_000);

  test("classes are learnt too, and a response of another length is refused", async () => {
    const source = await bedOf(many.bytes, samples, 300);
    const labels = y.map((value) => (value > 10 ? 1 : 0));
    const { score, history, heldOut, validationRows } = await streamFit(source, labels, {
      ...options,
      link: "logistic",
      epochs: 15,
    });
    expect(score).toBeLessThan(history[0].validationLoss);
    expect(score).toBeLessThan(0.6);
    const ones = validationRows.reduce((sum, i) => sum + labels[i], 0) / validationRows.length;
    expect([ones, 1 - ones].some((share) => Math.abs(share - heldOut.baseline) < 1e-12)).toBe(true);
    expect(heldOut.metric).toBe("accuracy");
    // The monitored loss is that of the rows held back; what is gained, beside the training rows' shares.
    const share = labels.filter((_, i) => !validationRows.includes(i)).reduce((a, b) => a + b, 0);
    const rate = share / (labels.length - validationRows.length);
    const alone = -ones * Math.log(rate) - (1 - ones) * Math.log(1 - rate);
    expectClose([heldOut.gain.value], [alone - score], { rtol: 1e-3 });
    expect(heldOut.gain.value).toBeGreaterThan(2 * heldOut.gain.standardError);
    expect(heldOut.score).toBeGreaterThan(heldOut.baseline + 0.1);
    await expect(streamFit(source, y.slice(1), options)).rejects.toThrow(
      "400 responses, one per row, got 399",
    );
  }, 60_000);
});

test("a number that is none is named also where it stands in a row that is held back", async () => {
  const X = numbers(4, "X", 40, 12);
  const y = numbers(5, "y", 40, 1).data;
  const options = {
    ...{ key: keyFromSeed(1), plan: { blockSize: 5, blocks: 3 }, hidden: [2], epochs: 1 },
    scratch: async (size: number) => scratchInMemory(size),
  };
  const { validationRows } = await streamFit(await npyOf(X), y, options);
  X.data[validationRows[3] * 12 + 7] = Number.NaN;
  await expect(streamFit(await npyOf(X), y, options)).rejects.toThrow(
    `x.npy: block 2 of 3 (columns 5 … 9) is damaged or cannot be used: needs finite numbers, got NaN or infinity in row ${validationRows[3]}, column 7, counted from 0`,
  );
});

test("slopes of the loss in the inputs are its derivatives", () => {
  const layout = layoutOf({
    inputs: 3,
    layers: [{ kind: "dense", units: 4, activation: "tanh" }],
    link: "identity",
  });
  const theta = numbers(1, "theta", 1, layout.size).data;
  const X = numbers(2, "x", 5, 3).data;
  const y = numbers(3, "y", 5, 1).data;
  const options = { priorVariance: 1, totalRows: 50, learnNoise: true };
  const at = (input: Float64Array) =>
    lossAndGradient(layout, theta, { X: input, y, rows: 5 }, options, {
      key: keyFromSeed(1),
      step: 2,
    });
  const { slopes } = at(X);
  const expected = X.map((_, e) => {
    const shifted = (by: number) => X.map((value, k) => (k === e ? value + by : value));
    return (at(shifted(1e-5)).loss - at(shifted(-1e-5)).loss) / 2e-5;
  });
  expectClose(slopes, expected, { rtol: 1e-6, atol: 1e-8 });
});
