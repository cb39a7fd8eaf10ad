import type { GroupWeights } from "../../effects/gradient-beside.ts";
import type { GradientMoments } from "../../effects/gradient-moments.ts";
import type { GaussianWeights } from "../../effects/index.ts";
import { identity, type Matrix, matrix, multiply, multiplyTranspose } from "../../linalg/index.ts";
import type { Network } from "../../network/index.ts";
import { layoutOf } from "../../network/layout.ts";

/** Which of an ensemble's output weights are the hidden units', and what its linear units are of the columns. */
export interface LinearUnits {
  /** Places of the hidden units' weights. */
  readonly hidden: readonly number[];
  /** Places of the linear units' weights. */
  readonly linear: readonly number[];
  /** s_j, the linear units' derivatives in column j, in the average network. */
  readonly slopesOf: (column: number) => Float64Array;
}

/** Null where no network has a linear part beside its hidden units, or in place of them. */
export function linearUnits(networks: readonly Network[]): LinearUnits | null {
  const layouts = networks.map(({ architecture }) => layoutOf(architecture));
  if (layouts.every(({ linear }) => linear === 0)) return null;
  const hidden: number[] = [];
  const linear: number[] = [];
  let first = 0;
  for (const { hidden: l, linear: r } of layouts) {
    for (let k = 0; k < l; k++) (k < l - r ? hidden : linear).push(first + k);
    first += l;
  }
  const slopesOf = (column: number): Float64Array => {
    const out = new Float64Array(linear.length);
    let place = 0;
    layouts.forEach(({ stages, linear: r }, k) => {
      const skip = stages.at(-1);
      const P = skip?.kind === "skip" && skip.weights >= 0 ? skip.weights : -1;
      for (let c = 0; c < r; c++) {
        const slope = P < 0 ? Number(c === column) : networks[k].parameters[P + column * r + c];
        out[place + c] = slope / networks.length;
      }
      place += r;
    });
    return out;
  };
  return { hidden, linear, slopesOf };
}

/**
 * The weights that a group of columns answers to: the hidden units', and the linear part's in the group's own columns
 * (β_j = s_jᵀγ) or, for a group of more columns than linear units, in those units.
 */
export function groupWeights(
  { hidden, linear, slopesOf }: LinearUnits,
  { mean, covariance }: GaussianWeights,
  group: readonly number[],
): GroupWeights {
  const [g, r] = [group.length, linear.length];
  const slopes = matrix(g, r);
  group.forEach((column, at) => {
    slopes.data.set(slopesOf(column), at * r);
  });
  // One weight per column: its derivative is 1 in that column and 0 in the others.
  const byColumn = g < r;
  const E = byColumn ? slopes : identity(r);
  const own = Float64Array.from({ length: E.rows }, (_, at) =>
    linear.reduce((sum, place, c) => sum + E.data[at * r + c] * mean[place], 0),
  );
  const joint = new Float64Array(hidden.length + E.rows);
  hidden.forEach((place, k) => {
    joint[k] = mean[place];
  });
  joint.set(own, hidden.length);
  return {
    mean: joint,
    covariance: jointCovariance(covariance, hidden, linear, E),
    slopes: byColumn ? identity(g) : slopes,
  };
}

/** Σ_i J̃_ijJ̃_ijᵀ of a column over all output weights in their own places, J̃_ij the hidden units' derivatives and s_j. */
export function momentsWithLinear(
  { hidden: l, rows, first, second }: GradientMoments,
  { hidden, linear, slopesOf }: LinearUnits,
  column: number,
): Float64Array {
  const size = hidden.length + linear.length;
  const out = new Float64Array(size * size);
  const slopes = slopesOf(column);
  for (let a = 0; a < l; a++) {
    for (let b = 0; b < l; b++)
      out[hidden[a] * size + hidden[b]] = second![(column * l + a) * l + b];
    linear.forEach((place, c) => {
      const value = first[column * l + a] * slopes[c];
      out[hidden[a] * size + place] = value;
      out[place * size + hidden[a]] = value;
    });
  }
  linear.forEach((from, c) => {
    linear.forEach((to, d) => {
      out[from * size + to] = rows * slopes[c] * slopes[d];
    });
  });
  return out;
}

/** [V_hh, V_hγEᵀ; Eweighedh, EweighedγEᵀ]; l + r variances where V is diagonal and E keeps it so. */
function jointCovariance(
  V: Float64Array | Matrix,
  hidden: readonly number[],
  linear: readonly number[],
  E: Matrix,
): Float64Array | Matrix {
  const [l, g] = [hidden.length, E.rows];
  const at = (a: number, b: number) =>
    V instanceof Float64Array ? (a === b ? V[a] : 0) : V.data[a * V.cols + b];
  const block = (rows: readonly number[], cols: readonly number[]) =>
    matrix(
      rows.length,
      cols.length,
      Float64Array.from(rows.flatMap((a) => cols.map((b) => at(a, b)))),
    );
  if (V instanceof Float64Array && g === 1) {
    const variance = linear.reduce((sum, place, c) => sum + E.data[c] ** 2 * V[place], 0);
    return Float64Array.from([...hidden.map((place) => V[place]), variance]);
  }
  const size = l + g;
  const out = matrix(size, size);
  const put = (top: number, left: number, { data, rows, cols }: Matrix) => {
    for (let i = 0; i < rows; i++)
      out.data.set(data.subarray(i * cols, (i + 1) * cols), (top + i) * size + left);
  };
  const across = multiplyTranspose(block(hidden, linear), E);
  put(0, 0, block(hidden, hidden));
  put(0, l, across);
  for (let i = 0; i < g; i++)
    for (let k = 0; k < l; k++) out.data[(l + i) * size + k] = across.data[k * g + i];
  const weighed =
    V instanceof Float64Array ? scaled(E, linear, V) : multiply(E, block(linear, linear));
  put(l, l, multiplyTranspose(weighed, E));
  return out;
}

function scaled({ data, rows, cols }: Matrix, linear: readonly number[], V: Float64Array): Matrix {
  return matrix(
    rows,
    cols,
    data.map((value, e) => value * V[linear[e % cols]]),
  );
}
