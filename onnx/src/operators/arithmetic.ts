import * as elementary from "@ratewise/core/elementary";

import { sizeOf, type Tensor, tensor } from "../tensor.ts";
import {
  type Call,
  inputOf,
  misuse,
  type Operator,
  type OperatorTable,
  type RelevanceRule,
  sameDims,
} from "./operator.ts";

/** z = φ(a, b) with its two slopes. */
interface Surface {
  readonly value: (a: number, b: number) => number;
  readonly byFirst: (a: number, b: number, z: number) => number;
  readonly bySecond: (a: number, b: number, z: number) => number;
}

/** Operators of two tensors, whose shapes are stretched to one another as NumPy does. */
function binary({ value, byFirst, bySecond }: Surface, relevance?: RelevanceRule): Operator {
  return {
    forward: (call) => {
      const [a, b] = [inputOf(call, 0), inputOf(call, 1)];
      const out = tensor(broadcastDims(call, a.dims, b.dims));
      walk(out.dims, a, b, (e, i, j) => {
        out.data[e] = value(a.data[i], b.data[j]);
      });
      return out;
    },
    backward: (call, output, slope, wanted) => {
      const [a, b] = [inputOf(call, 0), inputOf(call, 1)];
      const first = wanted[0] ? tensor(a.dims) : null;
      const second = wanted[1] ? tensor(b.dims) : null;
      walk(output.dims, a, b, (e, i, j) => {
        const s = slope.data[e];
        if (s === 0) return;
        if (first) first.data[i] += s * byFirst(a.data[i], b.data[j], output.data[e]);
        if (second) second.data[j] += s * bySecond(a.data[i], b.data[j], output.data[e]);
      });
      return [first, second];
    },
    ...(relevance && { relevance }),
  };
}

function broadcastDims(call: Call, a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  const dims = Array.from({ length: rank }, (_, k) => {
    const p = a[k - rank + a.length] ?? 1;
    const q = b[k - rank + b.length] ?? 1;
    if (p !== q && p !== 1 && q !== 1)
      throw misuse(call, `needs shapes that fit, got (${a.join(", ")}) and (${b.join(", ")})`);
    return p === 1 ? q : p;
  });
  sizeOf(dims);
  return dims;
}

/** Calls `visit(place in the result, place in a, place in b)` for every number of the result. */
function walk(
  dims: readonly number[],
  a: Tensor,
  b: Tensor,
  visit: (e: number, i: number, j: number) => void,
): void {
  const size = sizeOf(dims);
  if (sameDims(a.dims, dims) && sameDims(b.dims, dims)) {
    for (let e = 0; e < size; e++) visit(e, e, e);
    return;
  }
  // The last dimensions in which both run along, or one stands still, are one loop.
  const strideA = strides(a.dims, dims.length);
  const strideB = strides(b.dims, dims.length);
  const rank = dims.length;
  const inner = rank === 0 ? 1 : dims[rank - 1];
  const stepA = rank === 0 ? 0 : strideA[rank - 1];
  const stepB = rank === 0 ? 0 : strideB[rank - 1];
  const counter = new Array<number>(rank).fill(0);
  let i = 0;
  let j = 0;
  for (let e = 0; e < size; e += inner) {
    for (let k = 0; k < inner; k++) visit(e + k, i + k * stepA, j + k * stepB);
    for (let d = rank - 2; d >= 0; d--) {
      i += strideA[d];
      j += strideB[d];
      if (++counter[d] < dims[d]) break;
      i -= strideA[d] * dims[d];
      j -= strideB[d] * dims[d];
      counter[d] = 0;
    }
  }
}

/** Steps of a tensor's places along each of `rank` dimensions; 0 where it is stretched. */
function strides(dims: readonly number[], rank: number): number[] {
  const out = new Array<number>(rank).fill(0);
  let step = 1;
  for (let k = dims.length - 1; k >= 0; k--) {
    out[k + rank - dims.length] = dims[k] === 1 ? 0 : step;
    step *= dims[k];
  }
  return out;
}

const { pow, log } = elementary;

export const arithmetic: OperatorTable = {
  Add: binary({ value: (a, b) => a + b, byFirst: () => 1, bySecond: () => 1 }, "sum"),
  Sub: binary({ value: (a, b) => a - b, byFirst: () => 1, bySecond: () => -1 }, "sum"),
  Mul: binary({ value: (a, b) => a * b, byFirst: (_, b) => b, bySecond: (a) => a }, "product"),
  Div: binary(
    { value: (a, b) => a / b, byFirst: (_, b) => 1 / b, bySecond: (_, b, z) => -z / b },
    "product",
  ),
  Pow: binary({
    value: (a, b) => (b === 2 ? a * a : pow(a, b)),
    byFirst: (a, b) => (b === 2 ? 2 * a : b * pow(a, b - 1)),
    bySecond: (a, _, z) => z * log(a),
  }),
  /** Of whole numbers, the sign of the divisor's; exporters use it in shapes. */
  Mod: {
    forward: binary({
      value: (a, b) => a - b * Math.floor(a / b),
      byFirst: () => 0,
      bySecond: () => 0,
    }).forward,
  },
};
