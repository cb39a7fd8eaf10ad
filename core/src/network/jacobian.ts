import { Arena } from "../compute/arena.ts";
import { engine } from "../compute/index.ts";
import type { Rows } from "../linalg/rows.ts";
import { type Activation, activationSlope } from "./activation.ts";
import { type LayerValues, layerValues } from "./forward.ts";
import { patchSize } from "./image.ts";
import { throughConvolution, throughNormalisation, throughPool } from "./jacobian-image.ts";
import { type DenseStage, type Layout, layoutOf, type MaskedDenseStage } from "./layout.ts";
import type { Network } from "./network.ts";
import { checkColumns, rowsAsFloat32 } from "./rows.ts";

/** Derivatives ∂h_ik/∂x_j of the last hidden layer at `data[(j·rows + i)·hidden + k]`. */
export interface JacobianRows {
  readonly data: Float32Array;
  readonly rows: number;
  readonly variables: number;
  readonly hidden: number;
}

/** Numbers a block may hold: 16 MB. */
const BLOCK_NUMBERS = 1 << 22;
const BLOCK_ROWS = 512;

type WeightStage = DenseStage | MaskedDenseStage;

/**
 * Derivatives of the last hidden layer with respect to the inputs, block by block:
 * J_i = W₁D₁W₂D₂…W_LD_L with D the activations' slopes at row i. Worked from the right with all rows
 * of a block side by side, every factor W but the last is one matrix product. O(n·p·u₁·l) for a first
 * layer of u₁ units. The `networks` of an ensemble stand side by side, divided by their number, as the
 * hidden units of the average network do. A linear part's derivatives are the same in every row and not
 * among them. A block's data are overwritten by the next.
 */
export function* jacobianBlocks(
  networks: readonly Network[],
  X: Rows,
): Generator<JacobianRows, void> {
  const layouts = networks.map((network) => hiddenPart(layoutOf(network.architecture)));
  for (const layout of layouts) checkColumns("jacobianBlocks", layout, X);
  const p = X.cols;
  const hidden = layouts.reduce((sum, layout) => sum + layout.hidden, 0);
  const widest = Math.max(p, ...layouts.map(widestImage));
  const block = Math.max(
    1,
    Math.min(BLOCK_ROWS, Math.floor(BLOCK_NUMBERS / (widest * Math.max(1, hidden)))),
  );
  const arena = new Arena();
  try {
    const buffers = layouts.map((layout) => layerBuffers(layout, block, arena));
    const joined = new Float32Array(networks.length > 1 ? p * block * hidden : 0);
    for (let start = 0; start < X.rows; start += block) {
      const rows = Math.min(block, X.rows - start);
      const input = rowsAsFloat32(X, start, rows);
      const members = networks.map((network, k) =>
        jacobian(layouts[k], network.parameters, input, rows, buffers[k]),
      );
      if (members.length > 1) joinInto(joined, members, layouts, rows * p);
      const data = members.length > 1 ? joined.subarray(0, rows * p * hidden) : members[0];
      yield { data, rows, variables: p, hidden };
    }
  } finally {
    arena.free();
  }
}

/** The layout without what a linear part puts beside the hidden units. */
function hiddenPart(layout: Layout): Layout {
  const stages = layout.stages.filter(({ kind }) => kind !== "skip");
  return { ...layout, stages, hidden: layout.hidden - layout.linear, linear: 0 };
}

/** Units of the largest image between the layers. */
function widestImage({ stages }: Layout): number {
  return stages.reduce(
    (most, stage) => ("window" in stage ? Math.max(most, stage.units) : most),
    0,
  );
}

interface Buffers {
  /** Derivatives with respect to every layer's inputs, first layer first. */
  readonly layers: readonly Float32Array[];
  /** Derivatives with respect to the last layer's units, where that is no dense one. */
  readonly last: Float32Array;
  /** Derivatives with respect to the cells under a filter. */
  readonly patch: Float32Array;
}

/** Room in kernel memory. */
function layerBuffers({ stages, hidden }: Layout, rows: number, arena: Arena): Buffers {
  const room = (width: number) => arena.float32(width * rows * hidden);
  const widths = stages.map(({ inputs }) => inputs);
  const patches = stages.map((stage) =>
    stage.kind === "convolution" ? patchSize(stage.window) : 0,
  );
  const image = stages.some((stage) => !("rate" in stage) && !isWeighted(stage));
  return {
    layers: widths.map(room),
    last: room(image ? hidden : 0),
    patch: room(Math.max(0, ...patches)),
  };
}

function isWeighted(stage: Layout["stages"][number]): stage is WeightStage {
  return stage.kind === "dense" || stage.kind === "masked-dense";
}

