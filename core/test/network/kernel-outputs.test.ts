import { expect, test } from "vitest";
import { fit, forward, kernelOutputs } from "../../src/network/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const image = { height: 6, width: 5, channels: 1 };
const next = normals(fold(keyFromSeed(1), "images"));
const rows = 150;
const X = { data: Float32Array.from({ length: rows * 30 }, next), rows, cols: 30 };
const y = Float64Array.from({ length: rows }, (_, i) => i % 3);

test("f of images in the kernels is that of layer after layer, for any number of rows", async () => {
  const { network } = await fit(X, y, {
    key: keyFromSeed(1),
    architecture: {
      inputs: 30,
      image,
      layers: [
        { kind: "convolution", filters: 4, kernel: 3, activation: "relu" },
        { kind: "max-pool", kernel: 2 },
        { kind: "flatten" },
        { kind: "dense", units: 7, activation: "tanh" },
      ],
      link: "softmax",
      classes: 3,
    },
    changes: { epochs: 2, penalties: [0] },
  });
  for (const count of [1, 64, rows]) {
    const some = { data: X.data.slice(0, count * 30), rows: count, cols: 30 };
    const found = await kernelOutputs(network, some);
    const { mean } = forward(network, some);
    expect([found.rows, found.cols]).toEqual([count, 3]);
    expectClose(found.data, mean.data, { rtol: 1e-4, atol: 1e-5 });
    expect(Math.max(...found.data.map(Math.abs))).toBeGreaterThan(0.01);
  }
  expect(() => kernelOutputs({ ...network, parameters: new Float32Array(3) }, X)).toThrow(
    /needs \d+ parameters, got 3/,
  );
});
