import * as elementary from "@ratewise/core/elementary";

import { sizeOf, type Tensor, tensor } from "../tensor.ts";
import {
  axisOf,
  type Call,
  inputOf,
  integerOf,
  listFrom,
  type Operator,
  type OperatorTable,
} from "./operator.ts";

const { exp, log } = elementary;

/** Lines of numbers that belong together: `length` of them, `step` apart. */
interface Lines {
  readonly starts: (visit: (from: number) => void) => void;
  readonly length: number;
  readonly step: number;
}

/** Along one axis since version 13; before, over all dimensions from the axis on. */
function linesOf(call: Call): Lines {
  const { dims } = inputOf(call, 0);
  const modern = call.opset >= 13;
  const axis = axisOf(call, integerOf(call, "axis", modern ? -1 : 1), dims.length);
  const length = modern ? dims[axis] : sizeOf(dims.slice(axis));
  const step = modern ? sizeOf(dims.slice(axis + 1)) : 1;
  const outer = sizeOf(dims.slice(0, axis));
  return {
    length,
    step,
    starts: (visit) => {
      for (let o = 0; o < outer; o++) for (let s = 0; s < step; s++) visit(o * length * step + s);
    },
  };
}

function logOddsSum(x: Float64Array, from: number, { length, step }: Lines): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < length; k++) top = Math.max(top, x[from + k * step]);
  let sum = 0;
  for (let k = 0; k < length; k++) sum += exp(x[from + k * step] - top);
  return top + log(sum);
}

function softmaxOf(logarithm: boolean): Operator {
  return {
    forward: (call) => {
      const x = inputOf(call, 0);
      const lines = linesOf(call);
      const out = tensor(x.dims);
      lines.starts((from) => {
        const total = logOddsSum(x.data, from, lines);
        for (let k = 0; k < lines.length; k++) {
          const at = from + k * lines.step;
          out.data[at] = logarithm ? x.data[at] - total : exp(x.data[at] - total);
        }
      });
      return out;
    },
    backward: (call, output, slope) => {
      const lines = linesOf(call);
      const out = tensor(output.dims);
      lines.starts((from) => {
        let sum = 0;
        for (let k = 0; k < lines.length; k++) {
          const at = from + k * lines.step;
          sum += logarithm ? slope.data[at] : slope.data[at] * output.data[at];
        }
        for (let k = 0; k < lines.length; k++) {
          const at = from + k * lines.step;
          out.data[at] = logarithm
            ? slope.data[at] - exp(output.data[at]) * sum
            : output.data[at] * (slope.data[at] - sum);
        }
      });
      return [out];
    },
  };
}

/** The place in the result of every place of the input, and the shape of the result. */
function reducePlan(call: Call): { place: Int32Array; dims: number[]; each: number } {
  const { dims, data } = inputOf(call, 0);
  const listed = listFrom(call, "axes", 1);
  const none = !listed || listed.length === 0;
  const axes = new Set(
    none ? dims.map((_, k) => k) : listed.map((axis) => axisOf(call, axis, dims.length)),
  );
  const kept = dims.map((d, k) => (axes.has(k) ? 1 : d));
  const place = new Int32Array(data.length);
  for (let e = 0; e < data.length; e++) {
    let rest = e;
    let step = 1;
    for (let k = dims.length - 1; k >= 0; k--) {
      if (!axes.has(k)) {
        place[e] += (rest % dims[k]) * step;
        step *= dims[k];
      }
      rest = Math.floor(rest / dims[k]);
    }
  }
  const keep = integerOf(call, "keepdims", 1) !== 0;
  const size = sizeOf(kept);
  return {
    place,
    dims: keep ? kept : dims.filter((_, k) => !axes.has(k)),
    each: size === 0 ? 0 : data.length / size,
  };
}

function reduction(mean: boolean): Operator {
  const share = (slope: Tensor, { place, each }: ReturnType<typeof reducePlan>) =>
    Float64Array.from(place, (at) => slope.data[at] / (mean ? each : 1));
  return {
    forward: (call) => {
      const plan = reducePlan(call);
      const out = tensor(plan.dims);
      const { data } = inputOf(call, 0);
      for (let e = 0; e < data.length; e++)
        out.data[plan.place[e]] += data[e] / (mean ? plan.each : 1);
      return out;
    },
    backward: (call, _, slope) => [
      { dims: inputOf(call, 0).dims, data: share(slope, reducePlan(call)) },
      null,
    ],
    relevance: "sum",
  };
}

export const alongAxes: OperatorTable = {
  Softmax: softmaxOf(false),
  LogSoftmax: softmaxOf(true),
  ReduceMean: reduction(true),
  ReduceSum: reduction(false),
};
