import { expect, test } from "vitest";
import { rateHiddenUnits } from "../../../src/explain/index.ts";
import { matrix } from "../../../src/linalg/index.ts";
import { pseudoInverse } from "../../../src/linalg/pseudo-inverse.ts";
import {
  type Architecture,
  activations,
  forward,
  type Network,
  outputLayer,
} from "../../../src/network/index.ts";
import { initialParameters } from "../../../src/network/initialise.ts";
import { keyFromSeed, normals } from "../../../src/random/index.ts";
import { expectClose } from "../../support/close.ts";

const N = 50;
const architecture: Architecture = {
  inputs: 6,
  layers: [
    { kind: "dense", units: 4, activation: "tanh" },
    { kind: "dense", units: 3, activation: "tanh" },
  ],
  link: "logistic",
};
const network: Network = {
  kind: "network",
  architecture,
  parameters: Float32Array.from(initialParameters(architecture, keyFromSeed(1))),
};
const X = matrix(N, 6, Float64Array.from({ length: N * 6 }, normals(keyFromSeed(2))));
const y = Float64Array.from({ length: N }, (_, i) => i % 2);

/** Σ(a − ā)(b − b̄)/(n − 1) of column a of A with column b of B. */
function covariance(A: typeof X, a: number, B: typeof X, b: number): number {
  let [sum, meanA, meanB] = [0, 0, 0];
  for (let i = 0; i < N; i++) {
    meanA += A.data[i * A.cols + a] / N;
    meanB += B.data[i * B.cols + b] / N;
  }
  for (let i = 0; i < N; i++)
    sum += (A.data[i * A.cols + a] - meanA) * (B.data[i * B.cols + b] - meanB);
  return sum / (N - 1);
}

test("RATE of the first layer's units is its definition with activations in place of variables", () => {
  const A = activations(network, X, 0);
  const { hidden, mean } = forward(network, X);
  const { variance } = outputLayer(network);
  const units = [0, 1, 2, 3];
  const Omega = matrix(4, 4);
  for (const j of units)
    for (const k of units) {
      for (const h of [0, 1, 2])
        Omega.data[j * 4 + k] +=
          covariance(A, j, hidden, h) * variance[h] * covariance(A, k, hidden, h);
      // τ² Var(x_j)/(n − 1), τ² = π²/3 of a logistic.
      if (j === k) Omega.data[j * 4 + k] += ((Math.PI ** 2 / 3) * covariance(A, j, A, j)) / (N - 1);
    }
  const Lambda = pseudoInverse(Omega);
  const kld = units.map(
    (j) => 0.5 * covariance(A, j, mean, 0) ** 2 * (Lambda.data[j * 5] - 1 / Omega.data[j * 5]),
  );
  const total = kld.reduce((sum, value) => sum + value);
  const [{ variables }] = rateHiddenUnits(network, X, y, { layer: 0 });
  expect(variables.names).toEqual(["unit1", "unit2", "unit3", "unit4"]);
  expectClose(
    variables.rate,
    kld.map((value) => value / total),
    { rtol: 1e-4 },
  );
});

test("the last hidden layer has as many scores as units, a softmax one list a class", () => {
  const softmax: Architecture = { ...architecture, link: "softmax", classes: 3 };
  const parameters = Float32Array.from(initialParameters(softmax, keyFromSeed(1)));
  const results = rateHiddenUnits({ kind: "network", architecture: softmax, parameters }, X, y, {
    layer: 1,
    names: ["a", "b", "c"],
  });
  expect(results.length).toBe(3);
  expect(results[2].variables.names).toEqual(["a", "b", "c"]);
  expect(results[0].variables.rate).not.toEqual(results[1].variables.rate);
});
