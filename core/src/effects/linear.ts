import { RatewiseError, shapeError } from "../errors.ts";
import { type Matrix, matrix, selectColumns } from "../linalg/matrix.ts";
import { multiply } from "../linalg/products.ts";
import type { Rows } from "../linalg/rows.ts";
import { isSparse, type SparseMatrix } from "../linalg/sparse-matrix.ts";
import { type Block, checkBlock } from "./block.ts";
import { centre } from "./centre.ts";
import { centredInverse } from "./centred-inverse.ts";
import { variableNames } from "./names.ts";
import type { Projected } from "./projected.ts";

/**
 * The linear projection P = (CX)⁺: the coefficients of the least-squares fit of f on all columns at
 * once (with an intercept), the shortest of them where p ≥ n or columns depend on one another.
 * Centred, so that a constant in f cannot leak into the coefficients.
 *
 * O(n·p·min(n, p)) and about four times the memory of X in double precision, P itself (p×n) included.
 */
export function projectLinear(X: Block, H: Rows, names?: readonly string[]): Projected {
  return projectLeastSquares("projectLinear", X, H, 0, names);
}

/**
 * The ridge projection P = (XᵀCX + κI)⁻¹XᵀC, κ > 0. Cost as for the linear projection. The penalty
 * is in the squared units of the columns: standardise them first, or it will fall on some and spare others.
 */
export function projectRidge(
  X: Block,
  H: Rows,
  penalty: number,
  names?: readonly string[],
): Projected {
  if (!(penalty > 0 && penalty < Number.POSITIVE_INFINITY))
    throw new RatewiseError("domain", {
      in: "projectRidge",
      what: `needs a penalty that is positive and finite, got ${penalty}`,
      advice: "projectLinear is the one without",
      penalty,
    });
  return projectLeastSquares("projectRidge", X, H, penalty, names);
}

function projectLeastSquares(
  where: string,
  X: Block,
  H: Rows,
  penalty: number,
  names: readonly string[] | undefined,
): Projected {
  const { rows: n, cols: p } = X;
  if (H.rows !== n) throw shapeError(where, `H for the same ${n} rows as X`, `${H.rows} rows`);
  if (n < 2) throw shapeError(where, "at least 2 rows", `${n}`);
  checkBlock(where, "X", X);
  checkBlock(where, "H", H);
  const Z = centre(where, "X", isSparse(X) ? toDense(X) : X).centred;
  const centredH = centre(where, "H", H).centred;

  // A constant column is left out, so that its effect is zero and not a rounding error.
  const varying = Array.from({ length: p }, (_, j) => j).filter((j) => varies(Z, j));
  const hidden = matrix(p, H.cols);
  const squaredNorms = new Float64Array(p);
  const P = centredInverse(varying.length === p ? Z : selectColumns(Z, varying), penalty);
  const B = multiply(P, centredH);
  varying.forEach((j, row) => {
    hidden.data.set(B.data.subarray(row * H.cols, (row + 1) * H.cols), j * H.cols);
    for (let i = 0; i < n; i++) squaredNorms[j] += P.data[row * n + i] ** 2;
  });
  return { names: variableNames(where, p, names), hidden, squaredNorms };
}

function varies({ data, rows, cols }: Matrix, column: number): boolean {
  for (let i = 0; i < rows; i++) if (data[i * cols + column] !== 0) return true;
  return false;
}

function toDense({ values, columns, starts, rows, cols }: SparseMatrix): Matrix {
  const dense = matrix(rows, cols);
  for (let i = 0; i < rows; i++)
    for (let e = starts[i]; e < starts[i + 1]; e++) dense.data[i * cols + columns[e]] = values[e];
  return dense;
}
