import { describe, expect, test } from "vitest";
import { matrix } from "../../src/linalg/index.ts";
import { selectRows } from "../../src/linalg/matrix.ts";
import type { Architecture } from "../../src/network/architecture.ts";
import { constantPart } from "../../src/network/constant-part.ts";
import { fit } from "../../src/network/fit.ts";
import { gain } from "../../src/network/gain.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { fitLinearPart } from "../../src/network/linear-part.ts";
import { responseScale } from "../../src/network/response-scale.ts";
import { meanOneWeights } from "../../src/network/row-weights.ts";
import { meanSquaredResidual, settleVariances } from "../../src/network/settle.ts";
import { meanLoss } from "../../src/network/validation-score.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { naiveTrainer } from "./naive/naive-trainer.ts";

const [n, p] = [80, 3];
const next = normals(fold(keyFromSeed(5), "rows"));
const X = matrix(n, p, Float64Array.from({ length: n * p }, next));
const numbers = Float64Array.from({ length: n }, (_, i) => X.data[i * p] + 0.5 * next() + 2);
const labels = numbers.map((v) => (v > 2.5 ? 2 : v > 1.5 ? 1 : 0));
const counts = Float64Array.from({ length: n }, (_, i) => 1 + ((i * i + (i >> 2)) % 4));
const again = [...counts.keys()].flatMap((i) => Array<number>(counts[i]).fill(i));
const pick = (y: Float64Array) => Float64Array.from(again, (row) => y[row]);
const all = (rows: number) => Uint32Array.from({ length: rows }, (_, i) => i);
const rows = { X: selectRows(X, again), own: all(again.length) };

const layers = [{ kind: "dense" as const, units: 6, activation: "tanh" as const }];
const architectures: Architecture[] = [
  { inputs: p, layers, link: "identity" },
  { inputs: p, layers, link: "softmax", classes: 3 },
];

describe("whole weights are rows repeated", () => {
  test("in the scale of the response, the constant part and the linear part", () => {
    const [identity, softmax] = architectures.map(layoutOf);
    const weighted = responseScale(identity, numbers, all(n), counts);
    const repeated = responseScale(identity, pick(numbers), rows.own);
    expectClose([weighted.centre, weighted.spread], [repeated.centre, repeated.spread], {
      rtol: 1e-12,
    });
    for (const [layout, y] of [
      [identity, numbers],
      [softmax, labels],
    ] as const) {
      const constant = constantPart(p, y, layout, all(n), counts);
      expectClose(constant.bias, constantPart(p, pick(y), layout, rows.own).bias, { rtol: 1e-12 });
      const key = keyFromSeed(1);
      const linear = fitLinearPart(X, y, layout, { rows: all(n), key, weights: counts });
      const expected = fitLinearPart(rows.X, pick(y), layout, { rows: rows.own, key });
      const exact = layout === identity ? { rtol: 1e-9 } : { rtol: 1e-3, atol: 1e-4 };
      expectClose(linear.weights.data, expected.weights.data, exact);
      expectClose(linear.bias, expected.bias, exact);
      expectClose(linear.priorVariance, expected.priorVariance, exact);
      const plain = fitLinearPart(X, y, layout, { rows: all(n), key });
      expect(Math.abs(plain.weights.data[0] - expected.weights.data[0])).toBeGreaterThan(1e-3);
    }
  });

  test("in the settled variances and the mean of squares and losses", () => {
    for (const architecture of architectures) {
      const layout = layoutOf(architecture);
      const parameters = Float32Array.from(initialParameters(architecture, keyFromSeed(2)));
      const network = { kind: "network", architecture, parameters } as const;
      const y = architecture.link === "identity" ? numbers : labels;
      const settle = { rows: null, priorVariance: 0.7, noiseVariance: null };
      const weighted = settleVariances(network, layout, { ...settle, X, weights: counts });
      const repeated = settleVariances(network, layout, { ...settle, X: rows.X });
      expectClose(weighted.parameters, repeated.parameters, { rtol: 1e-6 });
      expect(weighted.parameters).not.toEqual(
        settleVariances(network, layout, { ...settle, X }).parameters,
      );
      const own = meanSquaredResidual(network, { X, y, rows: all(n), weights: counts });
      const expected = meanSquaredResidual(network, { X: rows.X, y: pick(y), rows: rows.own });
      if (architecture.link === "identity") expect(own).toBeCloseTo(expected, 12);
      const f = Float64Array.from({ length: n * layout.outputs }, next);
      const fAgain = Float64Array.from(
        again.flatMap((row) => [...f.subarray(row * layout.outputs, (row + 1) * layout.outputs)]),
      );
      expect(meanLoss(layout, f, y, all(n), counts)).toBeCloseTo(
        meanLoss(layout, fAgain, pick(y), rows.own),
        12,
      );
    }
  });

  test("in a step of training on all rows, but for the prior's share", () => {
    // Without draws of the output both batches have the same f: its variances are all but 0.
    for (const architecture of architectures) {
      const layout = layoutOf(architecture);
      const theta = Float64Array.from(initialParameters(architecture, keyFromSeed(3)));
      theta.fill(-30, layout.logSd, layout.logSd + layout.outputs * layout.hidden);
      const y = architecture.link === "identity" ? numbers : labels;
      const step = (data: Float64Array, own: Float64Array, weights?: Float64Array) => {
        const trainer = naiveTrainer({
          layout,
          X: data,
          y: own,
          ...(weights && { weights }),
          batchSize: own.length,
          learningRate: 1e-3,
          clipNorm: Number.POSITIVE_INFINITY,
          priorVariance: 1,
          totalRows: 1e12,
          learnNoise: true,
          groups: {
            offsets: new Uint32Array(1),
            starts: new Uint32Array(0),
            ends: new Uint32Array(0),
          },
          key: keyFromSeed(4),
        });
        trainer.load(theta, 0);
        const loss = trainer.train(all(own.length)) / own.length;
        return { loss, moved: Float64Array.from(trainer.parameters()).subarray(0, layout.mean) };
      };
      const weighted = step(X.data, y, meanOneWeights("test", counts, n)!);
      const repeated = step(rows.X.data, pick(y));
      expect(weighted.loss).toBeCloseTo(repeated.loss, 6);
      expectClose(weighted.moved, repeated.moved, { rtol: 1e-6, atol: 1e-6 });
      expect(step(X.data, y).loss).not.toBeCloseTo(repeated.loss, 3);
    }
  });
});

