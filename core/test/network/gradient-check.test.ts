import { describe, expect, test } from "vitest";
import type { Activation } from "../../src/network/activation.ts";
import { type Architecture, connect, type LayerSpec } from "../../src/network/architecture.ts";
import type { Batch } from "../../src/network/dense-head.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { keyFromSeed, normals, uniformInteger, uniforms } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { lossAndGradient } from "./naive/loss-and-gradient.ts";

const ROWS = 7;
const INPUTS = 4;
const OPTIONS = { priorVariance: 0.7, totalRows: 50, learnNoise: true };
const NOISE = { key: keyFromSeed(9), step: 3 };

function batchFor({ inputs, link, classes }: Architecture): Batch {
  const next = normals(keyFromSeed(2));
  const X = Float64Array.from({ length: ROWS * inputs }, next);
  const uniform = uniforms(keyFromSeed(3));
  const count = link === "softmax" ? classes! : 2;
  const y = Float64Array.from({ length: ROWS }, () =>
    link === "identity" ? next() : uniformInteger(uniform, count),
  );
  return { X, y, rows: ROWS };
}

/** Compares every entry of the gradient with (L(θ + h) − L(θ − h))/2h. */
function checkGradient(architecture: Architecture): void {
  const layout = layoutOf(architecture);
  const theta = initialParameters(architecture, keyFromSeed(1));
  // Biases and τ² start at round numbers; moving them off makes their slopes visible.
  const next = normals(keyFromSeed(4));
  for (let i = 0; i < theta.length; i++) theta[i] += 0.1 * next();
  const batch = batchFor(architecture);
  const { gradient } = lossAndGradient(layout, theta, batch, OPTIONS, NOISE);
  const h = 1e-5;
  const numeric = theta.map((value, i) => {
    const at = (x: number) => {
      const moved = theta.slice();
      moved[i] = x;
      return lossAndGradient(layout, moved, batch, OPTIONS, NOISE).loss;
    };
    return (at(value + h) - at(value - h)) / (2 * h);
  });
  expect(gradient.some((g) => Math.abs(g) > 0.01)).toBe(true);
  expectClose(gradient, numeric, { rtol: 1e-6, atol: 1e-8 });
}

const small = (layers: readonly LayerSpec[]): Architecture => ({
  inputs: INPUTS,
  layers,
  link: "identity",
});

describe("gradients agree with central differences", () => {
  for (const activation of ["relu", "tanh", "gelu", "sigmoid", "identity"] as Activation[])
    test(`two dense layers with ${activation}`, () => {
      checkGradient(
        small([
          { kind: "dense", units: 5, activation },
          { kind: "dense", units: 3, activation },
        ]),
      );
    });

  test("a masked layer, first and second", () => {
    const pairs = (n: number, m: number) =>
      connect(Array.from({ length: n }, (_, j) => [j, (2 * j) % m] as const).concat([[0, m - 1]]));
    checkGradient(
      small([
        { kind: "masked-dense", units: 5, activation: "tanh", connectivity: pairs(INPUTS, 5) },
        { kind: "masked-dense", units: 3, activation: "gelu", connectivity: pairs(5, 3) },
      ]),
    );
  });

  test("dropout on the inputs and between layers", () => {
    checkGradient(
      small([
        { kind: "dropout", rate: 0.2 },
        { kind: "dense", units: 6, activation: "tanh" },
        { kind: "dropout", rate: 0.5 },
        { kind: "dense", units: 4, activation: "tanh" },
      ]),
    );
  });

  test("no hidden layer at all", () => {
    checkGradient(small([]));
  });

  const IMAGE = { height: 5, width: 4, channels: 2 };
  const picture = (layers: readonly LayerSpec[]): Architecture => ({
    inputs: 40,
    image: IMAGE,
    layers,
    link: "identity",
  });

  test("a convolution, its stride and padding different in both directions", () => {
    checkGradient(
      picture([
        {
          kind: "convolution",
          filters: 3,
          kernel: [3, 2],
          stride: [2, 1],
          padding: [1, 0, 2, 1],
          activation: "tanh",
        },
        { kind: "convolution", filters: 2, kernel: 2, activation: "gelu" },
        { kind: "flatten" },
        { kind: "dense", units: 3, activation: "tanh" },
      ]),
    );
  });

  test("pooling with overlapping windows over an edge", () => {
    for (const kind of ["max-pool", "average-pool"] as const)
      checkGradient(
        picture([
          { kind: "convolution", filters: 3, kernel: 2, activation: "tanh" },
          { kind, kernel: [3, 2], stride: [2, 1], padding: [1, 1, 0, 0] },
          { kind: "flatten" },
          { kind: "dense", units: 3, activation: "tanh" },
        ]),
      );
  });

  test("batch normalisation of channels and of units, with the batch's moments", () => {
    checkGradient(
      picture([
        { kind: "convolution", filters: 3, kernel: 2, activation: "identity" },
        { kind: "batch-normalisation", activation: "tanh" },
        { kind: "flatten" },
        { kind: "dense", units: 3, activation: "tanh" },
        { kind: "batch-normalisation" },
      ]),
    );
  });

  const hidden: LayerSpec[] = [{ kind: "dense", units: 4, activation: "tanh" }];

  test("the logistic link", () => {
    checkGradient({ inputs: INPUTS, layers: hidden, link: "logistic" });
  });

  test("the softmax link", () => {
    checkGradient({ inputs: INPUTS, layers: hidden, link: "softmax", classes: 3 });
  });
});
