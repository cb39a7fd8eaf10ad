import { dotFrom } from "../linalg/dot.ts";
import { eigh, type Matrix, matrix } from "../linalg/index.ts";
import { meanOf } from "../linalg/moments.ts";

/** Columns that enter or leave together, with their own copies of the coefficients. */
export interface LatentGroup {
  /** Columns of X. */
  readonly columns: Uint32Array;
  /** Where its coefficients begin among all copies. */
  readonly first: number;
  /** w_g = √|g| of the penalty λ·w_g·‖b_g‖. */
  readonly weight: number;
}

/** X_gᵀX_g/n = Q diag(values) Qᵀ; row k of `vectors` is the k-th vector. */
export interface GroupCurvature {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

/** X as the solver takes it: by columns, centred and scaled, with a copy of a column for each group it is in. */
export interface GroupLassoProblem {
  readonly rows: number;
  readonly cols: number;
  /** Column j at j·rows. */
  readonly columns: Float64Array;
  readonly means: Float64Array;
  readonly scales: Float64Array;
  readonly groups: readonly LatentGroup[];
  /** Coefficients of all groups, copies counted: Σ|g|. */
  readonly size: number;
  /** Filled as groups enter. */
  readonly curvatures: (GroupCurvature | undefined)[];
}

/** Where the solver stands: y − b₀ − X b and the copies of the coefficients, which move together. */
export interface LassoPoint {
  readonly residual: Float64Array;
  readonly coefficients: Float64Array;
}

export interface ProblemOptions {
  /** Columns of each group. */
  readonly groups: readonly (readonly number[])[];
  readonly centre: boolean;
  readonly standardise: boolean;
}

/** Copies X by columns: n·p numbers. A constant column becomes zeros where columns are centred. */
export function groupLassoProblem(X: Matrix, options: ProblemOptions): GroupLassoProblem {
  const { rows, cols } = X;
  const columns = new Float64Array(rows * cols);
  const means = new Float64Array(cols);
  const scales = new Float64Array(cols).fill(1);
  const tile = 64;
  for (let top = 0; top < rows; top += tile)
    for (let j = 0; j < cols; j++)
      for (let i = top; i < Math.min(top + tile, rows); i++)
        columns[j * rows + i] = X.data[i * cols + j];
  for (let j = 0; j < cols; j++) {
    const column = columns.subarray(j * rows, (j + 1) * rows);
    const mean = meanOf(column);
    const constant = column.every((value) => value === column[0]);
    if (options.centre) {
      means[j] = constant ? column[0] : mean;
      for (let i = 0; i < rows; i++) column[i] -= means[j];
    }
    if (options.standardise && !constant) {
      const around = options.centre ? 0 : mean;
      let squares = 0;
      for (let i = 0; i < rows; i++) squares += (column[i] - around) * (column[i] - around);
      scales[j] = Math.sqrt(squares / rows);
      for (let i = 0; i < rows; i++) column[i] /= scales[j];
    }
  }
  let size = 0;
  const groups = options.groups.map((members): LatentGroup => {
    const first = size;
    size += members.length;
    return { columns: Uint32Array.from(members), first, weight: Math.sqrt(members.length) };
  });
  return { rows, cols, columns, means, scales, groups, size, curvatures: [] };
}

/** The eigenvectors of a group's Gram matrix: O(n|g|² + |g|³), once a group that ever enters. */
export function curvatureOf(problem: GroupLassoProblem, g: number): GroupCurvature {
  const known = problem.curvatures[g];
  if (known) return known;
  const { rows: n, columns } = problem;
  const members = problem.groups[g].columns;
  const k = members.length;
  const gram = matrix(k, k);
  for (let a = 0; a < k; a++)
    for (let b = 0; b <= a; b++) {
      const from = members[b] * n;
      gram.data[a * k + b] = dotFrom(columns, members[a] * n, columns, from, n) / n;
    }
  const { values, vectors } = k === 1 ? { values: gram.data, vectors: unit } : eigh(gram);
  const byRow = new Float64Array(k * k);
  for (let a = 0; a < k; a++)
    for (let b = 0; b < k; b++) byRow[b * k + a] = vectors.data[a * k + b];
  const curvature = { values: values.map((value) => Math.max(0, value)), vectors: byRow };
  problem.curvatures[g] = curvature;
  return curvature;
}

const unit: Matrix = matrix(1, 1, Float64Array.of(1));

/** out_g ← ‖X_gᵀ residual‖/n/w_g for the groups asked for: what each group's λ is compared with. O(n·Σ|g|). */
export function gradientNorms(
  { rows: n, columns, groups }: GroupLassoProblem,
  residual: Float64Array,
  out: Float64Array,
  wanted: (g: number) => boolean = () => true,
): Float64Array {
  for (let g = 0; g < groups.length; g++) {
    if (!wanted(g)) continue;
    let squares = 0;
    for (const column of groups[g].columns) {
      const slope = dotFrom(columns, column * n, residual, 0, n) / n;
      squares += slope * slope;
    }
    out[g] = Math.sqrt(squares) / groups[g].weight;
  }
  return out;
}

/** ‖b_g‖ of every group's own copies, in standard deviations of the columns where those were standardised. */
export function latentNorms({ groups }: GroupLassoProblem, latent: Float64Array): Float64Array {
  return Float64Array.from(groups, ({ first, columns }) =>
    Math.sqrt(dotFrom(latent, first, latent, first, columns.length)),
  );
}

/** Whether any of a group's own coefficients is other than 0. */
export function isIn({ groups }: GroupLassoProblem, latent: Float64Array, g: number): boolean {
  const { first, columns } = groups[g];
  for (let k = first; k < first + columns.length; k++) if (latent[k] !== 0) return true;
  return false;
}
