// Trains a network of images for one epoch and prints the most memory that this process had, in MB.
import { keyFromSeed, useThreads } from "@ratewise/core";
import { fit } from "@ratewise/core/network";
import { normalInto } from "@ratewise/core/random";

const rows = 60_000;
const image = { height: 28, width: 28, channels: 1 };
const inputs = image.height * image.width;
await useThreads(1);
const X = { data: new Float32Array(rows * inputs), rows, cols: inputs };
normalInto(X.data, keyFromSeed(1));
const y = Float64Array.from({ length: rows }, (_, i) => i % 2);
await fit(X, y, {
  key: keyFromSeed(1),
  architecture: {
    inputs,
    image,
    layers: [
      { kind: "convolution", filters: 32, kernel: 5, activation: "relu" },
      { kind: "flatten" },
      { kind: "dense", units: 256, activation: "relu" },
      { kind: "dense", units: 128, activation: "relu" },
    ],
    link: "logistic",
  },
  changes: { epochs: 1, penalties: [0] },
});
process.stdout.write(`${(process.resourceUsage().maxRSS / 1024).toFixed(0)}\n`);