/** ∂h/∂x of one block of rows, p×rows×l. */
function jacobian(
  layout: Layout,
  theta: Float32Array,
  input: Float32Array,
  rows: number,
  { layers, last, patch }: Buffers,
): Float32Array {
  const values = layerValues(layout, theta, input, rows);
  const l = layout.hidden;
  let T: Float32Array | null = null;
  for (let at = layout.stages.length - 1; at >= 0; at--) {
    const stage = layout.stages[at];
    if (stage.kind === "dropout" || stage.kind === "flatten") continue;
    const out: Float32Array = layers[at].subarray(0, stage.inputs * rows * l);
    if (isWeighted(stage) && !T) {
      lastLayer(out, slopesOf(stage, values[at + 1]), stage, theta, rows);
      T = out;
      continue;
    }
    T ??= identityInto(last.subarray(0, l * rows * l), l, rows);
    if ("activation" in stage)
      scaleBySlopes(T, slopesOf(stage, values[at + 1]), stage.units, rows, l);
    if (stage.kind === "batch-normalisation") {
      throughNormalisation(T, stage, theta, rows * l);
      continue;
    }
    if (stage.kind === "convolution") throughConvolution(out, T, stage, theta, rows * l, patch);
    else if (isWeighted(stage)) throughWeights(out, T, stage, theta, rows * l);
    else if (stage.kind !== "skip") throughPool(out, T, stage, values[at + 1].largest!, rows, l);
    T = out;
  }
  if (l === 0) return new Float32Array(0);
  return T ?? identityInto(layers[0].subarray(0, l * rows * l), l, rows);
}

/** a′(z) of a layer, rows×units. */
function slopesOf(
  { activation }: { readonly activation: Activation },
  { before, output }: LayerValues,
): Float32Array {
  const slopes = new Float32Array(before.length);
  for (let i = 0; i < slopes.length; i++)
    slopes[i] = activationSlope(activation, before[i], output[i]);
  return slopes;
}

/** ∂h_ik/∂(input u) = W[u, k]·a′(z_ik) of the last layer. */
function lastLayer(
  out: Float32Array,
  slopes: Float32Array,
  stage: WeightStage,
  theta: Float32Array,
  rows: number,
): void {
  const { inputs, units: l, weights } = stage;
  if (stage.kind === "dense") {
    for (let u = 0; u < inputs; u++) {
      const own = weights + u * l;
      for (let i = 0, at = u * rows * l; i < rows * l; i += l, at += l)
        for (let k = 0; k < l; k++) out[at + k] = theta[own + k] * slopes[i + k];
    }
    return;
  }
  out.fill(0);
  stage.from.forEach((u, c) => {
    const k = stage.to[c];
    for (let i = 0; i < rows; i++)
      out[(u * rows + i) * l + k] = theta[weights + c] * slopes[i * l + k];
  });
}

/** T[u, i, :] ← a′(z_iu)·T[u, i, :]. */
function scaleBySlopes(
  T: Float32Array,
  slopes: Float32Array,
  units: number,
  rows: number,
  l: number,
): void {
  for (let u = 0; u < units; u++)
    for (let i = 0; i < rows; i++) {
      const slope = slopes[i * units + u];
      const at = (u * rows + i) * l;
      for (let k = at; k < at + l; k++) T[k] *= slope;
    }
}

/** out ← W·T: from derivatives with respect to a layer's sums to those with respect to its inputs. */
function throughWeights(
  out: Float32Array,
  T: Float32Array,
  stage: WeightStage,
  theta: Float32Array,
  width: number,
): void {
  const { inputs, units, weights } = stage;
  if (stage.kind === "dense") {
    const W = theta.subarray(weights, weights + inputs * units);
    engine().gemm(false, false, inputs, width, units, 1, W, units, T, width, 0, out, width);
    return;
  }
  out.fill(0);
  stage.from.forEach((j, c) => {
    const weight = theta[weights + c];
    const source = T.subarray(stage.to[c] * width, (stage.to[c] + 1) * width);
    const target = out.subarray(j * width, (j + 1) * width);
    for (let i = 0; i < width; i++) target[i] += weight * source[i];
  });
}

/** Where no layer has weights h is x. */
function identityInto(out: Float32Array, l: number, rows: number): Float32Array {
  out.fill(0);
  for (let u = 0; u < l; u++) for (let i = 0; i < rows; i++) out[(u * rows + i) * l + u] = 1;
  return out;
}

/** [J₁ … J_K]/K along the hidden units. */
function joinInto(
  out: Float32Array,
  members: readonly Float32Array[],
  layouts: readonly Layout[],
  count: number,
): void {
  const width = layouts.reduce((sum, { hidden }) => sum + hidden, 0);
  let first = 0;
  for (let k = 0; k < members.length; k++) {
    copyScaled(out, first, width, members[k], layouts[k].hidden, count, 1 / members.length);
    first += layouts[k].hidden;
  }
}

/** out[i, first + h] ← scale·member[i, h]. */
function copyScaled(
  out: Float32Array,
  first: number,
  width: number,
  member: Float32Array,
  l: number,
  count: number,
  scale: number,
): void {
  let from = 0;
  let to = first;
  for (let i = 0; i < count; i++) {
    for (let h = 0; h < l; h++) out[to + h] = scale * member[from + h];
    from += l;
    to += width;
  }
}
