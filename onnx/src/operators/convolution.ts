import { matrix } from "@ratewise/core";
import { multiply, transposeMultiply } from "@ratewise/core/linalg";
import { type Tensor, tensor } from "../tensor.ts";
import {
  type Call,
  inputOf,
  integerOf,
  misuse,
  type Operator,
  type OperatorTable,
} from "./operator.ts";
import { spatialOut, type Windows, windowsOf } from "./window.ts";

/** Numbers in the matrix of patches up to which rows go together: it stays in the cache. */
const MOST_PATCHES = 2 ** 20;

interface Plan {
  readonly windows: Windows;
  readonly rows: number;
  readonly groups: number;
  /** Channels that come in and go out, a group. */
  readonly channels: number;
  readonly filters: number;
  /** Rows that are convolved by one product. */
  readonly block: number;
  readonly dims: readonly number[];
}

/**
 * A convolution as a product: the patches under the windows are columns, (channels·kernel)×(rows·places),
 * the filters are rows. O(rows·places·filters·channels·kernel).
 */
const conv: Operator = {
  forward: (call) => {
    const plan = planOf(call);
    const { rows, groups, filters, windows } = plan;
    const out = tensor(plan.dims);
    const bias = call.inputs[2]?.data;
    const places = windows.outHeight * windows.outWidth;
    for (let start = 0; start < rows; start += plan.block)
      for (let g = 0; g < groups; g++) {
        const count = Math.min(plan.block, rows - start);
        const made = multiply(
          filtersOf(call, plan, g),
          patches(inputOf(call, 0), plan, g, start, count),
        );
        for (let f = 0; f < filters; f++)
          for (let i = 0; i < count; i++) {
            const to = ((start + i) * groups * filters + g * filters + f) * places;
            const from = (f * count + i) * places;
            const b = bias ? bias[g * filters + f] : 0;
            for (let e = 0; e < places; e++) out.data[to + e] = made.data[from + e] + b;
          }
      }
    return out;
  },
  backward: (call, _, slope, wanted) => {
    if (wanted[1] || wanted[2])
      throw misuse(call, "has no derivative in filters that depend on the inputs");
    const plan = planOf(call);
    const out = tensor(inputOf(call, 0).dims);
    for (let start = 0; start < plan.rows; start += plan.block)
      for (let g = 0; g < plan.groups; g++) {
        const count = Math.min(plan.block, plan.rows - start);
        const S = slopeRows(slope, plan, g, start, count);
        addPatches(out, transposeMultiply(filtersOf(call, plan, g), S).data, plan, g, start, count);
      }
    return [out, null, null];
  },
  relevance: "sum",
};

function planOf(call: Call): Plan {
  const [x, w] = [inputOf(call, 0), inputOf(call, 1)];
  const windows = windowsOf(call, x.dims, w.dims.slice(2));
  const groups = integerOf(call, "group", 1);
  const channels = x.dims[1] / groups;
  const filters = w.dims[0] / groups;
  if (!(groups >= 1 && Number.isInteger(channels) && Number.isInteger(filters)))
    throw misuse(
      call,
      `needs channels in ${groups} equal groups, got ${x.dims[1]} to ${w.dims[0]}`,
    );
  if (w.dims[1] !== channels)
    throw misuse(call, `needs ${w.dims[1] * groups} channels, got ${x.dims[1]}`);
  const bias = call.inputs[2];
  if (bias && bias.data.length !== w.dims[0])
    throw misuse(call, `needs ${w.dims[0]} biases, got ${bias.data.length}`);
  const each = channels * windows.height * windows.width * windows.outHeight * windows.outWidth;
  return {
    windows,
    rows: x.dims[0],
    groups,
    channels,
    filters,
    block: Math.max(1, Math.floor(MOST_PATCHES / Math.max(1, each))),
    dims: [x.dims[0], w.dims[0], ...spatialOut(call, x.dims.length, windows)],
  };
}

