import { sizeOf, type Tensor, tensor } from "../tensor.ts";
import {
  axisOf,
  type Call,
  inputOf,
  integerOf,
  integersOf,
  listFrom,
  misuse,
  type Operator,
  type OperatorTable,
} from "./operator.ts";

/** The same numbers in another shape. */
function reshaped(dimsOf: (call: Call, x: Tensor) => number[]): Operator {
  return {
    forward: (call) => {
      const x = inputOf(call, 0);
      const dims = dimsOf(call, x);
      if (sizeOf(dims) !== x.data.length)
        throw misuse(
          call,
          `needs a shape of ${x.data.length} numbers, got (${dims.join(", ")}) for (${x.dims.join(", ")})`,
        );
      return { dims, data: x.data };
    },
    backward: (call, _, slope) => [{ dims: inputOf(call, 0).dims, data: slope.data }],
    relevance: "follow",
  };
}

/** 0 takes the dimension of the input, one −1 what is left. */
function reshapeDims(call: Call, x: Tensor): number[] {
  const asked = inputOf(call, 1).data;
  const literalZero = integerOf(call, "allowzero", 0) !== 0;
  const dims = Array.from(asked, (d, k) => (d === 0 && !literalZero ? (x.dims[k] ?? 0) : d));
  const open = dims.indexOf(-1);
  if (open >= 0) {
    const rest = dims.reduce((product, d, k) => (k === open ? product : product * d), 1);
    dims[open] = rest === 0 ? 0 : x.data.length / rest;
  }
  if (dims.some((d) => !(Number.isInteger(d) && d >= 0)))
    throw misuse(call, `cannot make (${[...asked].join(", ")}) of (${x.dims.join(", ")})`);
  return dims;
}

function flattenDims(call: Call, { dims }: Tensor): number[] {
  const axis = axisOf(call, integerOf(call, "axis", 1), dims.length);
  return [sizeOf(dims.slice(0, axis)), sizeOf(dims.slice(axis))];
}

function squeezeDims(call: Call, { dims }: Tensor): number[] {
  const axes = listFrom(call, "axes", 1)?.map((axis) => axisOf(call, axis, dims.length));
  return dims.filter((d, k) => (axes ? !axes.includes(k) : d !== 1));
}

function unsqueezeDims(call: Call, { dims }: Tensor): number[] {
  const given = listFrom(call, "axes", 1);
  if (!given) throw misuse(call, "needs axes");
  const rank = dims.length + given.length;
  const axes = new Set(given.map((axis) => axisOf(call, axis, rank)));
  let next = 0;
  return Array.from({ length: rank }, (_, k) => (axes.has(k) ? 1 : (dims[next++] ?? 1)));
}

/** Copies x with its dimensions in the order `perm`. */
function permute(x: Tensor, perm: readonly number[]): Tensor {
  const dims = perm.map((axis) => x.dims[axis]);
  const out = tensor(dims);
  const steps = new Array<number>(dims.length).fill(1);
  for (let k = dims.length - 2; k >= 0; k--) steps[k] = steps[k + 1] * x.dims[k + 1];
  const stride = perm.map((axis) => steps[axis]);
  const counter = new Array<number>(dims.length).fill(0);
  let from = 0;
  for (let e = 0; e < out.data.length; e++) {
    out.data[e] = x.data[from];
    for (let d = dims.length - 1; d >= 0; d--) {
      from += stride[d];
      if (++counter[d] < dims[d]) break;
      from -= stride[d] * dims[d];
      counter[d] = 0;
    }
  }
  return out;
}

function permOf(call: Call): readonly number[] {
  const rank = inputOf(call, 0).dims.length;
  const perm = integersOf(call, "perm") ?? Array.from({ length: rank }, (_, k) => rank - 1 - k);
  if ([...perm].sort((a, b) => a - b).some((axis, k) => axis !== k) || perm.length !== rank)
    throw misuse(call, `needs an order of ${rank} dimensions, got (${perm.join(", ")})`);
  return perm;
}

const transpose: Operator = {
  forward: (call) => permute(inputOf(call, 0), permOf(call)),
  backward: (call, _, slope) => {
    const perm = permOf(call);
    return [
      permute(
        slope,
        perm.map((_, axis) => perm.indexOf(axis)),
      ),
    ];
  },
  relevance: "follow",
};

/** What lies before, along and after an axis. */
function around(dims: readonly number[], axis: number) {
  return { outer: sizeOf(dims.slice(0, axis)), inner: sizeOf(dims.slice(axis + 1)) };
}

