import { type Matrix, matrix } from "@ratewise/core";
import { multiply, multiplyTranspose, transposeMultiply } from "@ratewise/core/linalg";
import { sizeOf, type Tensor, tensor } from "../tensor.ts";
import {
  type Call,
  floatOf,
  inputOf,
  integerOf,
  misuse,
  type Operator,
  type OperatorTable,
} from "./operator.ts";

/** α·A'B' + β·C, A' and B' transposed where asked. */
const gemm: Operator = {
  forward: (call) => {
    const { A, B, alpha, beta, transposedA, transposedB } = gemmParts(call);
    const out = product(A, transposedA, B, transposedB);
    const c = call.inputs[2];
    for (let e = 0; e < out.data.length; e++) out.data[e] *= alpha;
    if (c) {
      // C is stretched to the product: a number, a row, a column or all of it.
      const cols = c.dims.at(-1) ?? 1;
      const rows = c.dims.length > 1 ? c.dims[c.dims.length - 2] : 1;
      if ((cols !== 1 && cols !== out.cols) || (rows !== 1 && rows !== out.rows))
        throw misuse(call, `needs a bias for ${out.rows}×${out.cols}, got (${c.dims.join(", ")})`);
      for (let i = 0; i < out.rows; i++)
        for (let j = 0; j < out.cols; j++)
          out.data[i * out.cols + j] +=
            beta * c.data[(rows === 1 ? 0 : i * cols) + (cols === 1 ? 0 : j)];
    }
    return tensor([out.rows, out.cols], out.data);
  },
  backward: (call, output, slope, wanted) => {
    const { A, B, alpha, transposedA, transposedB } = gemmParts(call);
    const S = matrix(
      output.dims[0],
      output.dims[1],
      slope.data.map((value) => value * alpha),
    );
    const first = wanted[0]
      ? transposedA
        ? product(B, transposedB, S, true)
        : product(S, false, B, !transposedB)
      : null;
    const second = wanted[1]
      ? transposedB
        ? product(S, true, A, transposedA)
        : product(A, !transposedA, S, false)
      : null;
    if (wanted[2]) throw misuse(call, "has no derivative in a bias that depends on the inputs");
    return [ofMatrix(first), ofMatrix(second), null];
  },
  relevance: "product",
};

function gemmParts(call: Call) {
  const [a, b] = [inputOf(call, 0), inputOf(call, 1)];
  const transposedA = integerOf(call, "transA", 0) !== 0;
  const transposedB = integerOf(call, "transB", 0) !== 0;
  if (a.dims.length !== 2 || b.dims.length !== 2)
    throw misuse(call, `needs two matrices, got (${a.dims.join(", ")}) and (${b.dims.join(", ")})`);
  if (a.dims[transposedA ? 0 : 1] !== b.dims[transposedB ? 1 : 0])
    throw misuse(
      call,
      `needs ${b.dims[transposedB ? 1 : 0]} columns, got ${a.dims[transposedA ? 0 : 1]}`,
    );
  return {
    A: matrix(a.dims[0], a.dims[1], a.data),
    B: matrix(b.dims[0], b.dims[1], b.data),
    alpha: floatOf(call, "alpha", 1),
    beta: floatOf(call, "beta", 1),
    transposedA,
    transposedB,
  };
}

function product(A: Matrix, transposedA: boolean, B: Matrix, transposedB: boolean): Matrix {
  if (transposedA && transposedB) {
    // (BA)ᵀ
    const reversed = multiply(B, A);
    const out = matrix(reversed.cols, reversed.rows);
    for (let i = 0; i < out.rows; i++)
      for (let j = 0; j < out.cols; j++)
        out.data[i * out.cols + j] = reversed.data[j * out.rows + i];
    return out;
  }
  if (transposedA) return transposeMultiply(A, B);
  return transposedB ? multiplyTranspose(A, B) : multiply(A, B);
}

function ofMatrix(A: Matrix | null): Tensor | null {
  return A && tensor([A.rows, A.cols], A.data);
}

/** Products of the last two dimensions; the others are stretched to one another. */
const matMul: Operator = {
  forward: (call) => {
    const plan = matMulPlan(call);
    const { rows, inner, cols, pairs } = plan;
    const out = tensor(plan.dims);
    for (const { a, b, at } of pairs)
      out.data.set(
        multiply(matrix(rows, inner, a()), matrix(inner, cols, b())).data,
        at * rows * cols,
      );
    return out;
  },
  backward: (call, _, slope, wanted) => {
    const { rows, inner, cols, pairs } = matMulPlan(call);
    const first = wanted[0] ? tensor(inputOf(call, 0).dims) : null;
    const second = wanted[1] ? tensor(inputOf(call, 1).dims) : null;
    for (const { a, b, at, firstAt, secondAt } of pairs) {
      const S = matrix(rows, cols, slope.data.subarray(at * rows * cols, (at + 1) * rows * cols));
      if (first) addAt(first, firstAt, multiplyTranspose(S, matrix(inner, cols, b())));
      if (second) addAt(second, secondAt, transposeMultiply(matrix(rows, inner, a()), S));
    }
    return [first, second];
  },
  relevance: "product",
};

