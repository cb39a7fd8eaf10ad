import { expect, test } from "vitest";
import { matrix } from "../../src/linalg/index.ts";
import type { Architecture } from "../../src/network/architecture.ts";
import { type FitOptions, fit } from "../../src/network/fit.ts";
import { kernelTrainer } from "../../src/network/kernel-trainer.ts";
import type { Recipe } from "../../src/network/recipe.ts";
import type { Trainer, TrainerSetup } from "../../src/network/trainer.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { naiveTrainer } from "./naive/naive-trainer.ts";

const N = 200;
const next = normals(keyFromSeed(1));
const X = matrix(N, 5);
for (let i = 0; i < X.data.length; i++) X.data[i] = next();
const y = Float64Array.from({ length: N }, (_, i) => X.data[5 * i] + 0.5 * next());
const architecture: Architecture = {
  inputs: 5,
  layers: [{ kind: "dense", units: 6, activation: "relu" }],
  link: "identity",
};
const changes: Partial<Recipe> = {
  epochs: 30,
  batchSize: 20,
  leastSteps: 1,
  penalties: [0, 1, 8],
  linear: false,
  foldedRows: 0,
};
const options: FitOptions = { key: keyFromSeed(3), architecture, changes };

interface Load {
  readonly parameters: Float64Array;
  readonly penalty: number;
  readonly totalRows: number;
  /** Rows of each call of `train`. */
  readonly trained: Uint32Array[];
}

/** Fits with a trainer that writes down what it is asked to do. */
async function watched(more: Partial<Recipe> = {}) {
  const loads: Load[] = [];
  const trainer = (setup: TrainerSetup): Trainer => {
    const inner = naiveTrainer(setup);
    return {
      ...inner,
      load(parameters, penalty, totalRows = setup.totalRows) {
        const copy = Float64Array.from(parameters);
        loads.push({ parameters: copy, penalty, totalRows, trained: [] });
        inner.load(parameters, penalty, totalRows);
      },
      train(order) {
        loads.at(-1)!.trained.push(order.slice());
        return inner.train(order);
      },
    };
  };
  const result = await fit(X, y, { ...options, changes: { ...changes, ...more }, trainer });
  return { ...result, loads };
}

test("after the path, the chosen penalty is trained again on all rows, from where it began", async () => {
  const { loads, penalty, history, validationRows } = await watched();
  expect(loads.length).toBe(4);
  const again = loads[3];
  const chosen = loads.findIndex((load) => load.penalty === penalty);
  expect(again.penalty).toBe(penalty);
  expect(again.parameters).toEqual(loads[chosen].parameters);
  expect([loads[0].totalRows, again.totalRows]).toEqual([N - validationRows.length, N]);

  const held = new Set(validationRows);
  for (const { trained } of loads.slice(0, 3))
    for (const rows of trained) expect(rows.some((row) => held.has(row))).toBe(false);
  const rows = again.trained.flatMap((some) => [...some]);
  const epochs = rows.length / N;
  expect(Number.isInteger(epochs)).toBe(true);
  for (let epoch = 0; epoch < epochs; epoch++)
    expect(new Set(rows.slice(epoch * N, (epoch + 1) * N)).size).toBe(N);
  // About as many steps as to the best epoch: 140 rows an epoch then, 200 now.
  const losses = history.filter((record) => record.penalty === penalty);
  const best = losses.findIndex(
    ({ validationLoss }) => validationLoss === Math.min(...losses.map((l) => l.validationLoss)),
  );
  expect(epochs).toBe(Math.max(1, Math.round(((best + 1) * 140) / N)));
});

test("without it, or without rows held back, the path's own weights are returned", async () => {
  expect((await watched({ trainAgain: false })).loads.length).toBe(3);
  const none = await watched({ validationFraction: 0, monitor: "training" });
  expect(none.loads.length).toBe(3);
});

test("the network of the path is kept beside it, as it is without training again", async () => {
  const [twice, once] = [await watched(), await watched({ trainAgain: false })];
  expect(twice.pathNetwork).toEqual(once.network);
  expect(twice.network).not.toEqual(once.network);
  expect(once.pathNetwork).toBe(once.network);
});

test("the noise is what rows held back showed before they were trained on", async () => {
  const noise = ({ network }: { network: { parameters: Float32Array } }) => {
    const { parameters } = network;
    return parameters[parameters.length - 1];
  };
  const [once, twice] = [await watched({ trainAgain: false }), await watched()];
  expect(noise(twice)).toBe(noise(once));
});

test("the kernel makes the same steps after a load with another number of rows", () => {
  const setups: TrainerSetup[] = [];
  const take = (setup: TrainerSetup): Trainer => {
    setups.push(setup);
    return naiveTrainer(setup);
  };
  return fit(X, y, { ...options, changes: { ...changes, epochs: 1 }, trainer: take }).then(() => {
    const trainers = [naiveTrainer(setups[0]), kernelTrainer(setups[0])];
    const order = Uint32Array.from({ length: N }, (_, i) => i);
    const start = naiveTrainer(setups[0])
      .parameters()
      .map((_, k) => 0.1 * Math.sin(k));
    const ends = trainers.map((trainer) => {
      trainer.load(start, 0, 3);
      trainer.train(order);
      const few = trainer.parameters();
      trainer.load(start, 0);
      trainer.train(order);
      const all = trainer.parameters();
      trainer.dispose();
      return { few, all };
    });
    expectClose(ends[1].few, ends[0].few, { rtol: 1e-3, atol: 1e-4 });
    const moved = ends.map(({ few, all }) =>
      Math.max(...Array.from(few, (value, k) => Math.abs(value - all[k]))),
    );
    for (const most of moved) expect(most).toBeGreaterThan(1e-3);
  });
});
