import * as elementary from "@ratewise/core/elementary";

import { erf } from "../erf.ts";
import { type Tensor, tensor } from "../tensor.ts";
import {
  type Call,
  floatOf,
  inputOf,
  type Operator,
  type OperatorTable,
  textOf,
} from "./operator.ts";

const { exp, expm1, log, sigmoid, softplus, tanh } = elementary;

/** y = φ(x) and φ'(x), the slope from x and y. */
interface Curve {
  readonly value: (x: number) => number;
  readonly slope: (x: number, y: number) => number;
}

function curve(at: (call: Call) => Curve): Operator {
  return {
    forward: (call) => {
      const x = inputOf(call, 0);
      const { value } = at(call);
      const out = tensor(x.dims);
      for (let e = 0; e < out.data.length; e++) out.data[e] = value(x.data[e]);
      return out;
    },
    backward: (call, output, slope) => {
      const x = inputOf(call, 0).data;
      const own = at(call).slope;
      const out = tensor(output.dims);
      for (let e = 0; e < x.length; e++) {
        const s = slope.data[e];
        if (s !== 0) out.data[e] = s * own(x[e], output.data[e]);
      }
      return [out];
    },
    relevance: "stay",
  };
}

const always = (value: Curve["value"], slope: Curve["slope"]): Operator =>
  curve(() => ({ value, slope }));

const SQRT_HALF = Math.SQRT1_2;
const DENSITY_AT_0 = 0.3989422804014327; // 1/√(2π)

/** x·Φ(x), or its tanh form. */
function gelu(call: Call): Curve {
  if (textOf(call, "approximate", "none") !== "tanh")
    return {
      value: (x) => 0.5 * x * (1 + erf(x * SQRT_HALF)),
      slope: (x) => 0.5 * (1 + erf(x * SQRT_HALF)) + x * DENSITY_AT_0 * exp(-0.5 * x * x),
    };
  const a = 0.7978845608028654; // √(2/π)
  const inner = (x: number) => tanh(a * (x + 0.044715 * x * x * x));
  return {
    value: (x) => 0.5 * x * (1 + inner(x)),
    slope: (x) => {
      const t = inner(x);
      return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * a * (1 + 3 * 0.044715 * x * x);
    },
  };
}

/** Bounds are attributes up to version 6, inputs since version 11. */
function clip(call: Call): Curve {
  const bound = (name: string, at: number, otherwise: number) =>
    call.inputs[at]?.data[0] ?? floatOf(call, name, otherwise);
  const low = bound("min", 1, Number.NEGATIVE_INFINITY);
  const high = bound("max", 2, Number.POSITIVE_INFINITY);
  return {
    value: (x) => Math.min(Math.max(x, low), high),
    slope: (x) => (x > low && x < high ? 1 : 0),
  };
}

const identity: Operator = {
  forward: (call) => inputOf(call, 0),
  backward: (_, __, slope): (Tensor | null)[] => [slope],
  relevance: "follow",
};

/** By itself, because it is in every network: loops without a call a number. */
const relu: Operator = {
  forward: (call) => {
    const x = inputOf(call, 0);
    const out = tensor(x.dims);
    const [to, from] = [out.data, x.data];
    for (let e = 0; e < to.length; e++) to[e] = Math.max(from[e], 0);
    return out;
  },
  backward: (_, output, slope) => {
    const out = tensor(output.dims);
    const [to, from, y] = [out.data, slope.data, output.data];
    for (let e = 0; e < to.length; e++) to[e] = y[e] > 0 ? from[e] : 0;
    return [out];
  },
  relevance: "stay",
};

/** Operators that take every number by itself. */
export const elementwise: OperatorTable = {
  Identity: identity,
  Dropout: identity, // when a network is used, not trained
  Relu: relu,
  LeakyRelu: curve((call) => {
    const alpha = floatOf(call, "alpha", 0.01);
    return { value: (x) => (x < 0 ? alpha * x : x), slope: (x) => (x < 0 ? alpha : 1) };
  }),
  Elu: curve((call) => {
    const alpha = floatOf(call, "alpha", 1);
    return {
      value: (x) => (x < 0 ? alpha * expm1(x) : x),
      slope: (x, y) => (x < 0 ? y + alpha : 1),
    };
  }),
  Gelu: curve(gelu),
  Erf: always(erf, (x) => (2 / Math.sqrt(Math.PI)) * exp(-x * x)),
  Tanh: always(tanh, (_, y) => 1 - y * y),
  Sigmoid: always(sigmoid, (_, y) => y * (1 - y)),
  Softplus: always(softplus, sigmoid),
  Clip: curve(clip),
  Exp: always(exp, (_, y) => y),
  Log: always(log, (x) => 1 / x),
  Sqrt: always(Math.sqrt, (_, y) => 0.5 / y),
  Neg: always(
    (x) => -x,
    () => -1,
  ),
};