function addAt(out: Tensor, at: number, A: Matrix): void {
  const from = at * A.data.length;
  for (let e = 0; e < A.data.length; e++) out.data[from + e] += A.data[e];
}

interface MatMulPair {
  readonly a: () => Float64Array;
  readonly b: () => Float64Array;
  readonly at: number;
  readonly firstAt: number;
  readonly secondAt: number;
}

function matMulPlan(call: Call) {
  const [x, y] = [inputOf(call, 0), inputOf(call, 1)];
  // A vector is a row on the left and a column on the right, and its dimension is dropped again.
  const left = x.dims.length === 1 ? [1, x.dims[0]] : x.dims;
  const right = y.dims.length === 1 ? [y.dims[0], 1] : y.dims;
  if (x.dims.length === 0 || y.dims.length === 0)
    throw misuse(call, "needs matrices, got a number");
  const inner = left[left.length - 1];
  let rows = left[left.length - 2];
  const cols = right[right.length - 1];
  if (inner !== right[right.length - 2])
    throw misuse(call, `needs ${right[right.length - 2]} columns, got ${inner}`);
  let leading = left.slice(0, -2);
  const other = right.slice(0, -2);
  const outer = [...(x.dims.length === 1 ? [] : [rows]), ...(y.dims.length === 1 ? [] : [cols])];
  const pairs: MatMulPair[] = [];
  const stretched = stretch(call, leading, other);
  const dims = [...stretched, ...outer];
  // One matrix on the right for all on the left is a single product.
  if (other.length === 0 && leading.length > 0) {
    rows *= sizeOf(leading);
    leading = [];
  }
  const count = other.length === 0 ? 1 : sizeOf(stretched);
  for (let at = 0; at < count; at++) {
    const firstAt = other.length === 0 ? 0 : placeIn(at, stretched, leading);
    const secondAt = other.length === 0 ? 0 : placeIn(at, stretched, other);
    pairs.push({
      a: () => x.data.subarray(firstAt * rows * inner, (firstAt + 1) * rows * inner),
      b: () => y.data.subarray(secondAt * inner * cols, (secondAt + 1) * inner * cols),
      at,
      firstAt,
      secondAt,
    });
  }
  return { rows, inner, cols, pairs, dims };
}

function stretch(call: Call, a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, k) => {
    const p = a[k - rank + a.length] ?? 1;
    const q = b[k - rank + b.length] ?? 1;
    if (p !== q && p !== 1 && q !== 1)
      throw misuse(
        call,
        `needs stacks of matrices that fit, got ${a.join("×")} and ${b.join("×")}`,
      );
    return p === 1 ? q : p;
  });
}

/** Where the matrix for place `at` of a stretched stack lies in a stack of shape `dims`. */
function placeIn(at: number, stretched: readonly number[], dims: readonly number[]): number {
  let rest = at;
  let place = 0;
  let step = 1;
  for (let k = 1; k <= stretched.length; k++) {
    const d = stretched[stretched.length - k];
    const own = dims[dims.length - k] ?? 1;
    if (own > 1) place += (rest % d) * step;
    rest = Math.floor(rest / d);
    step *= own;
  }
  return place;
}

/** scale·(x − mean)/√(variance + ε) + bias a channel (dimension 1), with the moments of training. */
const batchNormalization: Operator = {
  forward: (call) => {
    const x = inputOf(call, 0);
    const { factor, shift } = channelScale(call, x);
    return { dims: x.dims, data: byChannel(x, (value, c) => value * factor[c] + shift[c]) };
  },
  backward: (call, _, slope) => {
    const { factor } = channelScale(call, inputOf(call, 0));
    return [{ dims: slope.dims, data: byChannel(slope, (value, c) => value * factor[c]) }];
  },
  relevance: "sum",
};

function channelScale(call: Call, x: Tensor): { factor: Float64Array; shift: Float64Array } {
  if (integerOf(call, "training_mode", 0) !== 0)
    throw misuse(call, "is in training mode; export the network for use (model.eval())");
  const [scale, bias, mean, variance] = [1, 2, 3, 4].map((at) => inputOf(call, at).data);
  const channels = x.dims[1] ?? 0;
  if ([scale, bias, mean, variance].some((values) => values.length !== channels))
    throw misuse(call, `needs moments of ${channels} channels, got ${scale.length}`);
  const epsilon = floatOf(call, "epsilon", 1e-5);
  const factor = scale.map((value, c) => value / Math.sqrt(variance[c] + epsilon));
  return { factor, shift: bias.map((value, c) => value - mean[c] * factor[c]) };
}

function byChannel({ dims, data }: Tensor, at: (value: number, channel: number) => number) {
  const channels = dims[1];
  const each = sizeOf(dims.slice(2));
  return data.map((value, e) => at(value, Math.floor(e / each) % channels));
}

export const linear: OperatorTable = {
  Gemm: gemm,
  MatMul: matMul,
  BatchNormalization: batchNormalization,
};
