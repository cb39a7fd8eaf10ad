import { engine } from "../compute/index.ts";
import { activationSlope } from "./activation.ts";
import { type LayerValues, layerValues } from "./forward.ts";
import { type Layout, layoutOf, type Stage } from "./layout.ts";
import type { Network } from "./network.ts";
import { checkColumns, type Rows, rowsAsFloat32 } from "./rows.ts";

/** Derivatives ∂h_ik/∂x_j of the last hidden layer at `data[(j·rows + i)·hidden + k]`. */
export interface JacobianRows {
  readonly data: Float32Array;
  readonly rows: number;
  readonly variables: number;
  readonly hidden: number;
}

/** Numbers a block may hold: 16 MB, which the second-level caches of two threads share with ease. */
const BLOCK_NUMBERS = 1 << 22;
const BLOCK_ROWS = 512;

type WeightStage = Exclude<Stage, { kind: "dropout" }>;

/**
 * Derivatives of the last hidden layer with respect to the inputs, block by block:
 * J_i = W₁D₁W₂D₂…W_LD_L with D the activations' slopes at row i. Worked from the right with all rows
 * of a block side by side, every factor W is one matrix product. O(n·p·u₁·l) for a first layer of u₁
 * units; `networks` of an ensemble stand side by side, divided by their number, as the hidden units
 * of the average network do.
 */
export function* jacobianBlocks(
  networks: readonly Network[],
  X: Rows,
): Generator<JacobianRows, void> {
  const layouts = networks.map((network) => layoutOf(network.architecture));
  for (const layout of layouts) checkColumns("jacobianBlocks", layout, X);
  const p = X.cols;
  const hidden = layouts.reduce((sum, layout) => sum + layout.hidden, 0);
  const block = Math.max(1, Math.min(BLOCK_ROWS, Math.floor(BLOCK_NUMBERS / (p * hidden))));
  for (let start = 0; start < X.rows; start += block) {
    const rows = Math.min(block, X.rows - start);
    const input = rowsAsFloat32(X, start, rows);
    const members = networks.map((network, k) =>
      jacobian(layouts[k], network.parameters, input, rows),
    );
    const data = members.length === 1 ? members[0] : sideBySide(members, layouts, rows * p);
    yield { data, rows, variables: p, hidden };
  }
}

/** ∂h/∂x of one block of rows, p×rows×l. */
function jacobian(
  layout: Layout,
  theta: Float32Array,
  input: Float32Array,
  rows: number,
): Float32Array {
  const values = layerValues(layout, theta, input, rows);
  const l = layout.hidden;
  let T = unitDerivatives(l, rows);
  for (let at = layout.stages.length - 1; at >= 0; at--) {
    const stage = layout.stages[at];
    if (stage.kind === "dropout") continue;
    scaleBySlopes(T, stage, values[at + 1], rows, l);
    T = throughWeights(T, stage, theta, rows * l);
  }
  return T;
}

/** ∂h_k/∂h_u: the identity for every row, l×rows×l. */
function unitDerivatives(l: number, rows: number): Float32Array {
  const T = new Float32Array(l * rows * l);
  for (let u = 0; u < l; u++) for (let i = 0; i < rows; i++) T[(u * rows + i) * l + u] = 1;
  return T;
}

/** T[u, i, :] ← a′(z_iu)·T[u, i, :]. */
function scaleBySlopes(
  T: Float32Array,
  { units, activation }: WeightStage,
  { before, output }: LayerValues,
  rows: number,
  l: number,
): void {
  for (let u = 0; u < units; u++)
    for (let i = 0; i < rows; i++) {
      const slope = activationSlope(activation, before[i * units + u], output[i * units + u]);
      const at = (u * rows + i) * l;
      for (let k = at; k < at + l; k++) T[k] *= slope;
    }
}

/** W·T: from derivatives with respect to a layer's sums to those with respect to its inputs. */
function throughWeights(
  T: Float32Array,
  stage: WeightStage,
  theta: Float32Array,
  width: number,
): Float32Array {
  const { inputs, units, weights } = stage;
  const out = new Float32Array(inputs * width);
  if (stage.kind === "dense") {
    const W = theta.subarray(weights, weights + inputs * units);
    engine().gemm(false, false, inputs, width, units, 1, W, units, T, width, 0, out, width);
    return out;
  }
  const { from, to } = stage;
  for (let c = 0; c < from.length; c++) {
    const weight = theta[weights + c];
    const source = T.subarray(to[c] * width, (to[c] + 1) * width);
    const target = out.subarray(from[c] * width, (from[c] + 1) * width);
    for (let i = 0; i < width; i++) target[i] += weight * source[i];
  }
  return out;
}

/** [J₁ … J_K]/K along the hidden units. */
function sideBySide(
  members: readonly Float32Array[],
  layouts: readonly Layout[],
  count: number,
): Float32Array {
  const width = layouts.reduce((sum, { hidden }) => sum + hidden, 0);
  const out = new Float32Array(count * width);
  let first = 0;
  members.forEach((member, k) => {
    const l = layouts[k].hidden;
    for (let i = 0; i < count; i++)
      for (let h = 0; h < l; h++) out[i * width + first + h] = member[i * l + h] / members.length;
    first += l;
  });
  return out;
}
