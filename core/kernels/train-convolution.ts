/**
 * Convolution in training: patches of an image (im2col), then a product, an image at a time so that its
 * patches stay in the nearest cache. A batch is cut into CHUNKS stretches of images whatever the number of
 * threads; each has its own patches and its own part of the gradient, and parts are added in order.
 */
import { gemm } from "./gemm";
import { barrier, scratch, shareEnd, shareStart } from "./train-crew";
import { addColumnSums, productHere } from "./train-product";
import { Program, Stage } from "./train-program";

/** The host makes room for as many. */
const CHUNKS: i32 = 8;

// @ts-ignore: decorator
@inline
function chunkStart(rows: i32, chunk: i32): i32 {
  return (rows * chunk) / CHUNKS;
}

// @ts-ignore: decorator
@inline
function patchSize(stage: Stage): i32 {
  return stage.kernelHeight * stage.kernelWidth * stage.channels;
}

// @ts-ignore: decorator
@inline
function positionsOf(stage: Stage): i32 {
  return stage.outHeight * stage.outWidth;
}

/** z ← x ∗ W + b for this thread's images. */
export function convolutionForward(
  program: Program,
  stage: Stage,
  input: usize,
  rows: i32,
  z: usize,
): void {
  const size = patchSize(stage);
  const positions = positionsOf(stage);
  const filters = stage.units / positions;
  const weights = program.theta + <usize>(stage.weights * 4);
  const bias = program.theta + <usize>(stage.bias * 4);
  const last = shareEnd(CHUNKS, 1);
  for (let chunk = shareStart(CHUNKS, 1); chunk < last; chunk++) {
    const patches = stage.patches + <usize>(chunk * stage.patchBytes);
    const end = chunkStart(rows, chunk + 1);
    for (let i = chunkStart(rows, chunk); i < end; i++) {
      takePatches(stage, input + <usize>(i * stage.inputs * 4), patches);
      const out = z + <usize>(i * stage.units * 4);
      productHere(positions, filters, size, patches, size, 1, weights, bias, out);
    }
  }
}

/** The gradient of W and b and, unless `out` is 0, dL/dinput there, from dL/dz in `slope`. */
export function convolutionBackward(
  program: Program,
  stage: Stage,
  input: usize,
  rows: i32,
  slope: usize,
  out: usize,
): void {
  const size = patchSize(stage);
  const positions = positionsOf(stage);
  const filters = stage.units / positions;
  const weights = program.theta + <usize>(stage.weights * 4);
  const count = (size + 1) * filters;
  const last = shareEnd(CHUNKS, 1);
  for (let chunk = shareStart(CHUNKS, 1); chunk < last; chunk++) {
    const patches = stage.patches + <usize>(chunk * stage.patchBytes);
    const part = stage.parts + <usize>(chunk * stage.partBytes);
    memory.fill(part, 0, <usize>(count * 4));
    const end = chunkStart(rows, chunk + 1);
    for (let i = chunkStart(rows, chunk); i < end; i++) {
      const dz = slope + <usize>(i * stage.units * 4);
      takePatches(stage, input + <usize>(i * stage.inputs * 4), patches);
      gemm<f32>(size, filters, positions, 1, patches, 1, size, dz, filters, 1, 1, part, filters, scratch());
      addColumnSums(positions, filters, dz, part + <usize>(size * filters * 4));
      if (!out) continue;
      gemm<f32>(positions, size, filters, 1, dz, filters, 1, weights, 1, filters, 0, patches, size, scratch());
      addPatches(stage, patches, out + <usize>(i * stage.inputs * 4));
    }
  }
  barrier(program);
  addParts(program, stage, count);
}

/** gradient ← the sum of the parts, for this thread's share of weights and biases, which lie side by side. */
function addParts(program: Program, stage: Stage, count: i32): void {
  const gradient = program.gradient + <usize>(stage.weights * 4);
  const end = <usize>(shareEnd(count, 16) * 4);
  for (let at = <usize>(shareStart(count, 16) * 4); at < end; at += 4) {
    let sum: f32 = 0;
    for (let chunk = 0; chunk < CHUNKS; chunk++)
      sum += load<f32>(stage.parts + <usize>(chunk * stage.partBytes) + at);
    store<f32>(gradient + at, sum);
  }
}

/** The cells under the window at every place, zero outside the image; room for three more. */
function takePatches(stage: Stage, image: usize, out: usize): void {
  const run = <usize>(stage.kernelWidth * stage.channels * 4);
  for (let oy = 0; oy < stage.outHeight; oy++) {
    for (let ox = 0; ox < stage.outWidth; ox++) {
      const x = ox * stage.strideX - stage.left;
      const start = max(0, -x);
      const end = min(stage.kernelWidth, stage.width - x);
      for (let ky = 0; ky < stage.kernelHeight; ky++) {
        const y = oy * stage.strideY + ky - stage.top;
        const from = image + <usize>((y * stage.width + x) * stage.channels * 4);
        if (y < 0 || y >= stage.height || end - start < stage.kernelWidth) {
          memory.fill(out, 0, run);
          if (y >= 0 && y < stage.height)
            for (let k = start * stage.channels; k < end * stage.channels; k++)
              store<f32>(out + <usize>(k * 4), load<f32>(from + <usize>(k * 4)));
        } else {
          // Up to three too many: the next run writes over them.
          for (let at: usize = 0; at < run; at += 16) v128.store(out + at, v128.load(from + at));
        }
        out += run;
      }
    }
  }
}

/** image ← the sum of the patches that each cell is in. */
function addPatches(stage: Stage, patches: usize, image: usize): void {
  const run = <usize>(stage.kernelWidth * stage.channels * 4);
  memory.fill(image, 0, <usize>(stage.inputs * 4));
  for (let oy = 0; oy < stage.outHeight; oy++) {
    for (let ox = 0; ox < stage.outWidth; ox++) {
      const x = ox * stage.strideX - stage.left;
      const start = max(0, -x) * stage.channels;
      const end = min(stage.kernelWidth, stage.width - x) * stage.channels;
      for (let ky = 0; ky < stage.kernelHeight; ky++) {
        const y = oy * stage.strideY + ky - stage.top;
        if (y >= 0 && y < stage.height) {
          const to = image + <usize>((y * stage.width + x) * stage.channels * 4);
          let k = start;
          for (; k + 4 <= end; k += 4) {
            const at = to + <usize>(k * 4);
            v128.store(at, f32x4.add(v128.load(at), v128.load(patches + <usize>(k * 4))));
          }
          for (; k < end; k++) {
            const at = to + <usize>(k * 4);
            store<f32>(at, load<f32>(at) + load<f32>(patches + <usize>(k * 4)));
          }
        }
        patches += run;
      }
    }
  }
}
