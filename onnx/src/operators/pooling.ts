import { sizeOf, type Tensor, tensor } from "../tensor.ts";
import {
  type Call,
  inputOf,
  integerOf,
  integersOf,
  misuse,
  type Operator,
  type OperatorTable,
} from "./operator.ts";
import { spatialOut, type Windows, windowsOf } from "./window.ts";

interface Pool {
  readonly windows: Windows;
  readonly images: number;
  readonly dims: readonly number[];
}

function poolOf(call: Call): Pool {
  const { dims } = inputOf(call, 0);
  const kernel = integersOf(call, "kernel_shape");
  if (!kernel) throw misuse(call, "needs a kernel_shape");
  const windows = windowsOf(call, dims, kernel);
  return {
    windows,
    images: dims[0] * dims[1],
    dims: [dims[0], dims[1], ...spatialOut(call, dims.length, windows)],
  };
}

/** Visits every window of every image: its place in the result, and the places of its cells. */
function eachWindow(
  { windows: w, images }: Pool,
  visit: (out: number, cells: readonly number[]) => void,
): void {
  const size = w.inHeight * w.inWidth;
  const cells: number[] = [];
  for (let image = 0, out = 0; image < images; image++)
    for (let oy = 0; oy < w.outHeight; oy++)
      for (let ox = 0; ox < w.outWidth; ox++, out++) {
        cells.length = 0;
        for (let ky = 0; ky < w.height; ky++) {
          const y = oy * w.strideY - w.top + ky * w.dilationY;
          if (y < 0 || y >= w.inHeight) continue;
          for (let kx = 0; kx < w.width; kx++) {
            const x = ox * w.strideX - w.left + kx * w.dilationX;
            if (x >= 0 && x < w.inWidth) cells.push(image * size + y * w.inWidth + x);
          }
        }
        visit(out, cells);
      }
}

/** The first of the largest cells. */
function largestOf(cells: readonly number[], data: Float64Array): number {
  let best = cells[0];
  for (const at of cells) if (data[at] > data[best]) best = at;
  return best;
}

const maxPool: Operator = {
  forward: (call) => {
    const pool = poolOf(call);
    const { data } = inputOf(call, 0);
    const out = tensor(pool.dims);
    eachWindow(pool, (at, cells) => {
      out.data[at] = cells.length ? data[largestOf(cells, data)] : Number.NEGATIVE_INFINITY;
    });
    return out;
  },
  backward: (call, _, slope) => {
    const pool = poolOf(call);
    const { data, dims } = inputOf(call, 0);
    const out = tensor(dims);
    eachWindow(pool, (at, cells) => {
      if (cells.length) out.data[largestOf(cells, data)] += slope.data[at];
    });
    return [out];
  },
  relevance: "follow",
};

/** Cells that a mean is taken over; padding counts where asked, but not what ceil_mode adds beyond it. */
function averageCounts(call: Call, { windows: w }: Pool, found: number, at: number): number {
  if (integerOf(call, "count_include_pad", 0) === 0) return found;
  const place = at % (w.outHeight * w.outWidth);
  const inside = (o: number, k: number, stride: number, dilation: number, end: number) => {
    let count = 0;
    for (let c = 0; c < k; c++) if (o * stride + c * dilation < end) count++;
    return count;
  };
  const oy = Math.floor(place / w.outWidth);
  const ox = place % w.outWidth;
  return (
    inside(oy, w.height, w.strideY, w.dilationY, w.inHeight + w.top + w.bottom) *
    inside(ox, w.width, w.strideX, w.dilationX, w.inWidth + w.left + w.right)
  );
}

const averagePool: Operator = {
  forward: (call) => {
    const pool = poolOf(call);
    const { data } = inputOf(call, 0);
    const out = tensor(pool.dims);
    eachWindow(pool, (at, cells) => {
      let sum = 0;
      for (const cell of cells) sum += data[cell];
      out.data[at] = sum / averageCounts(call, pool, cells.length, at);
    });
    return out;
  },
  backward: (call, _, slope) => {
    const pool = poolOf(call);
    const out = tensor(inputOf(call, 0).dims);
    eachWindow(pool, (at, cells) => {
      const each = slope.data[at] / averageCounts(call, pool, cells.length, at);
      for (const cell of cells) out.data[cell] += each;
    });
    return [out];
  },
  relevance: "sum",
};

/** One number an image, of its `size` cells. */
function globally(
  reduce: (data: Float64Array, from: number, size: number) => number,
  share: (out: Tensor, x: Tensor, from: number, size: number, slope: number) => void,
  relevance: "sum" | "follow",
): Operator {
  const sizes = (x: Tensor) => ({ size: sizeOf(x.dims.slice(2)), images: x.dims[0] * x.dims[1] });
  return {
    forward: (call) => {
      const x = inputOf(call, 0);
      const { size, images } = sizes(x);
      const out = tensor(x.dims.map((d, k) => (k < 2 ? d : 1)));
      for (let image = 0; image < images; image++)
        out.data[image] = reduce(x.data, image * size, size);
      return out;
    },
    backward: (call, _, slope) => {
      const x = inputOf(call, 0);
      const { size, images } = sizes(x);
      const out = tensor(x.dims);
      for (let image = 0; image < images; image++)
        share(out, x, image * size, size, slope.data[image]);
      return [out];
    },
    relevance,
  };
}

const indices = (from: number, size: number): number[] =>
  Array.from({ length: size }, (_, k) => from + k);

export const pooling: OperatorTable = {
  MaxPool: maxPool,
  AveragePool: averagePool,
  GlobalAveragePool: globally(
    (data, from, size) => data.subarray(from, from + size).reduce((sum, x) => sum + x, 0) / size,
    (out, _, from, size, slope) => {
      out.data.fill(slope / size, from, from + size);
    },
    "sum",
  ),
  GlobalMaxPool: globally(
    (data, from, size) => data[largestOf(indices(from, size), data)],
    (out, x, from, size, slope) => {
      out.data[largestOf(indices(from, size), x.data)] = slope;
    },
    "follow",
  ),
};
