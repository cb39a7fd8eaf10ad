import { shapeError } from "../errors.ts";
import { type Matrix, matrix, multiplyVector } from "../linalg/index.ts";
import { gramInto } from "../linalg/products.ts";

/** Derivatives of the last hidden layer at some rows: `data[(j·rows + i)·hidden + k]` = ∂h_ik/∂x_j. */
export interface JacobianBlock {
  readonly data: Float32Array | Float64Array;
  readonly rows: number;
  /** p. */
  readonly variables: number;
  /** l. */
  readonly hidden: number;
}

/**
 * Sums over rows of products of derivatives, all that the scores need. Without `means` each variable
 * keeps its l×l matrix; with the output weights' means known beforehand, l numbers per variable and
 * mean do, and the scores lack their full form.
 */
export interface GradientMoments {
  readonly variables: number;
  readonly hidden: number;
  rows: number;
  /** Σ_i J_ij of variable j at j·l. */
  readonly first: Float64Array;
  /** Σ_i J_ijJ_ijᵀ of variable j at j·l², or null when `means` were given. */
  readonly second: Float64Array | null;
  /** For each m given: Σ_i J_ij(J_ijᵀm) of variable j at j·l. */
  readonly products: readonly { readonly mean: Float64Array; readonly sums: Float64Array }[];
}

/** No rows yet. O(p·l²) numbers, or O(p·l) for each of `means`. */
export function gradientMoments(
  variables: number,
  hidden: number,
  means?: readonly Float64Array[],
): GradientMoments {
  for (const mean of means ?? [])
    if (mean.length !== hidden)
      throw shapeError("gradientMoments", `${hidden} weights in each mean`, `${mean.length}`);
  return {
    variables,
    hidden,
    rows: 0,
    first: new Float64Array(variables * hidden),
    second: means ? null : new Float64Array(variables * hidden * hidden),
    products: (means ?? []).map((mean) => ({
      mean,
      sums: new Float64Array(variables * hidden),
    })),
  };
}

/** Adds a block of rows. O(rows·p·l²/2), or O(rows·p·l) per mean. */
export function addJacobian(moments: GradientMoments, block: JacobianBlock): void {
  const { variables: p, hidden: l, first, second, products } = moments;
  const { rows, data } = block;
  if (block.variables !== p || block.hidden !== l || data.length !== rows * p * l)
    throw shapeError(
      "addJacobian",
      `${p}×rows×${l} derivatives`,
      `${data.length} for ${block.variables}×${rows}×${block.hidden}`,
    );
  moments.rows += rows;
  if (l === 0) return;
  const doubles = matrix(second ? rows : 0, l);
  const square = matrix(l, l);
  for (let j = 0; j < p; j++) {
    const own = data.subarray(j * rows * l, (j + 1) * rows * l);
    addRows(first.subarray(j * l, (j + 1) * l), own);
    if (second) {
      doubles.data.set(own);
      addOuterProducts(second.subarray(j * l * l, (j + 1) * l * l), doubles, square);
    }
    for (const { mean, sums } of products)
      addProducts(sums.subarray(j * l, (j + 1) * l), own, rows, mean);
  }
}

/** c_j = (1/n) Σ_i J_ij(J_ijᵀm), p×l. */
export function meanProducts(moments: GradientMoments, mean: Float64Array): Matrix {
  const { variables: p, hidden: l, rows, second, products } = moments;
  const C = matrix(p, l);
  if (second) {
    const stacked = matrix(p * l, l, second); // row (j, k) is row k of variable j's matrix
    C.data.set(multiplyVector(stacked, mean));
  } else {
    const known = products.find((product) => product.mean.every((m, k) => m === mean[k]));
    if (!known)
      throw shapeError("meanProducts", "one of the means that were accumulated", "another");
    C.data.set(known.sums);
  }
  for (let i = 0; i < C.data.length; i++) C.data[i] /= rows;
  return C;
}

/** out += Σ_i J_ijJ_ijᵀ, through double precision: sums over many rows keep their digits. */
function addOuterProducts(out: Float64Array, own: Matrix, gramOfOwn: Matrix): void {
  gramInto(gramOfOwn, own);
  for (let i = 0; i < out.length; i++) out[i] += gramOfOwn.data[i];
}

function addRows(out: Float64Array, own: JacobianBlock["data"]): void {
  const l = out.length;
  for (let at = 0; at < own.length; at += l) for (let k = 0; k < l; k++) out[k] += own[at + k];
}

function addProducts(
  out: Float64Array,
  own: JacobianBlock["data"],
  rows: number,
  mean: Float64Array,
): void {
  const l = mean.length;
  for (let i = 0; i < rows; i++) {
    let g = 0;
    for (let k = 0; k < l; k++) g += own[i * l + k] * mean[k];
    for (let k = 0; k < l; k++) out[k] += own[i * l + k] * g;
  }
}
