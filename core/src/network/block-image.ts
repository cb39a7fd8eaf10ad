import { engine, type FloatArray } from "../compute/index.ts";
import { patchSize, pixelCount, positionsOf, type Window } from "./image.ts";
import type { ConvolutionStage, PoolStage } from "./layout.ts";
import { addPatchesInto, patchesInto } from "./patches.ts";
import { zerosLike } from "./precision.ts";

/** Numbers in the patches of one product. */
const PATCH_NUMBERS = 1 << 20;

/** x ∗ W + b of a block of rows, in the precision of x: patches, then products. */
export function convolve<Values extends FloatArray>(
  stage: ConvolutionStage,
  theta: Values,
  input: Values,
  rows: number,
): Values {
  const { window, filters, units, inputs, weights, bias } = stage;
  const size = patchSize(window);
  const W = theta.subarray(weights, weights + size * filters);
  const before = zerosLike(input, rows * units);
  for (let u = 0; u < before.length; u += filters)
    before.set(theta.subarray(bias, bias + filters), u);
  const { images, patches } = patchRoom(window, rows, input);
  for (let i = 0; i < rows; i += images) {
    const count = Math.min(images, rows - i);
    const places = count * positionsOf(window);
    patchesInto(patches, input.subarray(i * inputs, (i + count) * inputs), count, window);
    const C = before.subarray(i * units, (i + count) * units);
    engine().gemm(false, false, places, filters, size, 1, patches, size, W, filters, 1, C, filters);
  }
  return before;
}

/** dz·Wᵀ added up over the places: from slopes of a convolution's sums to those of its inputs. */
export function convolveBack<Values extends FloatArray>(
  stage: ConvolutionStage,
  theta: Values,
  slopes: Values,
  rows: number,
): Values {
  const { window, filters, units, inputs, weights } = stage;
  const size = patchSize(window);
  const W = theta.subarray(weights, weights + size * filters);
  const out = zerosLike(slopes, rows * inputs);
  const { images, patches } = patchRoom(window, rows, slopes);
  for (let i = 0; i < rows; i += images) {
    const count = Math.min(images, rows - i);
    const places = count * positionsOf(window);
    const dz = slopes.subarray(i * units, (i + count) * units);
    engine().gemm(false, true, places, size, filters, 1, dz, filters, W, filters, 0, patches, size);
    addPatchesInto(out.subarray(i * inputs, (i + count) * inputs), patches, count, window);
  }
  return out;
}

function patchRoom<Values extends FloatArray>(window: Window, rows: number, like: Values) {
  const each = positionsOf(window) * patchSize(window);
  const images = Math.min(rows, Math.max(1, Math.floor(PATCH_NUMBERS / each)));
  return { images, patches: zerosLike(like, images * each) };
}

/** Pooled values of a block of rows; of a maximum also the column that has it, the first of equals. */
export function pool<Values extends FloatArray>(
  stage: PoolStage,
  input: Values,
  rows: number,
): { output: Values; largest: Uint32Array } {
  const { inputs, units } = stage;
  const { offsets, columns } = cellsUnder(stage.window);
  const output = zerosLike(input, rows * units);
  const largest = new Uint32Array(stage.kind === "max-pool" ? rows * units : 0);
  for (let i = 0; i < rows; i++)
    for (let u = 0; u < units; u++) {
      let sum = 0;
      let best = columns[offsets[u]];
      for (let c = offsets[u]; c < offsets[u + 1]; c++) {
        const x = input[i * inputs + columns[c]];
        sum += x;
        if (x > input[i * inputs + best]) best = columns[c];
      }
      if (stage.kind === "max-pool") {
        output[i * units + u] = input[i * inputs + best];
        largest[i * units + u] = best;
      } else output[i * units + u] = sum / (offsets[u + 1] - offsets[u]);
    }
  return { output, largest };
}

/** The columns of an image under each unit of a pooling stage: `columns[offsets[u] … offsets[u + 1]]`. */
export function cellsUnder(window: Window): { offsets: Uint32Array; columns: Uint32Array } {
  const { channels } = window;
  const lists = Array.from({ length: positionsOf(window) * channels }, (): number[] => []);
  const columnOf = Float64Array.from({ length: pixelCount(window) }, (_, j) => j + 1);
  const patches = new Float64Array(positionsOf(window) * patchSize(window));
  patchesInto(patches, columnOf, 1, window);
  const size = patchSize(window);
  patches.forEach((column, at) => {
    const unit = Math.floor(at / size) * channels + (at % channels);
    if (column > 0) lists[unit].push(column - 1);
  });
  const offsets = new Uint32Array(lists.length + 1);
  lists.forEach((list, u) => {
    offsets[u + 1] = offsets[u] + list.length;
  });
  return { offsets, columns: Uint32Array.from(lists.flat()) };
}
