import { describe, expect, test } from "vitest";
import type { Architecture } from "../../src/network/architecture.ts";
import { fit } from "../../src/network/fit.ts";
import { kernelTrainer } from "../../src/network/kernel-trainer.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { penaltyGroups } from "../../src/network/penalty.ts";
import type { Trainer, TrainerSetup } from "../../src/network/trainer.ts";
import { weightAverage } from "../../src/network/weight-average.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { naiveTrainer } from "./naive/naive-trainer.ts";

const architecture: Architecture = {
  inputs: 4,
  layers: [{ kind: "dense", units: 3, activation: "relu" }],
  link: "logistic",
};
const layout = layoutOf(architecture);
const N = 96;

function setup(): TrainerSetup {
  const next = normals(keyFromSeed(2));
  const X = Float32Array.from({ length: N * 4 }, next);
  return {
    layout,
    X,
    y: Float32Array.from({ length: N }, (_, i) => (X[4 * i] + next() > 0 ? 1 : 0)),
    batchSize: 2,
    learningRate: 0.01,
    clipNorm: Number.POSITIVE_INFINITY,
    priorVariance: 1,
    totalRows: N,
    learnNoise: false,
    groups: penaltyGroups(layout),
    key: keyFromSeed(7),
  };
}

function weights(seed: number): Float32Array {
  return Float32Array.from({ length: layout.size }, normals(keyFromSeed(seed)));
}

describe.each([
  ["naive", naiveTrainer],
  ["kernel", kernelTrainer],
])("the %s trainer", (_, make) => {
  test("blends its weights into an average, and speaks of it after an exchange", () => {
    const trainer = make(setup());
    const [a, b] = [weights(1), weights(2)];
    const rows = Uint32Array.from({ length: N }, (_, i) => i);
    trainer.load(a, 0);
    trainer.blend(1);
    trainer.load(b, 0);
    trainer.blend(0.25);
    const own = trainer.predict(rows);
    trainer.exchange();
    const expected = a.map((value, k) => 0.75 * value + 0.25 * b[k]);
    expectClose(trainer.parameters(), expected, { rtol: 1e-6, atol: 1e-6 });
    const averaged = trainer.predict(rows);
    trainer.exchange();
    expect(trainer.parameters()).toEqual(make === kernelTrainer ? b : Float64Array.from(b));
    expect(trainer.predict(rows)).toEqual(own);
    trainer.load(expected, 0);
    expectClose(trainer.predict(rows), averaged, { rtol: 1e-5, atol: 1e-6 });
    trainer.dispose();
  });
});

test("older weights fade by 1/e in the span, without bias from the start", () => {
  const seen = [3, -1, 4, 10];
  let average = Number.NaN;
  let now = 0;
  const blend = (weight: number) => {
    average = weight === 1 ? now : average + weight * (now - average);
  };
  const memory = weightAverage({ blend } as unknown as Trainer, 20);
  for (const value of seen) {
    now = value;
    memory.add(10, false); // too few steps for a blend
    memory.add(10, false);
  }
  const fading = seen.map((_, k) => Math.exp(-(seen.length - 1 - k)));
  const expected =
    seen.reduce((sum, value, k) => sum + fading[k] * value, 0) / fading.reduce((a, b) => a + b);
  expect(average).toBeCloseTo(expected, 12);
});

test("fit returns and scores the average of an epoch's weights, not the last of them", async () => {
  const { X, y } = setup();
  const blends: number[] = [];
  const kept: Float64Array[] = [];
  const watching = (given: TrainerSetup): Trainer => {
    const inner = naiveTrainer(given);
    const blend = (weight: number) => {
      blends.push(weight);
      kept.push(Float64Array.from(inner.parameters()));
      inner.blend(weight);
    };
    return { ...inner, blend };
  };
  const { network } = await fit({ data: X, rows: N, cols: 4 }, y, {
    key: keyFromSeed(5),
    architecture,
    trainer: watching,
    changes: {
      epochs: 1,
      penalties: [0],
      batchSize: 2,
      leastSteps: 1,
      settle: false,
      trainAgain: false,
      linear: false,
      foldedRows: 0,
    },
  });
  expect(blends.length).toBe(3); // 34 batches: after 16, after 32, at the end
  const expected = new Float64Array(layout.size);
  blends.forEach((weight, b) => {
    kept[b].forEach((value, k) => {
      expected[k] += weight * (value - expected[k]);
    });
  });
  expectClose(network.parameters, expected, { rtol: 1e-6, atol: 1e-6 });
  const last = kept[2];
  expect(Math.max(...expected.map((value, k) => Math.abs(value - last[k])))).toBeGreaterThan(1e-3);
});
