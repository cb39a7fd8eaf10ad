import type { FloatArray } from "../compute/index.ts";
import { patchSize, pixelCount, positionsOf, type Window } from "./image.ts";

/**
 * The cells under a window at each of its places, a row each (im2col): (images·places)×patch, in the
 * order of a filter's weights. Cells outside the image are 0. A convolution is then one matrix product.
 */
export function patchesInto(
  out: FloatArray,
  images: FloatArray,
  count: number,
  window: Window,
): void {
  const { kernelHeight, kernelWidth, channels } = window;
  const run = kernelWidth * channels;
  const inside = window.top + window.left + window.bottom + window.right === 0;
  if (!inside) out.fill(0, 0, count * positionsOf(window) * patchSize(window));
  eachRun(window, count, (patch, ky, start, end, column) => {
    let to = patch * kernelHeight * run + ky * run + start;
    for (let from = column; from < column + end - start; from++) out[to++] = images[from];
  });
}

/** The way back: adds each patch to the cells it was taken from. */
export function addPatchesInto(
  images: FloatArray,
  patches: FloatArray,
  count: number,
  window: Window,
): void {
  const { kernelHeight, kernelWidth, channels } = window;
  const run = kernelWidth * channels;
  eachRun(window, count, (patch, ky, start, end, column) => {
    let from = patch * kernelHeight * run + ky * run + start;
    for (let to = column; to < column + end - start; to++) images[to] += patches[from++];
  });
}

/**
 * The rows of the kernel inside the image, at every place of every image: cells `start` to `end` of kernel
 * row `ky` (channels counted) lie from `column` on.
 */
function eachRun(
  window: Window,
  count: number,
  visit: (patch: number, ky: number, start: number, end: number, column: number) => void,
): void {
  const { height, width, channels, outHeight, outWidth, kernelHeight, kernelWidth } = window;
  const pixels = pixelCount(window);
  let patch = 0;
  for (let i = 0; i < count; i++)
    for (let oy = 0; oy < outHeight; oy++)
      for (let ox = 0; ox < outWidth; ox++, patch++) {
        const x = ox * window.strideX - window.left;
        const start = Math.max(0, -x);
        const end = Math.min(kernelWidth, width - x);
        if (start >= end) continue;
        for (let ky = 0; ky < kernelHeight; ky++) {
          const y = oy * window.strideY + ky - window.top;
          if (y < 0 || y >= height) continue;
          const column = i * pixels + (y * width + x + start) * channels;
          visit(patch, ky, start * channels, end * channels, column);
        }
      }
}