/** The filters of a group, filters×(channels·kernel). */
function filtersOf(call: Call, { channels, filters, windows }: Plan, group: number) {
  const width = channels * windows.height * windows.width;
  const from = group * filters * width;
  return matrix(filters, width, inputOf(call, 1).data.subarray(from, from + filters * width));
}

/** Places in a line of the result whose windows have the same cell of the kernel inside the image. */
interface Run {
  /** The number of the cell in the kernel. */
  readonly cell: number;
  /** The first place in the result, and where its cell lies in the image; the next are 1 and `stride` further. */
  readonly place: number;
  readonly at: number;
  readonly length: number;
}

function runsOf(w: Windows): Run[] {
  const runs: Run[] = [];
  for (let ky = 0, cell = 0; ky < w.height; ky++)
    for (let kx = 0; kx < w.width; kx++, cell++) {
      const offset = kx * w.dilationX - w.left;
      const first = Math.max(0, Math.ceil(-offset / w.strideX));
      const last = Math.min(w.outWidth - 1, Math.floor((w.inWidth - 1 - offset) / w.strideX));
      if (last < first) continue;
      for (let oy = 0; oy < w.outHeight; oy++) {
        const y = oy * w.strideY - w.top + ky * w.dilationY;
        if (y < 0 || y >= w.inHeight) continue;
        runs.push({
          cell,
          place: oy * w.outWidth + first,
          at: y * w.inWidth + first * w.strideX + offset,
          length: last - first + 1,
        });
      }
    }
  return runs;
}

/** Where row `i` of the block and channel `c` of the group begin: among the patches, and in the images. */
interface Corner {
  readonly patch: number;
  readonly image: number;
}

/** Visits every row and channel of a block of rows of one group. */
function eachImage(
  { windows, channels, groups }: Plan,
  group: number,
  start: number,
  count: number,
  visit: (corner: Corner) => void,
): void {
  const kernel = windows.height * windows.width;
  const places = windows.outHeight * windows.outWidth;
  const size = windows.inHeight * windows.inWidth;
  for (let c = 0; c < channels; c++)
    for (let i = 0; i < count; i++)
      visit({
        patch: c * kernel * count * places + i * places,
        image: ((start + i) * groups * channels + group * channels + c) * size,
      });
}

function patches(x: Tensor, plan: Plan, group: number, start: number, count: number) {
  const { windows, channels } = plan;
  const cols = count * windows.outHeight * windows.outWidth;
  const out = matrix(channels * windows.height * windows.width, cols);
  const runs = runsOf(windows);
  const { strideX } = windows;
  const [to, from] = [out.data, x.data];
  eachImage(plan, group, start, count, ({ patch, image }) => {
    for (const { cell, place, at, length } of runs) {
      const p = patch + cell * cols + place;
      const q = image + at;
      for (let k = 0; k < length; k++) to[p + k] = from[q + k * strideX];
    }
  });
  return out;
}

/** The patches' slopes added where the patches came from. */
function addPatches(
  out: Tensor,
  slopes: Float64Array,
  plan: Plan,
  group: number,
  start: number,
  count: number,
): void {
  const cols = count * plan.windows.outHeight * plan.windows.outWidth;
  const runs = runsOf(plan.windows);
  const { strideX } = plan.windows;
  const to = out.data;
  eachImage(plan, group, start, count, ({ patch, image }) => {
    for (const { cell, place, at, length } of runs) {
      const p = patch + cell * cols + place;
      const q = image + at;
      for (let k = 0; k < length; k++) to[q + k * strideX] += slopes[p + k];
    }
  });
}

/** The slopes of a group's outputs, filters×(rows·places). */
function slopeRows(slope: Tensor, plan: Plan, group: number, start: number, count: number) {
  const { windows, filters, groups } = plan;
  const places = windows.outHeight * windows.outWidth;
  const out = matrix(filters, count * places);
  for (let f = 0; f < filters; f++)
    for (let i = 0; i < count; i++) {
      const from = ((start + i) * groups * filters + group * filters + f) * places;
      out.data.set(slope.data.subarray(from, from + places), (f * count + i) * places);
    }
  return out;
}

export const convolution: OperatorTable = { Conv: conv };
