import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Matrix, matrix } from "@ratewise/core";
import { readNpy } from "@ratewise/core/data";
import { describe, expect, test } from "vitest";
import { activations } from "../src/activations.ts";
import { explainNetwork } from "../src/explain.ts";
import { openNetwork } from "../src/network.ts";
import { networkSaliency } from "../src/saliency.ts";
import { rateByHand } from "./support/by-hand.ts";
import { normalNumbers } from "./support/numbers.ts";

const folder = process.env.RATEWISE_REFERENCES;
if (!folder) throw new Error("set RATEWISE_REFERENCES to the folder of reference answers");

function array(network: string, name: string): Matrix {
  const bytes = readFileSync(join(folder!, "networks", network, `${name}.npy`));
  const { data, shape } = readNpy(bytes);
  return matrix(shape[0], shape[1], Float64Array.from(data as Float64Array));
}

const open = (network: string) => {
  const path = join(folder!, "networks", network, "model.onnx");
  return openNetwork(readFileSync(path), { where: path });
};

function largestDifference(a: Matrix, b: Matrix): number {
  expect([a.rows, a.cols]).toEqual([b.rows, b.cols]);
  return a.data.reduce((most, value, e) => Math.max(most, Math.abs(value - b.data[e])), 0);
}

const largest = ({ data }: Matrix) => data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
const first = (A: Matrix, rows: number) => matrix(rows, A.cols, A.data.slice(0, rows * A.cols));

describe.each([
  ["mlp-regression", "identity", "y", 16],
  ["mlp-sigmoid", "logistic", "logits", 16],
  ["cnn-mnist-01", "identity", "y", 64],
] as const)("%s from its ONNX file alone", (name, link, logits, units) => {
  test("the last layer is found, and f and the hidden layer are PyTorch's to 1e-4", async () => {
    const network = await open(name);
    expect(network.detected.link).toBe(link);
    expect(network.detected.lastLayer?.weights.cols).toBe(units);
    const X = array(name, "x");
    const { hidden, functions, by } = await activations(network, X);
    expect(by).toBe(name === "cnn-mnist-01" ? "kernels" : "onnxruntime-web");
    expect(largestDifference(hidden, array(name, "hidden"))).toBeLessThan(1e-4);
    expect(largestDifference(functions, array(name, logits))).toBeLessThan(1e-4);
  });

  test.each(["gradient", "gradient-x-input", "integrated-gradients"] as const)(
    "%s is PyTorch's to 1e-4 of the largest entry",
    async (method) => {
      const network = await open(name);
      const expected = array(name, method);
      const X = first(array(name, "x"), expected.rows);
      const found = await networkSaliency(network, X, { method });
      expect(largestDifference(found, expected)).toBeLessThan(1e-4 * largest(expected));
    },
  );
});

test("relevance of the regression network is that of the reference", async () => {
  const expected = array("mlp-regression", "lrp-epsilon-1e-4");
  const X = first(array("mlp-regression", "x"), expected.rows);
  const found = await networkSaliency(await open("mlp-regression"), X, { method: "lrp" });
  expect(largestDifference(found, expected)).toBeLessThan(1e-4 * largest(expected));
});

test.each(["fixed", "integrated"] as const)(
  "RATE of the refitted regression network is that by hand from the reference's hidden layer, bias %s",
  async (bias) => {
    const network = await open("mlp-regression");
    const X = array("mlp-regression", "x");
    const noise = normalNumbers(X.rows, 5, 0.3);
    const values = array("mlp-regression", "y").data.map((f, i) => f + noise[i]);
    const document = await explainNetwork(network, X, { target: values, bias });
    const { priorPrecision, noiseVariance } = document.model.refit;
    const byHand = rateByHand(X, array("mlp-regression", "hidden"), values, {
      priorPrecision,
      noiseVariance: noiseVariance!,
      ...(bias === "fixed" && { bias: network.detected.lastLayer!.bias[0] }),
    });
    const found = Float64Array.from(document.variables, ({ rate }) => rate!);
    expect(largestDifference(matrix(1, 20, found), matrix(1, 20, byHand))).toBeLessThan(1e-6);
  },
);
