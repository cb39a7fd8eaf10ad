import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readNpy } from "../../src/data/index.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import {
  type Architecture,
  forward,
  type Network,
  type SaliencyMethod,
  saliency,
} from "../../src/network/index.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { expectClose } from "../support/close.ts";
import { onnxWeights, type Tensor } from "../support/onnx-weights.ts";

const home = process.env.RATEWISE_REFERENCES;
if (!home)
  throw new Error("RATEWISE_REFERENCES is not set: name the folder that holds networks/ in it");

const folder = (name: string, file: string) => join(home, "networks", name, file);

function numbers(name: string, file: string): Matrix {
  const { data, shape } = readNpy(readFileSync(folder(name, `${file}.npy`)));
  return matrix(shape[0], shape[1], Float64Array.from(data as Float64Array));
}

/** Our parameters from PyTorch's tensors: weights transposed, and images with their channels last. */
function network(name: string, architecture: Architecture): Network {
  const tensors = onnxWeights(readFileSync(folder(name, "model.onnx")));
  const layout = layoutOf(architecture);
  const parameters = new Float32Array(layout.size);
  const next = () => tensors.shift() as Tensor;
  let image: { places: number; channels: number } | null = null;
  for (const stage of layout.stages) {
    if (stage.kind === "flatten") continue;
    const W = next();
    const [units] = W.shape;
    const size = W.data.length / units;
    if (stage.kind === "convolution") {
      // units × channels × kernel, to (kernel, channel)×units.
      const cells = stage.window.kernelHeight * stage.window.kernelWidth;
      for (let u = 0; u < units; u++)
        for (let q = 0; q < size; q++) {
          const row = (q % cells) * stage.window.channels + Math.floor(q / cells);
          parameters[stage.weights + row * units + u] = W.data[u * size + q];
        }
      image = { places: stage.units / units, channels: units };
    } else if (stage.kind === "dense") {
      for (let u = 0; u < units; u++)
        for (let q = 0; q < size; q++) {
          const row: number = image
            ? (q % image.places) * image.channels + Math.floor(q / image.places)
            : q;
          parameters[stage.weights + row * units + u] = W.data[u * size + q];
        }
      image = null;
    } else throw new Error(`no tensor is read for ${stage.kind}`);
    parameters.set(next().data, stage.bias);
  }
  parameters.set(next().data, layout.mean);
  parameters.set(next().data, layout.bias);
  expect(tensors.length).toBe(0);
  return { kind: "network", architecture, parameters };
}

const dense = (units: number) => ({ kind: "dense", units, activation: "relu" }) as const;
const networks = {
  "mlp-regression": network("mlp-regression", {
    inputs: 20,
    layers: [dense(32), dense(16)],
    link: "identity",
  }),
  "mlp-sigmoid": network("mlp-sigmoid", {
    inputs: 20,
    layers: [dense(32), dense(16)],
    link: "logistic",
  }),
  "cnn-mnist-01": network("cnn-mnist-01", {
    inputs: 324,
    image: { height: 18, width: 18, channels: 1 },
    layers: [
      { kind: "convolution", filters: 32, kernel: 5, activation: "relu" },
      { kind: "flatten" },
      dense(64),
    ],
    link: "logistic",
  }),
};

/** Within `tolerance` of the largest entry. */
function expectNear(actual: Matrix, expected: Matrix, tolerance: number): void {
  const largest = expected.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  expectClose(actual.data, expected.data, { rtol: 0, atol: tolerance * largest });
}

/** The first rows: 512 steps of a convolution in both precisions take half a second a row. */
const top = ({ data, cols }: Matrix, rows: number) =>
  matrix(rows, cols, data.slice(0, rows * cols));

for (const [name, net] of Object.entries(networks)) {
  const X = numbers(name, "x");
  const convolutional = net.architecture.image !== undefined;

  describe(`PyTorch's ${name}`, () => {
    test("has its hidden activations and its outputs", () => {
      const { hidden, mean } = forward(net, X);
      expectNear(hidden, numbers(name, "hidden"), 1e-4);
      expectNear(mean, numbers(name, name === "mlp-sigmoid" ? "logits" : "y"), 1e-4);
    });

    const methods: (readonly [SaliencyMethod, string])[] = [
      ["gradient", "gradient"],
      ["gradient-x-input", "gradient-x-input"],
      ["integrated-gradients", "integrated-gradients"],
      ...(name === "mlp-regression" ? ([["lrp", "lrp-epsilon-1e-4"]] as const) : []),
    ];
    for (const [method, file] of methods)
      test(`has its ${method} in both precisions`, async () => {
        const rows = convolutional && method === "integrated-gradients" ? 20 : 200;
        const expected = top(numbers(name, file), rows);
        const own = (precision: "single" | "double") =>
          saliency([net], top(X, rows), { method, precision });
        expectNear(await own("double"), expected, 1e-9);
        expectNear(await own("single"), expected, 1e-4);
      }, 120_000);
  });
}