test("a gain and its error are those of a weighted mean", () => {
  const [before, after, weights] = [
    Float64Array.of(3, 2, 4, 1),
    Float64Array.of(1, 2.5, 3, 0.5),
    Float64Array.of(2, 1, 0.5, 0.5),
  ];
  // Fallen 2, −½, 1, ½: Σwx = 4.25 over 4.
  const mean = 4.25 / 4;
  const squares =
    (2 * (2 - mean)) ** 2 +
    (-0.5 - mean) ** 2 +
    (0.5 * (1 - mean)) ** 2 +
    (0.5 * (0.5 - mean)) ** 2;
  const found = gain(before, after, { weights });
  expectClose([found.mean, found.error], [mean, Math.sqrt((squares * 4) / 3) / 4], {
    rtol: 1e-12,
  });
  expect(gain(before, after, { weights: new Float64Array(4).fill(1) })).toEqual(
    gain(before, after),
  );
});

describe("a fit with weights", () => {
  const changes = { epochs: 12, penalties: [0] };
  const options = { key: keyFromSeed(6), architecture: architectures[0], changes };

  test("depends on their ratios alone; equal weights are none", async () => {
    const plain = await fit(X, numbers, options);
    const same = await fit(X, numbers, { ...options, weights: new Float64Array(n).fill(3) });
    expect(same.network).toEqual(plain.network);
    const once = await fit(X, numbers, { ...options, weights: counts });
    const eight = await fit(X, numbers, { ...options, weights: counts.map((c) => 8 * c) });
    expect(eight.network).toEqual(once.network);
    expect(eight.tried).toEqual(once.tried);
    expect(once.network).not.toEqual(plain.network);
  });

  test("follows the rows that weigh more, in every link", async () => {
    // Heavy rows know y = x, light ones y = −x.
    const m = 400;
    const draw = normals(fold(keyFromSeed(7), "two kinds"));
    const x = matrix(m, p, Float64Array.from({ length: m * p }, draw));
    const heavy = (i: number) => i % 2 === 0;
    const sign = (i: number) => (heavy(i) ? 1 : -1) * x.data[i * p];
    const weights = Float64Array.from({ length: m }, (_, i) => (heavy(i) ? 50 : 1));
    const links: [Architecture, (i: number) => number][] = [
      [architectures[0], (i) => sign(i) + 0.1 * draw()],
      [{ inputs: p, layers, link: "logistic" }, (i) => Number(sign(i) > 0)],
      [architectures[1], (i) => (sign(i) > 0 ? 2 : 0)],
    ];
    for (const [architecture, of] of links) {
      const y = Float64Array.from({ length: m }, (_, i) => of(i));
      const settings = { key: keyFromSeed(8), architecture, changes };
      const weighted = await fit(x, y, { ...settings, weights });
      const plain = await fit(x, y, settings);
      const variance = 1;
      // Nothing can be learnt of both kinds alike; nearly all of the heavy ones.
      const none = architecture.link === "identity" ? variance : Math.log(2);
      expect(plain.tried[0].loss).toBeGreaterThan(0.9 * none);
      expect(weighted.tried[0].loss).toBeLessThan(0.5 * none);
    }
  });
});