const concat: Operator = {
  forward: (call) => {
    const parts = call.inputs.map((_, k) => inputOf(call, k));
    const { dims } = inputOf(call, 0);
    const axis = axisOf(call, integerOf(call, "axis", 0), dims.length);
    for (const part of parts)
      if (part.dims.length !== dims.length || part.dims.some((d, k) => k !== axis && d !== dims[k]))
        throw misuse(
          call,
          `needs shapes that fit, got ${parts.map((p) => p.dims.join("×")).join(" and ")}`,
        );
    const length = parts.reduce((sum, part) => sum + part.dims[axis], 0);
    const out = tensor(dims.map((d, k) => (k === axis ? length : d)));
    const { outer, inner } = around(dims, axis);
    let at = 0;
    for (let o = 0; o < outer; o++)
      for (const part of parts) {
        const size = part.dims[axis] * inner;
        out.data.set(part.data.subarray(o * size, (o + 1) * size), at);
        at += size;
      }
    return out;
  },
  backward: (call, output, slope) => {
    const axis = axisOf(call, integerOf(call, "axis", 0), output.dims.length);
    const { outer, inner } = around(output.dims, axis);
    const parts = call.inputs.map((_, k) => tensor(inputOf(call, k).dims));
    let at = 0;
    for (let o = 0; o < outer; o++)
      for (const part of parts) {
        const size = part.dims[axis] * inner;
        part.data.set(slope.data.subarray(at, at + size), o * size);
        at += size;
      }
    return parts;
  },
  relevance: "follow",
};

/** Places along `axis` that are taken, as indexes into the input. */
function take(x: Tensor, axis: number, places: readonly number[], dims: readonly number[]): Tensor {
  const { outer, inner } = around(x.dims, axis);
  const out = tensor(dims);
  let at = 0;
  for (let o = 0; o < outer; o++)
    for (const place of places) {
      const from = (o * x.dims[axis] + place) * inner;
      out.data.set(x.data.subarray(from, from + inner), at);
      at += inner;
    }
  return out;
}

/** The slopes put back where {@link take} found the numbers. */
function giveBack(x: Tensor, axis: number, places: readonly number[], slope: Float64Array): Tensor {
  const { outer, inner } = around(x.dims, axis);
  const out = tensor(x.dims);
  let at = 0;
  for (let o = 0; o < outer; o++)
    for (const place of places) {
      const to = (o * x.dims[axis] + place) * inner;
      for (let k = 0; k < inner; k++) out.data[to + k] += slope[at++];
    }
  return out;
}

function gatherPlan(call: Call) {
  const [x, which] = [inputOf(call, 0), inputOf(call, 1)];
  const axis = axisOf(call, integerOf(call, "axis", 0), x.dims.length);
  const places = Array.from(which.data, (k) => (k < 0 ? k + x.dims[axis] : k));
  const wrong = places.find((k) => !(Number.isInteger(k) && k >= 0 && k < x.dims[axis]));
  if (wrong !== undefined) throw misuse(call, `needs places below ${x.dims[axis]}, got ${wrong}`);
  const dims = [...x.dims.slice(0, axis), ...which.dims, ...x.dims.slice(axis + 1)];
  return { x, axis, places, dims };
}

const gather: Operator = {
  forward: (call) => {
    const { x, axis, places, dims } = gatherPlan(call);
    return take(x, axis, places, dims);
  },
  backward: (call, _, slope) => {
    const { x, axis, places } = gatherPlan(call);
    return [giveBack(x, axis, places, slope.data), null];
  },
  relevance: "follow",
};

/** The places each axis of a slice keeps, and the tensors on the way, one axis after the other. */
function slicePlan(call: Call): { x: Tensor; axis: number; places: number[] }[] {
  const starts = listFrom(call, "starts", 1) ?? [];
  const ends = listFrom(call, "ends", 2) ?? [];
  const axes = listFrom(call, "axes", 3) ?? starts.map((_, k) => k);
  const steps = call.inputs[4] ? [...call.inputs[4].data] : starts.map(() => 1);
  const cuts: { x: Tensor; axis: number; places: number[] }[] = [];
  let x = inputOf(call, 0);
  starts.forEach((start, k) => {
    const axis = axisOf(call, axes[k], x.dims.length);
    const length = x.dims[axis];
    const step = steps[k];
    if (!(Number.isInteger(step) && step !== 0)) throw misuse(call, `needs a step, got ${step}`);
    const bound = (value: number, low: number, high: number) =>
      Math.min(Math.max(value < 0 ? value + length : value, low), high);
    const places: number[] = [];
    if (step > 0)
      for (let at = bound(start, 0, length); at < bound(ends[k], 0, length); at += step)
        places.push(at);
    else
      for (let at = bound(start, 0, length - 1); at > bound(ends[k], -1, length - 1); at += step)
        places.push(at);
    cuts.push({ x, axis, places });
    x = take(
      x,
      axis,
      places,
      x.dims.map((d, at) => (at === axis ? places.length : d)),
    );
  });
  cuts.push({ x, axis: 0, places: [] });
  return cuts;
}

const slice: Operator = {
  forward: (call) => slicePlan(call).at(-1)!.x,
  backward: (call, _, slope) => {
    let back = slope;
    for (const { x, axis, places } of slicePlan(call).slice(0, -1).reverse())
      back = giveBack(x, axis, places, back.data);
    return [back, null, null, null, null];
  },
  relevance: "follow",
};

export const reshape: OperatorTable = {
  Reshape: reshaped(reshapeDims),
  Flatten: reshaped(flattenDims),
  Squeeze: reshaped(squeezeDims),
  Unsqueeze: reshaped(unsqueezeDims),
  Transpose: transpose,
  Concat: concat,
  Gather: gather,
  Slice: slice,
};
