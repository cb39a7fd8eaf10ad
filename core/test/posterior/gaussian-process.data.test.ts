import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fromRows, matrix, multiply, multiplyTranspose } from "../../src/linalg/index.ts";
import { fitGaussianProcess, predictProcess, processWeights } from "../../src/posterior/index.ts";
import { expectClose } from "../support/close.ts";

const folder = process.env.RATEWISE_REFERENCES;
if (!folder)
  throw new Error("RATEWISE_REFERENCES is not set: it names the folder that holds baselines.json");
const { gp } = JSON.parse(readFileSync(join(folder, "baselines.json"), "utf8"));

test("a Gaussian process has scikit-learn's posterior mean and covariance to 1e-8", async () => {
  const X = fromRows(gp.X);
  const fitted = await fitGaussianProcess(X, Float64Array.from(gp.y), {
    kernel: {
      kind: "rbf",
      signalVariance: gp.signal_variance,
      lengthScale: gp.length_scale,
    },
    noiseVariance: gp.noise_variance,
    optimise: false,
  });
  const { hidden, weights } = processWeights(fitted);
  const r = hidden.cols;
  const covariance: number[] = gp.covariance.flat();
  expectClose(multiply(hidden, matrix(r, 1, weights.mean)).data, gp.mean, { atol: 1e-8 });
  const scaled = matrix(
    X.rows,
    r,
    hidden.data.map((v, e) => v * weights.covariance[e % r]),
  );
  expectClose(multiplyTranspose(scaled, hidden).data, covariance, { atol: 1e-8 });
  const { mean, variance } = predictProcess(fitted, X);
  expectClose(mean, gp.mean, { atol: 1e-8 });
  expectClose(
    variance,
    variance.map((_, i) => covariance[i * (X.rows + 1)]),
    { atol: 1e-8 },
  );
  expect(Math.max(...variance)).toBeGreaterThan(0.01);
});
