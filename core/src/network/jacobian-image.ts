import { engine } from "../compute/index.ts";
import { predictionScale } from "./batch-normalisation.ts";
import { cellsUnder } from "./block-image.ts";
import { eachCell, patchSize } from "./image.ts";
import type { BatchNormalisationStage, ConvolutionStage, PoolStage } from "./layout.ts";

/**
 * out ← W·T at each place of the window, added where windows overlap. T and out hold one row of `width`
 * numbers per unit; `patch` has room for one per cell of the kernel.
 */
export function throughConvolution(
  out: Float32Array,
  T: Float32Array,
  { window, filters, weights }: ConvolutionStage,
  theta: Float32Array,
  width: number,
  patch: Float32Array,
): void {
  const size = patchSize(window);
  const W = theta.subarray(weights, weights + size * filters);
  out.fill(0);
  let at = -1;
  eachCell(window, (place, cell, channel, column) => {
    if (place !== at) {
      at = place;
      const own = T.subarray(place * filters * width, (place + 1) * filters * width);
      engine().gemm(false, false, size, width, filters, 1, W, filters, own, width, 0, patch, width);
    }
    addInto(out, column * width, patch, (cell * window.channels + channel) * width, width, 1);
  });
}

/** Each unit's row goes to the cell that was largest in its row of X, or in equal parts to all. */
export function throughPool(
  out: Float32Array,
  T: Float32Array,
  { window, units }: PoolStage,
  largest: Uint32Array,
  rows: number,
  l: number,
): void {
  const width = rows * l;
  out.fill(0);
  if (largest.length > 0) {
    for (let u = 0; u < units; u++)
      for (let i = 0; i < rows; i++)
        addInto(out, largest[i * units + u] * width + i * l, T, u * width + i * l, l, 1);
    return;
  }
  const { offsets, columns } = cellsUnder(window);
  for (let u = 0; u < units; u++) {
    const share = 1 / (offsets[u + 1] - offsets[u]);
    for (let c = offsets[u]; c < offsets[u + 1]; c++)
      addInto(out, columns[c] * width, T, u * width, width, share);
  }
}

/** T ← factor·T by the running moments, in place. */
export function throughNormalisation(
  T: Float32Array,
  stage: BatchNormalisationStage,
  theta: Float32Array,
  width: number,
): void {
  const { factor } = predictionScale(stage, theta);
  for (let u = 0; u < stage.units; u++) {
    const scale = factor[u % stage.channels];
    for (let i = u * width; i < (u + 1) * width; i++) T[i] *= scale;
  }
}

function addInto(
  out: Float32Array,
  to: number,
  values: Float32Array,
  from: number,
  count: number,
  scale: number,
): void {
  for (let k = 0; k < count; k++) out[to + k] += scale * values[from + k];
}
