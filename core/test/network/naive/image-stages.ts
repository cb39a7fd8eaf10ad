import { activate, activationSlope } from "../../../src/network/activation.ts";
import { eachCell } from "../../../src/network/image.ts";
import type { ConvolutionStage, PoolStage } from "../../../src/network/layout.ts";

/** z = x ∗ W + b before the activation, and after it. */
export function convolutionForward(
  { window, filters, activation, inputs, units, weights, bias }: ConvolutionStage,
  theta: Float64Array,
  input: Float64Array,
  rows: number,
): { before: Float64Array; output: Float64Array } {
  const before = Float64Array.from({ length: rows * units }, (_, u) => theta[bias + (u % filters)]);
  for (let i = 0; i < rows; i++)
    eachCell(window, (place, cell, c, column) => {
      const row = weights + (cell * window.channels + c) * filters;
      for (let f = 0; f < filters; f++)
        before[i * units + place * filters + f] += input[i * inputs + column] * theta[row + f];
    });
  return { before, output: before.map((z) => activate(activation, z)) };
}

/** Adds dL/dθ to `gradient` and returns dL/dinput. */
export function convolutionBackward(
  { window, filters, activation, inputs, units, weights, bias }: ConvolutionStage,
  theta: Float64Array,
  { input, before, output }: Readonly<Record<"input" | "before" | "output", Float64Array>>,
  rows: number,
  dOutput: Float64Array,
  gradient: Float64Array,
): Float64Array {
  const dBefore = dOutput.map((d, i) => d * activationSlope(activation, before[i], output[i]));
  dBefore.forEach((d, u) => {
    gradient[bias + (u % filters)] += d;
  });
  const dInput = new Float64Array(rows * inputs);
  for (let i = 0; i < rows; i++)
    eachCell(window, (place, cell, c, column) => {
      const row = weights + (cell * window.channels + c) * filters;
      for (let f = 0; f < filters; f++) {
        const d = dBefore[i * units + place * filters + f];
        gradient[row + f] += input[i * inputs + column] * d;
        dInput[i * inputs + column] += theta[row + f] * d;
      }
    });
  return dInput;
}

/**
 * The pooled values, with what the way back needs in `before`: the column of each maximum (the first
 * of equals), or the number of cells under each window.
 */
export function poolForward(
  { kind, window, inputs, units }: PoolStage,
  input: Float64Array,
  rows: number,
): { before: Float64Array; output: Float64Array } {
  const { channels } = window;
  const output = new Float64Array(rows * units);
  const counts = new Float64Array(units);
  eachCell(window, (place, _cell, c) => {
    counts[place * channels + c]++;
  });
  const before = new Float64Array(rows * units).fill(-1);
  for (let i = 0; i < rows; i++)
    eachCell(window, (place, _cell, c, column) => {
      const u = i * units + place * channels + c;
      const x = input[i * inputs + column];
      if (kind === "average-pool") output[u] += x / counts[place * channels + c];
      else if (before[u] < 0 || x > output[u]) {
        output[u] = x;
        before[u] = column;
      }
    });
  return { before: kind === "average-pool" ? counts : before, output };
}

export function poolBackward(
  { kind, window, inputs, units }: PoolStage,
  before: Float64Array,
  rows: number,
  dOutput: Float64Array,
): Float64Array {
  const dInput = new Float64Array(rows * inputs);
  for (let i = 0; i < rows; i++) {
    if (kind === "max-pool") {
      for (let u = 0; u < units; u++)
        dInput[i * inputs + before[i * units + u]] += dOutput[i * units + u];
      continue;
    }
    eachCell(window, (place, _cell, c, column) => {
      const u = place * window.channels + c;
      dInput[i * inputs + column] += dOutput[i * units + u] / before[u];
    });
  }
  return dInput;
}
